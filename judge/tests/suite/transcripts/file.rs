//! Where a transcript is written: a file of one judge, a pipe, stdout.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::record;
use crate::support::{JUDGE, TestDir, command, is_alive, judge, reading, start, text, timeless};

/// A transcript has one writer: a second judge plays no game, and what the first writes stays whole.
#[test]
fn two_judges_do_not_share_a_transcript() {
    let dir = TestDir::new();
    let (file, here, go) = (dir.file("game.jsonl"), dir.fifo("here"), dir.fifo("go"));
    let run = format!("run 6 1 2 --opponent slow --time-limit 60 --transcript {file}");
    let bot = format!("read h; echo here > {here}; read x < {go}; echo First; echo 3 3; read x");
    let first = command(&run, &["sh", "-c", &bot]).stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    assert_eq!(std::fs::read_to_string(&here).unwrap(), "here\n");
    let second = judge(&run, &[]);
    std::fs::write(&go, "go\n").unwrap();
    assert_eq!(first.unwrap().wait().unwrap().code(), Some(1));
    assert_eq!((second.status.code(), text(&second.stdout)), (Some(2), ""));
    let error = text(&second.stderr);
    assert!(
        error.ends_with("another judge is writing to it; use a different file for each judge\n"),
        "{error}"
    );
    let replay = judge(&format!("replay {file}"), &[]);
    assert!(text(&replay.stdout).starts_with("ILLEGAL 6 1 2"), "{}", text(&replay.stdout));
    assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)));
    // When the first has ended the file is free, and as long as the second game.
    assert_eq!(judge(&run, &[]).status.code(), Some(0));
    assert_eq!(judge(&format!("replay {file}"), &[]).status.code(), Some(0));
}

/// If the reader of a transcript closes it, games are not recorded, and the exit code says so.
#[test]
fn a_transcript_that_nobody_reads_any_more() {
    let here = TestDir::new();
    let pipe = here.fifo("pipe");
    let args = format!("run 6 1 2 --games 2000 --json --transcript {pipe}");
    let judge = start(&mut command(&args, &["sh", "-c", "read h; echo First; echo 0 0"]));
    let mut line = String::new();
    BufReader::new(std::fs::File::open(&pipe).unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"transcript\":4"), "{line}");
    let output = judge.wait_with_output().unwrap();
    let error = text(&output.stderr);
    assert!(error.contains("the transcript cannot be written: Broken pipe"), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

/// A transcript on stdout leaves the report to stderr.
#[test]
fn a_transcript_on_stdout() {
    let output = judge("run 6 1 2 --opponent slow --transcript -", &[]);
    assert!(text(&output.stdout).starts_with("{\"transcript\":4,"));
    assert!(
        timeless(text(&output.stderr))
            .starts_with("WON 6 1 2 as First against slow (seed 1): the opponent has no move left (5 moves)")
    );
}

/// The drawing is written to stderr too.
#[test]
fn a_transcript_on_stdout_is_not_drawn_into() {
    let output = judge("run 6 1 2 --opponent slow --transcript - -v", &[]);
    let lines: Result<Vec<Value>, _> = text(&output.stdout).lines().map(serde_json::from_str).collect();
    assert!(lines.is_ok_and(|lines| lines.len() > 5), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("##xx##\n"), "{}", text(&output.stderr));
}

/// An older transcript stays until there is a game to write.
#[test]
fn a_bot_that_cannot_be_started_leaves_the_transcript() {
    let (_here, file, transcript) = record("6 1 2", &[]);
    let output = judge(&format!("run 6 1 2 --transcript {file}"), &["./nobot"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), transcript);
}

/// The limit on the size of files is an error like a full disk, and ends the bot.
#[test]
fn a_transcript_beyond_the_limit_on_sizes() {
    let here = TestDir::new();
    let file = here.file("game.jsonl");
    let script = "ulimit -f 8; exec \"$0\" run 6 1 2 --transcript \"$1\" -- \
        sh -c 'read h; echo $$ >\"$0\"; head -c 60000 /dev/zero >&2; exec sleep 100' \"$1.bot\"";
    let mut judge = Command::new("sh");
    judge.args(["-c", script, JUDGE]).arg(&file);
    let output = reading(&mut judge, b"");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(
        text(&output.stderr),
        "judge: the transcript cannot be written: File too large (os error 27)\n"
    );
    let bot = here.read("game.jsonl.bot");
    assert!(!is_alive(bot.trim()), "the bot lives on");
}
