//! The end of a bot, too much output, and output that is not read.

use crate::support::{JUDGE, TestDir, games, is_alive, judge, text};

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
    let shown = judge("run 6 1 2 -q --grace 0.1 --profile contest --games 2", &bot);
    let summary = "2 of 2 games won; excused by --profile contest: 2 NO_EXIT\n";
    assert!(text(&shown.stdout).contains(summary), "{shown:?}");
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
