//! The report of a game: as JSON, in colour, with the review and the command that plays the game again.

use std::os::unix::ffi::OsStrExt;

use serde_json::json;

use crate::support::schema::assert_valid;
use crate::support::{AtTerminal, JUDGE, Printed, command, games, judge};

/// Checks that output to a pipe is coloured only with `--color` or `CLICOLOR_FORCE`. `NO_COLOR` overrides
/// `CLICOLOR_FORCE`, but not `--color`.
#[test]
fn colour_when_it_is_wanted() {
    let is_coloured = |args: &str, vars: &[&str]| {
        let mut judge = command(args, &[]);
        judge.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(vars.iter().map(|var| (*var, "1")));
        judge.output().unwrap().out().contains('\u{1b}')
    };
    assert!(!is_coloured("run 6 1 2", &[]));
    assert!(is_coloured("run 6 1 2 --color always", &[]));
    assert!(is_coloured("--color always run 6 1 2", &["NO_COLOR"]), "an option overrides the environment");
    assert!(is_coloured("run 6 1 2", &["CLICOLOR_FORCE"]));
    assert!(!is_coloured("run 6 1 2", &["CLICOLOR_FORCE", "NO_COLOR"]));
    assert!(!is_coloured("run 6 1 2 --color never", &["CLICOLOR_FORCE"]));
}

/// Checks that the verdict and the reason come first. The statistics after them are dimmed. A narrow terminal shows
/// them on a separate line.
#[test]
fn statistics_come_last() {
    let coloured = judge("run 6 1 2 --opponent slow --color always", &[]);
    let (decision, statistics) = coloured.out().split_once(" \u{1b}[2m(").unwrap();
    let verdict = "\u{1b}[1m\u{1b}[32mWON\u{1b}[0m";
    let won = "6 1 2 as First against slow (seed 1): the opponent has no move left";
    assert_eq!(decision, format!("{verdict} {won}"));
    assert!(statistics.starts_with("5 moves in ") && statistics.contains(")\u{1b}[0m\n"), "{statistics}");
    for (columns, separator) in [(80, "\r\n    "), (300, " ")] {
        let typed =
            format!("stty rows 24 cols {columns}; exec {JUDGE} run 6 1 2 --opponent slow --color never");
        let (shown, _) = AtTerminal::run(&["sh", "-c", &typed], &[]).end();
        let expected = format!("the opponent has no move left{separator}(5 moves in ");
        assert!(shown.contains(&expected), "{columns}: {shown}");
    }
}

/// A bot that takes the first card, although the two middle cards would win, and then prints 0 0.
const BLUNDERS: &str = "read h; echo First; echo 1 1; read x; echo 0 0; read x";

#[test]
fn blunders_as_json() {
    let (lines, _) = games("6 1 2 --opponent perfect", &["sh", "-c", BLUNDERS]);
    assert_valid(&lines);
    let review =
        ["winner", "blunders", "opponent_blunders", "resigned_won"].map(|key| &lines[0]["review"][key]);
    let blunder = json!({"ply": 1, "move": [1, 1], "nimber": 4, "better": [3, 2]});
    assert_eq!(json!(review), json!(["First", [blunder], 0, false]));
    let fields = ["bot", "why", "advice", "command"].map(|key| &lines[0][key]);
    let advice = "print \"0 0\" only when the bot has no legal move left";
    let again = format!("judge run 6 1 2 --opponent perfect --seed 1 -- sh -c '{BLUNDERS}'");
    assert_eq!(json!(fields), json!([["sh", "-c", BLUNDERS], [], [advice], again]));
}

#[test]
fn a_command_that_is_not_utf_8() {
    let play = |args: &str| {
        let mut judge = command(args, &["sh", "-c", "exit 3", "x"]);
        judge.arg(std::ffi::OsStr::from_bytes(b"a\xff")).output().unwrap()
    };
    play("run 6 1 2").prints("    again: the command is not valid UTF-8 and cannot be shown\n");
    play("run 6 1 2 --json").prints(r#""command":null"#);
}
