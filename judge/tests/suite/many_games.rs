//! Many games: the statistics, several jobs, several bots, and all kinds of games.

use std::fs::OpenOptions;
use std::io::Write;

use serde_json::Value;

use crate::support::{
    AtTerminal, JUDGE, Printed, TestDir, command, games, has_python, judge, names_in, timeless,
};

/// Returns the stdout of `judge run`, and its exit code. Checks that stderr is empty.
#[track_caller]
fn shown(args: &str, bot: &[&str]) -> (String, i32) {
    let output = judge(&format!("run {args}"), bot);
    output.says("");
    (output.out().to_owned(), output.code().unwrap())
}

/// Checks that the numbers in the last line of `--json` agree with the other lines.
#[test]
fn the_figures_as_json() {
    let output = judge("run --json --games 3 --opponent slow,perfect 7 1 2", &["sh", "-c", "read h; exit 3"]);
    let mut lines = output.json();
    let summary = lines.pop().unwrap();
    let [bot] = summary["summary"].as_array().unwrap().as_slice() else { panic!("{summary}") };
    assert_eq!((&bot["games"], &bot["won"], &bot["verdicts"]["CRASHED"]), (&6.into(), &0.into(), &6.into()));
    assert_eq!(bot["answer_ms"], Value::Null, "it gave no answer");
    let mut times: Vec<f64> =
        lines.iter().map(|line| line["passes"][0]["seats"][0]["wall_ms"].as_f64().unwrap()).collect();
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
    // Without a command the bundled bot plays. Its slowest answer is the slowest answer of all games.
    let output = judge("run --json --family segment --games 3", &[]);
    let mut lines = output.json();
    let summary = lines.pop().unwrap();
    let slowest = lines.iter().map(|line| line["review"]["slowest_ms"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(summary["summary"][0]["answer_ms"]["max"].as_f64(), Some(slowest));
}

/// Checks that the bot's stderr of each game is written to a separate file.
#[test]
fn stderr_of_several_bots_and_opponents() {
    let here = TestDir::new();
    let (bot, folder) =
        (here.write("bot.sh", format!("echo here >&2; exec {JUDGE} bot")), here.file("stderr"));
    let run = |args: &str| {
        let args = args.split(' ').map(|word| word.replace('_', " "));
        command("run 6 1 2 --stderr", &[]).arg(&folder).args(args).output().unwrap().exits(0).says("");
    };
    run(&format!("--bot a=sh_{bot} --bot b=sh_{bot} --seed 7"));
    run(&format!("--opponent perfect,slow -- sh {bot}"));
    let files = names_in(folder);
    assert_eq!(files, ["a-seed-7.txt", "b-seed-7.txt", "seed-1-2.txt", "seed-1.txt"]);
    assert!(files.iter().all(|file| here.read(&format!("stderr/{file}")) == "here\n"));
}

/// Checks that results are printed in the order of the games, even if a later game ends first.
#[test]
fn results_are_in_the_order_of_the_starts() {
    let here = TestDir::new();
    // The game of seed 1 ends only after the game of seed 2, which is played at the same time.
    let (first, end) = (games("--family nim", &[]).0[0]["game"].to_string(), here.fifo("end"));
    let bot = format!(
        "read h; case $h in {first}) read x < {end};; *) echo > {end};; esac; \
         {{ echo \"$h\"; cat; }} | {JUDGE} bot"
    );
    // The test keeps the pipe open, so that a line in the pipe stays until a bot reads it.
    let _end = OpenOptions::new().read(true).write(true).open(&end).unwrap();
    let (games, code) = games("--games 2 --jobs 2 --time-limit 60 --family nim", &["sh", "-c", &bot]);
    let seeds: Vec<u64> = games.iter().map(|game| game["seed"].as_u64().unwrap()).collect();
    assert_eq!((seeds, code), (vec![1, 2], 0), "{games:?}");
}

/// Checks that drawings and transcripts of several jobs are written in the order of the games.
#[test]
fn drawings_and_transcripts_of_many_jobs() {
    let here = TestDir::new();
    let args = "--games 5 --family nim,segment --seed 4";
    assert_eq!(
        timeless(&shown(&format!("{args} -v --jobs 3"), &[]).0),
        timeless(&shown(&format!("{args} -v"), &[]).0)
    );
    let transcript = here.file("games.jsonl");
    let (report, _) = shown(&format!("{args} --jobs 3 --transcript {transcript}"), &[]);
    let replay = judge(&format!("replay {transcript}"), &[]);
    assert_eq!((replay.err(), replay.out()), ("", report.as_str()));
}

/// Checks that a terminal shows how many games have been played.
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
    let mut terminal = AtTerminal::run(&["sh", "-c", &judge], &[]);
    terminal.read_to("2/3 games");
    let mut go_on = OpenOptions::new().read(true).write(true).open(&go_on).unwrap();
    go_on.write_all(b"\n").unwrap();
    let (shown, code) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
}

/// A bot in Python that plays by the slow definition wins starts of all kinds of games.
#[test]
fn a_bot_in_python() {
    if has_python() {
        let test = "test tests/data/inputs/all_games.txt --opponent perfect,random --session --time-limit 20";
        judge(test, &["python3", "tests/bots/definition.py"]).exits(0).prints(": 66 of 66 games won\n");
    }
}
