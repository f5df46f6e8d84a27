//! Runs that are broken off, and that the same command continues.

use std::fs;
use std::io::{BufRead, BufReader};

use rustix::process::Signal;

use super::{ARENA, ARENA_GAMES, STRESS, STRESS_GAMES, printed, run, with_options};
use crate::support::{JUDGE, TestDir, command, send, start, text, timeless};

fn lines(dir: &TestDir, name: &str) -> u64 {
    dir.read(name).lines().count() as u64
}

/// Wherever the file ends, the same command plays what is missing, and nothing twice.
#[test]
fn the_same_command_continues_from_any_point() {
    let dir = TestDir::new();
    let file = dir.file("run.jsonl");
    for (args, total) in [(ARENA, ARENA_GAMES), (STRESS, STRESS_GAMES)] {
        let args = format!("{args} --shard 2/3 --checkpoint {file}");
        let _ = fs::remove_file(&file);
        let whole = timeless(&printed(&run(&args), 0));
        let record = dir.read("run.jsonl");
        assert!(lines(&dir, "run.jsonl").abs_diff(total / 3) <= 2);
        for cut in [0, 1, record.len() / 2, record.len() - 1, record.len()] {
            fs::write(&file, &record[..cut]).unwrap();
            let output = run(&args);
            assert_eq!(
                (timeless(&printed(&output, 0)), text(&output.stderr)),
                (whole.clone(), ""),
                "cut at {cut}"
            );
            assert_eq!(lines(&dir, "run.jsonl"), record.lines().count() as u64, "cut at {cut}");
        }
    }
}

/// A judge that is killed in the middle, and one that is interrupted, which exits with 75: the same command ends the run.
#[test]
fn a_shard_that_is_killed_or_interrupted() {
    for (signal, code) in [(Signal::KILL, None), (Signal::TERM, Some(75)), (Signal::INT, Some(75))] {
        let dir = TestDir::new();
        let (file, here, count) = (dir.file("run.jsonl"), dir.fifo("here"), dir.write("count", "0"));
        // It tells of its third game, and waits in it. The check of the seats has two games.
        let bot = format!(
            "waits=sh -c 'c=$(($(cat {count}) + 1)); echo $c > {count}; \
             if [ $c = 5 ]; then echo here > {here}; exec sleep 60; fi; exec {JUDGE} bot'"
        );
        let args = "arena --max-n 20 --pairs 6 --jobs 1 --time-limit 60";
        let options = ["--bot", &bot, "--bot", "slow", "--shard", "1/2", "--checkpoint", &file];
        let start = || start(&mut with_options(args, &options));
        let judge = start();
        assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
        send(signal, judge.id());
        let output = judge.wait_with_output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), code, "{signal:?}: {message}");
        if code.is_some() {
            assert!(
                message.starts_with("judge: interrupted after 2 of 6 games; to continue: judge arena "),
                "{message}"
            );
            assert!(message.contains(&format!(" --shard 1/2 --checkpoint {file}")), "{message}");
        }
        // It waits for a killed judge that has not ended yet.
        let output = start().wait_with_output().unwrap();
        printed(&output, 0);
        assert_eq!((lines(&dir, "run.jsonl"), dir.read("count").trim()), (6, "11"), "{signal:?}");
    }
}

/// While a judge writes to the file, another one waits for it.
#[test]
fn two_judges_with_one_file() {
    let dir = TestDir::new();
    let (file, here, go) = (dir.file("run.jsonl"), dir.fifo("here"), dir.fifo("go"));
    let once = dir.write("once", "");
    let bot = format!(
        "waits=sh -c 'if [ -e {once} ]; then rm {once}; echo here > {here}; cat {go}; fi; exec {JUDGE} bot'"
    );
    let options = ["--bot", &bot, "--bot", "slow", "--checkpoint", &file];
    let start = || start(&mut with_options("arena --max-n 20 --pairs 2 --jobs 1 --time-limit 60", &options));
    let one = start();
    assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
    let resume = ["--bot", &bot, "--bot", "slow", "--resume", &file];
    let refused = with_options("arena --max-n 20 --pairs 2", &resume).output().unwrap();
    let message = super::complaint(&refused, 2);
    assert!(
        message.contains(&format!("another judge is writing to {file}: use a file for each run")),
        "{message}"
    );
    let mut other = start();
    let mut first = String::new();
    BufReader::new(other.stderr.as_mut().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, format!("judge: waiting for another process that is writing to {file}\n"));
    fs::write(&go, "").unwrap();
    let tables = [one, other].map(|judge| timeless(&printed(&judge.wait_with_output().unwrap(), 0)));
    assert_eq!(tables[0], tables[1]);
    assert_eq!(lines(&dir, "run.jsonl"), 4);
}

/// A search that ran out of time exits with 75 until it is done.
#[test]
fn a_search_without_time_is_unfinished() {
    let dir = TestDir::new();
    let (file, ready) = (dir.file("run.jsonl"), dir.file("ready"));
    let args = format!(
        "stress --family nim --max-n 20 --games 12 --keep-going --jobs 1 --time 0.3 --checkpoint {file} --time-limit 20"
    );
    // The first game takes longer than the search has.
    let script = format!(
        "read h; [ -e {ready} ] || {{ sleep 0.4; touch {ready}; }}; {{ echo \"$h\"; cat; }} | {JUDGE} bot"
    );
    let output = command(&args, &["sh", "-c", &script]).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(75), ""), "{message}");
    assert!(
        message.starts_with("judge: --time is over after 1 of 12 games; to continue: judge stress "),
        "{message}"
    );
    let mut codes = Vec::new();
    while codes.last() != Some(&Some(0)) {
        codes.push(command(&args, &["sh", "-c", &script]).output().unwrap().status.code());
        assert!(codes.len() < 100 && codes.iter().all(|code| matches!(code, Some(0 | 75))), "{codes:?}");
    }
    assert_eq!(lines(&dir, "run.jsonl"), 12);
}

/// A file of another run is not continued.
#[test]
fn a_checkpoint_of_another_run() {
    let dir = TestDir::new();
    let file = dir.file("run.jsonl");
    printed(&run(&format!("{ARENA} --checkpoint {file}")), 0);
    let before = dir.read("run.jsonl");
    let message = super::complaint(&run(&format!("{ARENA} --seed 9 --checkpoint {file}")), 2);
    assert!(message.contains("use the same bots, options, starts and seed"), "{message}");
    let message = super::complaint(&run(&format!("{STRESS} --checkpoint {file}")), 2);
    assert!(message.contains("line 1: expected a game of judge stress --json"), "{message}");
    assert_eq!(dir.read("run.jsonl"), before);
}
