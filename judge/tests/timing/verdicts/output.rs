//! Too much output, output that is not read, and pipes that other processes keep open.

use super::assert_verdict;
use crate::support::{JUDGE, TestDir, games, is_alive, judge, text};

#[test]
fn limits() {
    assert_verdict(
        &["sh", "-c", "read h; printf '%05000d' 7; read x"],
        "OUTPUT_LIMIT",
        "the side: a line of more than 4096 bytes, which begins \"0000000000000000000000000000000000000000\"",
    );
}

/// Legal moves, in lines that each are within the limit, are too much together.
#[test]
fn all_output_together_has_a_limit() {
    let script =
        r#"BEGIN { print "First"; for (card = 40000; card > 20000; card--) printf "%4000d 1\n", card }"#;
    let (games, _) = games("40000 1 1 --opponent slow --time-limit 60", &["awk", script]);
    assert_eq!(games[0]["verdict"], "OUTPUT_LIMIT", "{}", games[0]["reason"]);
    let reason = games[0]["reason"].as_str().unwrap();
    assert!(reason.ends_with(": more than 64 MiB of output"), "{reason}");
}

/// A child process that keeps the bot's pipes open after the bot has ended does not block the judge, and is ended.
#[test]
fn a_pipe_held_open() {
    let script = "read h; echo First; { sleep 100; echo waited >&2; } & echo $! >&2; exit 0";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with("EXITED_EARLY"), "{shown}");
    assert!(!shown.contains("stderr: waited"), "the judge waited for the child: {shown}");
    let child = shown.lines().find_map(|line| line.strip_prefix("    stderr: ")).unwrap();
    assert!(!is_alive(child), "{child} lives on");
}

/// A bot that floods stderr or never reads does not block the judge.
#[test]
fn pipes_never_block() {
    let script = "head -c 10000000 /dev/zero >&2; read h; echo First; echo 3 2; read x; echo oops; read x";
    let (flood, _) = games("6 1 2 --time-limit 20", &["sh", "-c", script]);
    assert_eq!(flood[0]["verdict"], "MALFORMED", "{}", flood[0]);
    // A header of a hundred kilobytes fills the pipe before the bot has read a byte.
    let header = vec!["1 1 1"; 13_000].join(" + ");
    let (unread, _) = games(&format!("{header} --time-limit 1"), &["sleep", "100"]);
    let idle = if cfg!(target_os = "linux") { "IDLE" } else { "TIME_WALL" };
    assert_eq!(unread[0]["verdict"], idle, "{}", unread[0]["reason"]);
}

/// The cause of a crash stands at the beginning of stderr or at its end: both are shown, and what is left out is named.
#[test]
fn the_console_shows_both_ends_of_stderr() {
    let script = "echo cause >&2; i=0; while [ $i -lt 5000 ]; do echo line $i >&2; i=$((i+1)); done; \
        printf '\\033[2J' >&2; exit 1";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.contains("    stderr: cause\n    stderr: line 0\n"), "{shown}");
    assert!(shown.contains("\n    stderr: line 4999\n") && !shown.contains("stderr: line 2500\n"), "{shown}");
    assert!(
        shown.contains(" bytes left out here, ") && shown.contains("; judge run --stderr DIR keeps them]\n"),
        "{shown}"
    );
    assert!(shown.contains("\\u{1b}[2J") && !shown.contains('\u{1b}'), "control bytes are escaped: {shown}");
    let short = judge("run 6 1 2", &["sh", "-c", "seq 90 >&2; exit 1"]);
    let numbers = text(&short.stdout).lines().filter(|line| line.starts_with("    stderr: ")).count();
    assert_eq!(numbers, 90, "all of a short text");
}

/// `--show-stderr` shows it for games that are won too, and `--stderr` writes a file for each game.
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
    assert!(text(&refused.stderr).contains("for stderr cannot be made"), "{refused:?}");
    assert_eq!(refused.status.code(), Some(2));
}

/// If a bot prints very much on stderr, the last part is kept, before the end of the game and after.
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
