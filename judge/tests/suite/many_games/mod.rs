//! `judge run` with many games: their summary, several at a time, and several bots.

mod bots;
mod jobs;

use std::process::Command;

use serde_json::Value;

use crate::support::{JUDGE, NO_CORPUS, json_lines, judge, text, timeless};

/// What `judge run` prints, and its exit code. Nothing is printed on stderr.
#[track_caller]
fn shown(args: &str, bot: &[&str]) -> (String, i32) {
    let output = judge(&format!("run {args}"), bot);
    assert_eq!(text(&output.stderr), "", "{args}");
    (text(&output.stdout).to_owned(), output.status.code().unwrap())
}

/// A bot that plays perfectly, but exits at a row of 7 cards.
const WITHOUT_SEVEN: &str = "read h; set -- $h; [ $1 = 7 ] && exit 3; { echo \"$h\"; cat; } | ";

fn without_seven() -> String {
    format!("{WITHOUT_SEVEN}{JUDGE} bot")
}

/// A table with a row for all games, for each opponent and for each family.
#[test]
fn a_table_follows_several_games() {
    let (output, code) = shown("--games 4 --opponent perfect,slow,perfect --family nim,segment", &[]);
    let summary = output.split_once("the bundled bot: ").unwrap().1;
    let expected = "\
8 of 8 games won

                            ms for an answer                 ms for a game
           won      p50    p95    p99    max      p50    p95    p99    max
all games 8/8
perfect 4/4
slow 4/4
nim 4/4
segment 4/4

slowest start
";
    assert_eq!((timeless(summary).as_str(), code), (expected, 0), "{output}");
    let opponents: Vec<&str> = output
        .lines()
        .take(4)
        .map(|line| if line.contains("against slow") { "slow" } else { "perfect" })
        .collect();
    assert_eq!(opponents, ["perfect", "slow", "perfect", "slow"]);
}

/// No table below one game, in a quiet report, or where only the summary is asked for.
#[test]
fn one_game_and_quiet_games_have_no_table() {
    for args in ["7 1 2", "7 1 2 --games 3 -q"] {
        let (output, code) = shown(args, &["sh", "-c", &without_seven()]);
        assert!(!output.contains("p50") && !output.contains("slowest start"), "{output}");
        assert_eq!(code, 1, "{output}");
    }
    assert_eq!(shown("6 1 2 --games 3 -q --jobs 2", &[]), (String::new(), 0));
}

/// The command of the slowest start plays it again.
#[test]
fn the_slowest_start_can_be_repeated() {
    let (output, _) = shown("7 1 2 --games 2 --seed 5 --opponent slow", &["sh", "-c", &without_seven()]);
    assert!(output.contains(": 0 of 2 games won; not won: 2 CRASHED\n"), "{output}");
    let slowest = output.lines().find(|line| line.starts_with("slowest start (")).unwrap();
    let command = slowest.split_once(" ms): judge ").unwrap().1;
    let again =
        Command::new("sh").args(["-c", &format!("{JUDGE} {command}")]).envs([NO_CORPUS]).output().unwrap();
    let again = text(&again.stdout);
    assert!(again.starts_with("CRASHED 7 1 2 against slow (seed "), "{again}");
}

/// The last line of --json has the figures that the other lines give.
#[test]
fn the_figures_as_json() {
    let bot = without_seven();
    let output = judge("run --json --games 3 --opponent slow,perfect 7 1 2", &["sh", "-c", &bot]);
    let mut lines = json_lines(&output.stdout);
    let summary = lines.pop().unwrap();
    let [bot] = summary["summary"].as_array().unwrap().as_slice() else { panic!("{summary}") };
    assert_eq!((&bot["games"], &bot["won"], &bot["verdicts"]["CRASHED"]), (&6.into(), &0.into(), &6.into()));
    assert_eq!(bot["answer_ms"], Value::Null, "it gave no answer");
    let mut times: Vec<f64> = lines.iter().map(|line| line["wall_ms"].as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    assert_eq!(
        (bot["game_ms"]["p50"].as_f64(), bot["game_ms"]["max"].as_f64()),
        (Some(times[2]), Some(times[5]))
    );
    assert_eq!(bot["slowest"]["ms"].as_f64(), Some(times[5]));
    for group in [&bot["by_opponent"]["slow"], &bot["by_opponent"]["perfect"]] {
        assert_eq!(group["games"], 3);
    }
    assert_eq!(bot["by_family"]["segment"]["games"], 6);
    // The bundled bot answers, and its slowest answer is the slowest of all games.
    let output = judge("run --json --games 3", &[]);
    let mut lines = json_lines(&output.stdout);
    let summary = lines.pop().unwrap();
    let slowest = lines.iter().map(|line| line["slowest_ms"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(summary["summary"][0]["answer_ms"]["max"].as_f64(), Some(slowest));
}
