//! The end of a bot, the default limits, too much output, and output that is not read.

use serde_json::{Value, json};

use crate::support::{JUDGE, Printed, TestDir, games, is_alive, judge};

/// Checks that a bot that never exits fails in `run`, `stress` and `test`. The contest profile excuses it.
#[test]
fn a_bot_that_never_exits() {
    let here = TestDir::new();
    let input = here.write("1.in", "6 1 2\n");
    let script = format!("{JUDGE} bot; exec sleep 100");
    let stress = "stress --family segment --jobs 1 --games 3";
    for (args, strict, excused) in [
        (
            "run 6 1 2 -q --games 2",
            "NO_EXIT 6 1 2 as First",
            "2 of 2 games won; excused by --profile contest: 2 NO_EXIT\n",
        ),
        (stress, "not won: 1 NO_EXIT\n", "\nexcused by --profile contest: 3 NO_EXIT\n"),
        (&format!("test -f {input}"), "NO_EXIT", "excused by --profile contest: 1 NO_EXIT\n"),
    ] {
        let judge = |profile: &str| judge(&format!("{args} --grace 0.1 {profile}"), &["sh", "-c", &script]);
        judge("").exits(1).prints(strict);
        judge("--profile contest").exits(0).prints(excused);
    }
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

/// Checks the default limits: without `--wall-limit`, the wall limit is much larger than the limit on CPU time.
#[test]
fn the_wall_limit_is_larger_than_the_limit_on_cpu_time() {
    for (options, limits) in [
        ("", json!([2_000_000_000_u64, 5_000_000_000_u64, 2_000_000_000_u64])),
        ("--time-limit 0.5", json!([500_000_000, 2_000_000_000, 500_000_000])),
        ("--time-limit 9 --wall-limit 3", json!([9_000_000_000_u64, 3_000_000_000_u64, 3_000_000_000_u64])),
    ] {
        let output = judge(&format!("run 6 1 2 --transcript - {options}"), &[]);
        let set_up: Value = output.json().remove(0);
        let recorded = ["cpu_ns", "wall_ns", "idle_ns"].map(|name| &set_up["limits"][name]);
        assert_eq!(json!(recorded), limits, "{options}");
    }
}

/// Checks that the judge does not wait for a child process that keeps the bot's pipes open after the bot has ended. The
/// judge ends that process.
#[test]
fn a_pipe_held_open() {
    let script = "read h; echo First; { sleep 100; echo waited >&2; } & echo $! >&2; exit 0";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = output.begins("EXITED_EARLY").out();
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
    let shown = output.out();
    output
        .prints("    stderr: cause\n    stderr: line 0\n")
        .prints("\n    stderr: line 4999\n")
        .prints(" bytes with ")
        .prints("; judge run --stderr DIR keeps them]\n")
        .prints("\\u{1b}[2J");
    assert!(!shown.contains("stderr: line 2500\n") && !shown.contains('\u{1b}'), "{shown}");
    let short = judge("run 6 1 2", &["sh", "-c", "seq 90 >&2; exit 1"]);
    let numbers = short.out().lines().filter(|line| line.starts_with("    stderr: ")).count();
    assert_eq!(numbers, 90, "all of a short text");
}
