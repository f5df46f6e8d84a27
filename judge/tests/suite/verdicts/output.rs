//! Too much output, output that is not read, and pipes that other processes keep open.

use super::assert_verdict;
use crate::support::{games, is_alive, judge, text};

#[test]
fn limits() {
    assert_verdict(
        &["sh", "-c", "read h; head -c 100000 /dev/zero; read x"],
        "OUTPUT_LIMIT",
        "the side: a line of more than 4096 bytes",
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

#[test]
fn the_console_shows_the_end_of_stderr() {
    let script =
        "i=0; while [ $i -lt 20 ]; do echo line $i >&2; i=$((i+1)); done; printf '\\033[2J' >&2; exit 1";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.contains("stderr: line 19\n") && !shown.contains("stderr: line 10\n"), "{shown}");
    assert!(shown.contains("\\u{1b}[2J") && !shown.contains('\u{1b}'), "control bytes are escaped: {shown}");
    assert!(shown.ends_with("0 of 1 game won\n"), "{shown}");
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
