//! What may be typed, and the judge's exit codes.

use crate::judge::{games, judge, text, timeless};

#[track_caller]
fn assert_refused(args: &str, bot: &[&str], said: &str) {
    let output = judge(args, bot);
    assert_eq!(output.status.code(), Some(2), "{args}");
    assert_eq!(text(&output.stdout), "", "{args}");
    assert!(text(&output.stderr).contains(said), "{args}: {}", text(&output.stderr));
}

#[test]
fn wrong_usage_is_refused_with_a_reason() {
    assert_refused(
        "run 6 2 1",
        &[],
        r#"the header sets up no game: expected "N L R" or "segment N L R" with 1 <= L"#,
    );
    assert_refused("run 6 1 x", &[], "the header is malformed: expected");
    assert_refused(
        "run chess",
        &[],
        r#"expected a game (segment, square, divisor, subtract, nim, euclid), got "chess""#,
    );
    assert_refused("run 6 1 2 --opponent chess", &[], "[possible values: perfect, random");
    assert_refused("run 6 1 2 --games 0", &[], "--games <K>");
    assert_refused("run 6 1 2 --time-limit 0", &[], "expected a number of seconds from 0.001 to 86400");
    assert_refused(
        "run 6 1 2 --games 2 --seed 18446744073709551615",
        &[],
        "expected seeds of at most 18446744073709551615",
    );
    assert_refused("run 6 1 2 --json -v", &[], "cannot be used with");
    assert_refused(
        "run 6 1 2",
        &["./no-such-bot"],
        "the bot ./no-such-bot could not be started: No such file",
    );
    assert_refused(
        "run 6 1 2",
        &["./README.md"],
        "the bot ./README.md could not be started: Permission denied",
    );
    assert_refused("fly", &[], "unrecognized subcommand");
}

/// An opponent that would need too large a table is the judge's trouble, not the bot's.
#[test]
fn an_opponent_beyond_theory() {
    let bot = ["sh", "-c", "read h; echo Second; read x"];
    let (lines, code) = games("1000000000 3 3", &bot);
    assert_eq!((lines[0]["verdict"].as_str(), code), (Some("JUDGE_ERROR"), 2));
    let reason = lines[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("the opponent cannot play on: a Grundy table of segments"), "{reason}");
}

#[test]
fn json_has_every_field() {
    let (games, _) = games("6 1 2 --seed 5 --opponent random", &[]);
    let fields: Vec<&String> = games[0].as_object().unwrap().keys().collect();
    let expected = [
        "blunders",
        "cpu_ms",
        "game",
        "memory_kib",
        "moves",
        "opponent",
        "opponent_blunders",
        "reason",
        "schema",
        "seed",
        "side",
        "slowest_ms",
        "slowest_ply",
        "start_won_by",
        "verdict",
        "waited_ms",
        "wall_ms",
    ];
    assert_eq!(fields, expected);
    assert_eq!(games[0]["schema"], 1);
    assert_eq!(games[0]["game"], "6 1 2");
    assert_eq!(games[0]["seed"], 5);
    assert_eq!(games[0]["side"], "First");
    assert!(games[0]["moves"].as_u64().unwrap() >= 3);
}

#[test]
fn a_drawn_game() {
    let output = judge("run 6 1 2 -v --opponent slow", &[]);
    assert_eq!(
        timeless(text(&output.stdout)),
        "      start             ######
    1 bot    3 2        ##xx##
    2 judge  1 1        x#..##
    3 bot    5 1        .#..x#
    4 judge  2 1        .x...#
    5 bot    6 1        .....x
WON 6 1 2 as First against slow (seed 1), 5 moves: the opponent has no move left
1 of 1 game won
"
    );
}

#[test]
fn help_names_everything() {
    let help = judge("run --help", &[]);
    for part in [
        "Usage: judge run [HEADER WORDS] [OPTIONS] [-- BOT ARGS...]",
        "--opponent",
        "--seed",
        "Exit codes:",
        "stubborn",
    ] {
        assert!(text(&help.stdout).contains(part), "no {part:?}");
    }
    assert!(!text(&judge("--help", &[]).stdout).contains("\n  bot"), "the hidden role is hidden");
}

/// `judge run ... | head`: a reader that hangs up is no error.
#[test]
fn a_closed_stdout_is_a_clean_end() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_judge"))
        .args(["run", "2000", "1", "1", "-v"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}
