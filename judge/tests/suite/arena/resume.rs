//! Interrupted runs that are resumed, and the tables of recorded games.

use std::fs;

use rustix::process::Signal;

use super::{arena, games, played, script, tables};
use crate::support::{JUDGE, Printed, TestDir, limited, send, start};

const BOTS: [&str; 3] = ["greedy", "random", "mirror"];
const ARGS: &str = "--family subtract --max-n 40 --pairs 8 --jobs 2";

#[test]
fn a_run_is_resumed_from_any_record() {
    let dir = TestDir::new();
    let file = dir.file("record.jsonl");
    let whole = tables(&played(&format!("{ARGS} --record {file}"), &BOTS));
    let record = dir.read("record.jsonl");
    let expected = games(&record);
    assert_eq!(expected.len(), 48);
    for cut in [0, 1, record.len() / 3, record.len() / 2, record.len() - 1, record.len()] {
        fs::write(&file, &record[..cut]).unwrap();
        let output = played(&format!("{ARGS} --record {file}"), &BOTS);
        output.exits(0).says("");
        assert_eq!(tables(&output), whole, "cut at {cut}");
        assert_eq!(games(&dir.read("record.jsonl")), expected, "cut at {cut}");
    }
    let rated = played(&format!("--rate {file} {file}"), &[]);
    assert_eq!(tables(&rated), whole, "a game that is recorded twice counts once");
    // A record that exceeds the limit on file sizes keeps only whole games. `ulimit -f` counts in units of 512 bytes.
    fs::remove_file(&file).unwrap();
    let output = limited("-f 16", &arena(&format!("{ARGS} --record {file}"), &BOTS)).output().unwrap();
    let record = dir.read("record.jsonl");
    assert!(record.len() > 4096 && record.ends_with("}\n"), "{record:?}");
    output.exits(2).says(&format!(
        "judge: the record {file} cannot be written: File too large (os error 27)\n\
         judge: the run ended after {} of 48 games; the same command continues it",
        record.lines().count()
    ));
    let resumed = played(&format!("{ARGS} --record {file}"), &BOTS);
    assert_eq!(tables(&resumed), whole);
    assert!(dir.read("record.jsonl").starts_with(&record));
}

/// Checks that a run that ended at a violation can be resumed. If the record lacks earlier games, as after a killed
/// judge, the resumed run plays these games.
#[test]
fn a_run_that_ended_at_a_violation_is_resumed() {
    let dir = TestDir::new();
    let file = dir.file("record.jsonl");
    let crashes = format!("read h; case $h in 5*) exit 3;; esac; {{ echo \"$h\"; cat; }} | {JUDGE} bot");
    let crashes = script("crashes", &crashes);
    let bots = [crashes.as_str(), "slow"];
    let starts = dir.write("starts", "6 1 2\n7 1 2\n5 1 2\n8 1 2\n");
    let args = format!("--starts {starts} --on-crash stop --jobs 1");
    let whole = tables(&played(&format!("{args} --record {file}"), &bots));
    assert!(whole.contains("game 4: CRASHED 5 1 2 as First"), "{whole}");
    let kept: String = dir.read("record.jsonl").split_inclusive('\n').skip(2).collect();
    fs::write(&file, kept).unwrap();
    let resumed = played(&format!("{args} --record {file}"), &bots);
    assert_eq!(tables(&resumed), whole);
    let recorded = games(&dir.read("record.jsonl"));
    assert!((0..5).all(|index| recorded.contains_key(&index)), "{:?}", recorded.keys());
}

/// Checks that no incomplete transcript stays, which the same command would refuse.
#[test]
fn a_run_whose_transcripts_cannot_be_written_is_begun_again() {
    let dir = TestDir::new();
    let (record, folder) = (dir.file("record.jsonl"), dir.file("transcripts"));
    let args = format!("6 1 2 --pairs 2 --record {record} --transcripts {folder} --all-transcripts");
    let bots = ["perfect", "random"];
    let output = limited("-f 1", &arena(&args, &bots)).output().unwrap();
    let file = format!("{folder}/0000000-perfect.jsonl");
    output
        .exits(2)
        .says(&format!("judge: the transcript {file} cannot be written: File too large (os error 27)"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    played(&args, &bots).exits(0).says("");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 8);
    // The files are looked at before the first game.
    played(&format!("6 1 2 --transcripts {record}"), &bots)
        .exits(2)
        .says(&format!("judge: the directory {record} cannot be created: File exists (os error 17)"));
}

#[test]
fn an_interrupted_run_says_how_to_continue() {
    let dir = TestDir::new();
    let (file, here) = (dir.file("record.jsonl"), dir.fifo("here"));
    // The bot reports its fifth game and waits in that game. The first two games are the check of the seats, so the
    // run has recorded two games.
    let count = dir.write("count", "0");
    let waits = format!(
        "c=$(($(cat {count}) + 1)); echo $c > {count}; if [ $c = 5 ]; then echo here > {here}; exec sleep 15; fi; \
         exec {JUDGE} bot"
    );
    let waits = script("waits", &waits);
    let bots = [waits.as_str(), "slow"];
    let args = "--max-n 20 --pairs 4 --jobs 1 --time-limit 60";
    let judge = start(&mut arena(&format!("{args} --record {file}"), &bots));
    assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
    send(Signal::INT, judge.id());
    judge
        .wait_with_output()
        .unwrap()
        .refuses("judge: the run ended after 2 of 8 games; the same command continues it\n");
    let resumed = played(&format!("{args} --record {file}"), &bots);
    resumed.exits(0).says("");
    assert_eq!(games(&dir.read("record.jsonl")).len(), 8);
    let unbroken = played(args, &["waits=bundled", "slow"]);
    assert_eq!(tables(&resumed), tables(&unbroken));
}

/// Checks that a record of another run is refused, and that a record to which another judge is writing is too.
#[test]
fn a_record_of_another_run() {
    let dir = TestDir::new();
    let (file, here, go) = (dir.file("record.jsonl"), dir.fifo("here"), dir.fifo("go"));
    let once = dir.write("once", "");
    let waits =
        format!("if [ -e {once} ]; then rm {once}; echo here > {here}; cat {go}; fi; exec {JUDGE} bot");
    let waits = script("waits", &waits);
    let bots = [waits.as_str(), "slow"];
    let args = format!("--max-n 20 --pairs 2 --jobs 1 --time-limit 60 --record {file}");
    let judge = start(&mut arena(&args, &bots));
    assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
    let message = format!("another process is writing to {file}: use a different file for each run");
    played(&args, &bots).refuses(&message);
    fs::write(&go, "").unwrap();
    judge.wait_with_output().unwrap().exits(0).says("");
    played(&format!("{args} --seed 2"), &bots)
        .refuses("use the same bots, options, starts and seed, or another file");
    assert_eq!(games(&dir.read("record.jsonl")).len(), 4);
}
