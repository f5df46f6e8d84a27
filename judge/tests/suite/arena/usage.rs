//! What is refused before a game is played, and files with starts and standings.

use super::{played, script};
use crate::support::{JUDGE, TestDir, text};

#[track_caller]
fn refused(args: &str, bots: &[&str], message: &str) {
    let output = played(args, bots);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args} {bots:?}");
    assert!(text(&output.stderr).contains(message), "{args} {bots:?}: {}", text(&output.stderr));
}

#[test]
fn bots_that_do_not_know_seats_are_named() {
    let contest = script("contest", "read n l r; echo First; read x");
    let crash = script("crash", "exit 1");
    refused("6 1 2", &[&contest, "perfect"], "the bot contest does not know assigned seats");
    refused(
        "6 1 2",
        &["perfect", &crash, &contest],
        "after \"6 1 2 seat second\" it should print \"Second\"",
    );
}

#[test]
fn what_cannot_be_played() {
    refused("", &[], "expected two bots or more");
    refused("", &["perfect"], "expected two bots or more, each with --bot NAME=COMMAND, got 1");
    refused("", &["perfect", "perfect"], "two bots have the name perfect");
    refused("", &["./bot", "perfect"], "expected NAME=COMMAND, as in a='python3 a.py', got \"./bot\"");
    refused("", &["b/t=./bot", "perfect"], "expected a name of 1 to 24 letters");
    refused("6 1 2 --family nim", &["perfect", "slow"], "cannot be used with");
    refused("6 1 2 --pairs -1", &["perfect", "slow"], "tip: no number is negative here");
    refused("", &["mine", "perfect"], "there is no bot \"mine\": expected NAME=COMMAND");
    refused("", &["a=./no-such-bot", "perfect"], "./no-such-bot could not be started: No such file");
    refused("--sprt 0,20", &["perfect", "slow", "random"], "--sprt compares two bots, got 3");
    refused("--sprt 20,0", &["perfect", "slow"], "expected ELO0,ELO1");
    refused("6 1 2 seat first", &["perfect", "slow"], "expected a header without a seat");
    refused("6 1", &["perfect", "slow"], "the header is malformed");
    refused("--max-n 1 --starts-kind won-by-second", &["perfect", "slow"], "is known to be won by Second");
    refused("--alpha 0.1", &["perfect", "slow"], "--sprt");
}

#[test]
fn starts_from_a_file() {
    let dir = TestDir::new();
    let file = dir.write("starts", "# two starts\n6 1 2\n\nnim 3 5\n");
    let output = played(&format!("--starts {file} --json"), &["perfect", "random"]);
    assert_eq!(text(&output.stderr), "");
    let games = super::games(text(&output.stdout));
    let starts: Vec<_> = games.values().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(starts, ["6 1 2", "6 1 2", "nim 3 5", "nim 3 5"]);
    dir.write("starts", "6 1 2\n6 1\n");
    refused(&format!("--starts {file}"), &["perfect", "random"], "starts line 2: expected three numbers");
    // Some editors put a mark before the text.
    dir.write("starts", "\u{feff}6 1 2\n");
    assert_eq!(played(&format!("--starts {file}"), &["perfect", "random"]).status.code(), Some(0));
    refused("--starts /dev/zero", &["perfect", "random"], "expected at most 67108864 bytes, got more");
    dir.write("starts", "# none\n");
    refused(&format!("--starts {file}"), &["perfect", "random"], "has no start");
}

#[test]
fn standings_as_csv() {
    let dir = TestDir::new();
    let file = dir.file("standings.csv");
    let output = played(&format!("nim 3 5 --pairs 4 --csv {file}"), &["slow", "perfect"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let csv = dir.read("standings.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    assert_eq!(rows[1][..4], ["1", "perfect", "8", "8"], "{csv}");
}

/// A bot that knows seats and no sessions is named before a game is played.
#[test]
fn bots_that_do_not_know_sessions_are_named() {
    let bot = script(
        "single",
        &format!("read h; case $h in games*) exit 1;; esac; (echo $h; exec cat) | {JUDGE} bot"),
    );
    let output = played("6 1 2 --pairs 1 --session", &[&bot, "perfect"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    let message = text(&output.stderr);
    assert!(message.contains("the bot single does not know sessions: before the first header"), "{message}");
    assert_eq!(played("6 1 2 --pairs 1", &[&bot, "perfect"]).status.code(), Some(0));
}

/// Transcripts of another run are not overwritten, and not mixed with those of this one.
#[test]
fn transcripts_of_another_run() {
    let dir = TestDir::new();
    let (folder, record) = (dir.file("transcripts"), dir.file("record.jsonl"));
    let args = format!("6 1 2 --pairs 1 --transcripts {folder} --all-transcripts");
    let bots = ["a=bundled", "perfect"];
    assert_eq!(played(&format!("{args} --record {record}"), &bots).status.code(), Some(0));
    let output = played(&format!("{args} --seed 2"), &bots);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    assert!(text(&output.stderr).contains("has files already: a run needs a new or an empty one"));
    let more = format!("{} --resume {record}", args.replace("--pairs 1", "--pairs 1 --jobs 1"));
    assert_eq!(played(&more, &bots).status.code(), Some(0), "the same run continues");
}

/// A bot by its name in `judge.toml`, and limits from there.
#[test]
fn bots_of_judge_toml() {
    let dir = TestDir::new();
    dir.write("judge.toml", format!("[limits]\ntime = \"50s\"\n[bots]\nmine = \"{JUDGE} bot\"\n"));
    let mut judge =
        super::arena("6 1 2 --pairs 1 --transcripts transcripts --all-transcripts", &["mine", "perfect"]);
    let output = judge.current_dir(dir.path()).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    assert!(text(&output.stdout).contains("mine against perfect"), "{}", text(&output.stdout));
    let transcript = dir.read("transcripts/0000000-mine.jsonl");
    assert!(transcript.contains(r#""cpu_ns":50000000000,"#), "{transcript}");
}
