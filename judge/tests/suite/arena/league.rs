//! Pairs of games for leagues of other programs.

use std::process::Output;

use serde_json::{Value, json};

use super::script;
use crate::support::{JUDGE, TestDir, command, text};

fn pair(format: &str, args: &str, bots: [&str; 2]) -> Output {
    let mut judge = command(&format!("match --format {format} {args}"), &[]);
    judge.args(bots).output().unwrap()
}

fn result(output: &Output) -> Value {
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_pair_is_won_even_or_lost() {
    let program = format!("'{JUDGE}' bot");
    let result = |bots| result(&pair("cgarena", "--seed -7 --max-n 20", bots));
    let even = result([&program, "perfect"]);
    assert_eq!((&even["ranks"], &even["errors"]), (&json!([0, 0]), &json!([0, 0])));
    assert_eq!(even["attributes"][0]["name"], "game", "{even}");
    let crashes = script("x", "exit 3");
    let crashes = crashes.strip_prefix("x=").unwrap();
    let won = result([&program, crashes]);
    assert_eq!((&won["ranks"], &won["errors"]), (&json!([0, 1]), &json!([0, 1])));
    let lost = result([crashes, "perfect"]);
    assert_eq!((&lost["ranks"], &lost["errors"]), (&json!([1, 0]), &json!([1, 0])));
}

/// One message, not one more of each host.
#[test]
fn a_bot_that_cannot_be_started() {
    let output = pair("cgarena", "", ["./no-such-bot", "./nor-this"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    let reason =
        "judge: the bot ./no-such-bot could not be started: No such file or directory (os error 2)\n";
    assert_eq!(text(&output.stderr), reason);
}

/// All that psyleague averages are numbers, and a seed gives the same pair again.
#[test]
fn a_pair_for_psyleague() {
    let args = "--seed 12 --family nim --max-n 30";
    let one = result(&pair("psyleague", args, ["random", "greedy"]));
    let other = result(&pair("psyleague", args, ["random", "greedy"]));
    assert_eq!(one["test_data"], other["test_data"]);
    assert_eq!(one["ranks"], other["ranks"]);
    for player in one["player_data"].as_array().unwrap() {
        assert!(player.as_object().unwrap().values().all(Value::is_number), "{player}");
    }
    assert_eq!(one["test_data"]["seed"], 12);
}

#[test]
fn both_games_are_recorded() {
    let dir = TestDir::new();
    let file = dir.file("pair.jsonl");
    let output = command(&format!("match --format cgarena --record {file} --start"), &[])
        .args(["nim 3 5", "random", "greedy"])
        .output()
        .unwrap();
    result(&output);
    let games = dir.read("pair.jsonl");
    let games: Vec<Value> = games.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (games.len(), &games[0]["game"], &games[1]["game"]),
        (2, &json!("nim 3 5"), &json!("nim 3 5"))
    );
    assert_eq!(games[0]["first"]["bot"], games[1]["second"]["bot"]);
}

#[test]
fn wrong_usage_prints_no_result() {
    for bots in [["no-such-program", "perfect"], ["", "perfect"], ["a 'b", "perfect"]] {
        let output = pair("cgarena", "", bots);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{bots:?}");
    }
}

/// A bot that does not know seats loses, and why is said beside the result.
#[test]
fn a_bot_without_seats() {
    let bot =
        script("x", &format!("read h; case $h in *seat*) exit 1;; esac; (echo $h; exec cat) | {JUDGE} bot"));
    let output = pair("cgarena", "--max-n 20", [bot.strip_prefix("x=").unwrap(), "perfect"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &printed["errors"]), (Some(0), &json!([1, 0])));
    assert!(text(&output.stderr).starts_with("judge: the bot A does not know assigned seats"));
}
