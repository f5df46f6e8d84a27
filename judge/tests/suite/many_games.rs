//! The statistics of games, several jobs, and all kinds of games.

use std::fs;

use serde_json::Value;

use crate::support::{AtTerminal, JUDGE, Printed, TestDir, judge};

/// Checks that the numbers in the last line of `--json` agree with the other lines.
#[test]
fn the_figures_as_json() {
    let crashes = ["sh", "-c", "read h; exit 3"];
    for (args, bot) in [("--opponent slow,perfect 7 1 2", &crashes[..]), ("--family segment", &[])] {
        let mut lines = judge(&format!("run --json --games 3 {args}"), bot).json();
        let summary = lines.pop().unwrap()["summary"][0].take();
        let slowest = |pointer: &str| {
            lines.iter().filter_map(|line| line.pointer(pointer)?.as_f64()).max_by(f64::total_cmp)
        };
        let maximum = |field: &str| summary[field]["max"].as_f64();
        assert_eq!(maximum("game_ms"), slowest("/passes/0/seats/0/wall_ms"), "{summary}");
        assert_eq!(maximum("answer_ms"), slowest("/review/slowest_ms"), "{summary}");
        let count = |pointer: &str| summary.pointer(pointer).and_then(Value::as_u64);
        let games = Some(lines.len() as u64);
        assert_eq!([count("/games"), count("/by_family/segment/games")], [games; 2], "{summary}");
        if !bot.is_empty() {
            assert_eq!([count("/won"), count("/verdicts/CRASHED")], [Some(0), Some(6)], "{summary}");
            let of_opponents = ["slow", "perfect"].map(|name| count(&format!("/by_opponent/{name}/games")));
            assert_eq!(of_opponents, [Some(3); 2], "{summary}");
        }
    }
}

#[test]
fn progress_is_shown() {
    let here = TestDir::new();
    let (log, go_on) = (here.write("log", ""), here.fifo("go-on"));
    // The third game waits until the test has seen the progress.
    let bot = here.write(
        "bot",
        format!("read h; echo >> {log}; [ $(wc -l < {log}) = 3 ] && read x < {go_on}; {{ echo \"$h\"; cat; }} | {JUDGE} bot"),
    );
    let judge = format!("{JUDGE} run 6 1 2 --games 3 --time-limit 60 -q -- sh {bot}");
    let mut terminal = AtTerminal::run(&["sh", "-c", &judge]);
    terminal.read_to("2/3 games");
    fs::write(&go_on, "\n").unwrap();
    let (shown, code) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
}

#[test]
fn a_bot_in_python() {
    let test = "test tests/data/inputs/all_games.txt --opponent perfect,random --session --time-limit 20";
    judge(test, &["python3", "tests/bots/definition.py"]).exits(0).prints(": 66 of 66 games won\n");
}

/// Checks that the verdict and the reason come first. The statistics after them are dimmed. A narrow terminal shows
/// them on a separate line.
#[test]
fn statistics_come_last() {
    let coloured = judge("run 6 1 2 --opponent slow --color always", &[]);
    let (decision, statistics) = coloured.out().split_once(" \u{1b}[2m(").unwrap();
    let verdict = "\u{1b}[32m\u{1b}[1mWON\u{1b}[0m";
    let won = "6 1 2 as First against slow (seed 1): the opponent has no move left";
    assert_eq!(decision, format!("{verdict} {won}"));
    assert!(statistics.starts_with("5 moves in ") && statistics.contains(")\u{1b}[0m\n"), "{statistics}");
    for (columns, separator) in [(80, "\r\n    "), (300, " ")] {
        let typed =
            format!("stty rows 24 cols {columns}; exec {JUDGE} run 6 1 2 --opponent slow --color never");
        let (shown, _) = AtTerminal::run(&["sh", "-c", &typed]).end();
        let expected = format!("the opponent has no move left{separator}(5 moves in ");
        assert!(shown.contains(&expected), "{columns}: {shown}");
    }
}
