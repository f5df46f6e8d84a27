//! The end of a bot, too much output, and output that is not read.

use serde_json::json;

use crate::support::{JUDGE, TestDir, games, is_alive, judge, text};

/// Checks that the bot's behaviour after the end of the game changes the verdict. Under the contest profile a win stays
/// a win, but the report names the behaviour, and the summary counts it.
#[test]
fn behaviour_after_the_end() {
    let winning = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; ";
    for (last, verdict, behaviour) in [
        ("exec sleep 100", "NO_EXIT", "the bot did not end within 0.3 s of the decision"),
        ("echo bye; read x", "EXTRA_OUTPUT", "the bot wrote \"bye\\n\" that nobody read"),
        ("read x; echo bye", "EXTRA_OUTPUT", "the bot wrote \"bye\\n\" that nobody read"),
        ("echo 1 1; exec sleep 100", "EXTRA_OUTPUT", "the bot wrote \"1 1\\n\" that nobody read"),
    ] {
        let script = format!("{winning}{last}");
        let bot = ["sh", "-c", &script];
        let args = "6 1 2 --opponent slow --grace 0.3";
        let (strict, code) = games(args, &bot);
        assert_eq!((strict[0]["verdict"].as_str(), code), (Some(verdict), 1), "{last}: {}", strict[0]);
        assert_eq!(strict[0]["reason"], format!("the opponent has no move left, but {behaviour}"));
        let stays = last == "echo 1 1; exec sleep 100";
        assert_eq!(strict[0]["notes"].as_array().unwrap().len(), usize::from(stays), "{last}");
        let (contest, code) = games(&format!("{args} --profile contest"), &bot);
        assert_eq!((contest[0]["verdict"].as_str(), code), (Some("WON"), 0), "{last}: {}", contest[0]);
        assert_eq!(contest[0]["reason"], "the opponent has no move left");
        let note = json!({ "class": verdict.to_lowercase(), "reason": behaviour });
        assert!(contest[0]["notes"].as_array().unwrap().contains(&note), "{last}: {}", contest[0]);
        for quiet in ["", " -q"] {
            let args = format!("run {args} --profile contest --games 2{quiet}");
            let shown = judge(&args, &bot);
            let summary = format!("2 of 2 games won; excused by --profile contest: 2 {verdict}");
            // After the summary there are an empty line and the table of times, which is left out.
            let lines: Vec<&str> = text(&shown.stdout).lines().take_while(|line| !line.is_empty()).collect();
            assert!(lines.last().is_some_and(|last| last.ends_with(&summary)), "{lines:?}");
            let runs = lines.iter().filter(|line| !line.starts_with("    note: ")).count();
            assert_eq!(runs, if quiet.is_empty() { 3 } else { 1 }, "{lines:?}");
            assert_eq!(shown.status.code(), Some(0), "{lines:?}");
        }
    }
}

/// Checks that a bot that never exits fails in `run`, `stress` and `test`. The contest profile excuses it.
#[test]
fn a_bot_that_never_exits() {
    let here = TestDir::new();
    let input = here.file("1.in");
    std::fs::write(&input, "6 1 2\n").unwrap();
    let script = format!("{JUDGE} bot; exec sleep 100");
    let bot = ["sh", "-c", &script];
    let quiet = judge("run 6 1 2 -q --grace 0.1", &bot);
    let shown = text(&quiet.stdout);
    assert!(shown.starts_with("NO_EXIT 6 1 2 as First") && shown.ends_with("0 of 1 game won\n"), "{shown}");
    assert_eq!(quiet.status.code(), Some(1));
    let stress = "stress --family segment --jobs 1 --games 3 --grace 0.1";
    let found = judge(stress, &bot);
    assert!(text(&found.stdout).contains("not won: 1 NO_EXIT\n"), "{found:?}");
    assert_eq!(found.status.code(), Some(1));
    let excused = judge(&format!("{stress} --profile contest"), &bot);
    assert!(text(&excused.stdout).contains("\nexcused by --profile contest: 3 NO_EXIT\n"), "{excused:?}");
    assert_eq!(excused.status.code(), Some(0));
    let test = |options: &str| judge(&format!("test -f {input} --grace 0.1{options}"), &bot);
    assert_eq!(test("").status.code(), Some(1));
    assert_eq!(test(" --profile contest").status.code(), Some(0));
}

