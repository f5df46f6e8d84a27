//! What is printed of a game: as JSON, drawn, in colour, or nothing.

use crate::support::{AtTerminal, JUDGE, assert_refused, command, games, judge, text, timeless};

#[test]
fn json_has_every_field() {
    let (games, _) = games("6 1 2 --seed 5 --opponent random", &[]);
    let fields: Vec<&String> = games[0].as_object().unwrap().keys().collect();
    let expected = [
        "blunders",
        "bot",
        "cpu_ms",
        "doubtful",
        "excused",
        "game",
        "limits",
        "memory_kib",
        "moves",
        "opponent",
        "opponent_blunders",
        "reason",
        "resigned_won",
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
WON 6 1 2 as First against slow (seed 1): the opponent has no move left (5 moves)
the bundled bot: 1 of 1 game won
"
    );
}

/// Colour is used only on terminals, unless an option asks for it; `NO_COLOR` is respected.
#[test]
fn colour_when_it_is_wanted() {
    let is_coloured = |args: &str, vars: &[&str]| {
        let mut judge = command(args, &[]);
        judge.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(vars.iter().map(|var| (*var, "1")));
        text(&judge.output().unwrap().stdout).contains('\u{1b}')
    };
    assert!(!is_coloured("run 6 1 2", &[]));
    assert!(is_coloured("run 6 1 2 --color always", &[]));
    assert!(is_coloured("--color always run 6 1 2", &["NO_COLOR"]), "what is typed goes first");
    assert!(is_coloured("run 6 1 2", &["CLICOLOR_FORCE"]));
    assert!(!is_coloured("run 6 1 2", &["CLICOLOR_FORCE", "NO_COLOR"]));
    assert!(!is_coloured("run 6 1 2 --color never", &["CLICOLOR_FORCE"]));
}

#[test]
fn quiet_runs() {
    let won = judge("run 6 1 2 -q --games 3", &[]);
    assert_eq!((won.status.code(), text(&won.stdout), text(&won.stderr)), (Some(0), "", ""));
    // Wins the games of which the first card is all.
    let bot = ["sh", "-c", "read n l r; echo First; echo 1 1; read x y; [ $x = 0 ]"];
    let output = judge("run 1 1 1 -q", &bot);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), ""));
    let lost = judge("run 6 1 2 -q --games 2", &bot);
    let message = text(&lost.stdout);
    assert_eq!((lost.status.code(), message.matches("CRASHED").count()), (Some(1), 2), "{message}");
    assert!(message.ends_with("0 of 2 games won\n"), "{message}");
    assert_refused("run 6 1 2 -q -v", &[], "cannot be used with");
    assert_refused("run 6 1 2 -q --json", &[], "cannot be used with");
}

/// Verdict and reason come first, and the statistics after them are dimmed; in a narrow terminal they have a line of
/// their own.
#[test]
fn statistics_come_last() {
    let coloured = judge("run 6 1 2 --opponent slow --color always", &[]);
    let (decision, statistics) = text(&coloured.stdout).split_once(" \u{1b}[2m(").unwrap();
    let verdict = "\u{1b}[1m\u{1b}[32mWON\u{1b}[0m";
    assert_eq!(
        decision,
        format!("{verdict} 6 1 2 as First against slow (seed 1): the opponent has no move left")
    );
    assert!(statistics.starts_with("5 moves in ") && statistics.contains(")\u{1b}[0m\n"), "{statistics}");
    for (columns, separator) in [(80, "\r\n    "), (300, " ")] {
        let typed =
            format!("stty rows 24 cols {columns}; exec {JUDGE} run 6 1 2 --opponent slow --color never");
        let (shown, _) = AtTerminal::run(&["sh", "-c", &typed], &[]).end();
        let expected = format!("the opponent has no move left{separator}(5 moves in ");
        assert!(shown.contains(&expected), "{columns}: {shown}");
    }
}