/// Checks that a bot that exits between two games of a session has won the first and not the second, no matter when the
/// judge notices the exit.
#[test]
fn the_end_of_a_session_between_games() {
    let script = "read t; read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; exit 0";
    for _ in 0..3 {
        let (lines, _) = games("6 1 2 --opponent slow --session --games 2", &["sh", "-c", script]);
        let verdicts: Vec<&str> = lines.iter().map(|game| game["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["WON", "EXITED_EARLY"], "{lines:?}");
    }
}

/// Checks that the output of a bot has a limit for all lines together, even if each line is short enough.
#[test]
fn all_output_together_has_a_limit() {
    let script =
        r#"BEGIN { print "First"; for (card = 40000; card > 20000; card--) printf "%4000d 1\n", card }"#;
    let (games, _) = games("40000 1 1 --opponent slow --time-limit 60", &["awk", script]);
    assert_eq!(games[0]["verdict"], "OUTPUT_LIMIT", "{}", games[0]["reason"]);
    let reason = games[0]["reason"].as_str().unwrap();
    assert!(reason.ends_with(": the bot wrote more than 64 MiB"), "{reason}");
}

/// Checks that the judge does not wait for a child process that keeps the bot's pipes open after the bot has ended. The
/// judge ends that process.
#[test]
fn a_pipe_held_open() {
    let script = "read h; echo First; { sleep 100; echo waited >&2; } & echo $! >&2; exit 0";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with("EXITED_EARLY"), "{shown}");
    assert!(!shown.contains("stderr: waited"), "the judge waited for the child: {shown}");
    let child = shown.lines().find_map(|line| line.strip_prefix("    stderr: ")).unwrap();
    assert!(!is_alive(child), "{child} is still running");
}

/// Checks that the report shows the beginning and the end of a long stderr, and says how much it omits.
#[test]
fn the_console_shows_both_ends_of_stderr() {
    let script = "echo cause >&2; i=0; while [ $i -lt 5000 ]; do echo line $i >&2; i=$((i+1)); done; \
        printf '\\033[2J' >&2; exit 1";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.contains("    stderr: cause\n    stderr: line 0\n"), "{shown}");
    assert!(shown.contains("\n    stderr: line 4999\n") && !shown.contains("stderr: line 2500\n"), "{shown}");
    assert!(
        shown.contains(" bytes with ") && shown.contains("; judge run --stderr DIR keeps them]\n"),
        "{shown}"
    );
    assert!(shown.contains("\\u{1b}[2J") && !shown.contains('\u{1b}'), "control bytes are escaped: {shown}");
    let short = judge("run 6 1 2", &["sh", "-c", "seq 90 >&2; exit 1"]);
    let numbers = text(&short.stdout).lines().filter(|line| line.starts_with("    stderr: ")).count();
    assert_eq!(numbers, 90, "all of a short text");
}

/// Checks that `--show-stderr` also shows the stderr of won games, and that `--stderr` writes a file for each game.
#[test]
fn stderr_of_every_game() {
    let here = TestDir::new();
    let folder = here.file("stderr");
    let script = format!("echo hello >&2; exec {JUDGE} bot");
    let bot = ["sh", "-c", &script];
    let quiet = judge("run 6 1 2", &bot);
    assert!(!text(&quiet.stdout).contains("stderr"), "{quiet:?}");
    let shown = judge(&format!("run 6 1 2 --games 2 --show-stderr --stderr {folder}"), &bot);
    assert_eq!(text(&shown.stdout).matches("\n    stderr: hello\n").count(), 2, "{shown:?}");
    for seed in 1..=2 {
        let file = format!("{folder}/seed-{seed}.txt");
        assert_eq!(std::fs::read_to_string(file).unwrap(), "hello\n");
    }
    let refused = judge(&format!("run 6 1 2 --stderr {folder}/seed-1.txt"), &bot);
    assert!(text(&refused.stderr).contains("for stderr cannot be created"), "{refused:?}");
    assert_eq!(refused.status.code(), Some(2));
}

/// Checks that the last part of a very long stderr is kept, both before and after the end of the game.
#[test]
fn the_last_of_stderr_survives_a_flood() {
    let flood = "head -c 30000000 /dev/zero >&2; echo >&2; echo the end >&2; exit 3";
    for script in
        [format!("read h; echo First; {flood}"), format!("read h; echo First; echo 9 9; read x; {flood}")]
    {
        let shown = judge("run 6 1 2 --time-limit 20 --grace 20", &["sh", "-c", &script]);
        let shown = text(&shown.stdout);
        let last = shown.lines().rfind(|line| line.starts_with("    stderr: "));
        assert!(last.is_some_and(|line| line.ends_with("the end")), "{script}: {last:?}");
    }
}
