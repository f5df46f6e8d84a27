//! `judge play`, through a pipe.

mod games;
mod hints;
mod lines;
mod terminal;

use std::process::Stdio;

use crate::support::{command, judge_reading, reading, text};

/// The output for a person who types these lines, in a game that ends with success.
#[track_caller]
fn dialogue(args: &str, lines: &[u8]) -> String {
    let output = judge_reading(&format!("play {args}"), lines);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    text(&output.stdout).to_owned()
}

#[track_caller]
fn assert_dialogue(args: &str, lines: &str, expected: &str) {
    assert_eq!(dialogue(args, lines.as_bytes()), expected, "{args}");
}

const ENDED: &str = "\nThe input has ended, so the game ends too.\n";

/// No colour through a pipe, and none where `NO_COLOR` is set.
#[test]
fn colour() {
    let is_coloured = |variables: &[&str]| {
        let mut judge = command("play square 1 --players 2", &[]);
        judge.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        judge.envs(variables.iter().map(|variable| (variable, "1")));
        reading(&mut judge, b"2\n1\n").stdout.contains(&0x1b)
    };
    assert!(!is_coloured(&[]));
    assert!(is_coloured(&["CLICOLOR_FORCE"]), "so there is something to leave out");
    assert!(!is_coloured(&["CLICOLOR_FORCE", "NO_COLOR"]));
}

#[test]
fn wrong_usage_is_refused() {
    for (args, reason) in [
        ("6 2 1", "the header is malformed: expected L of at most R = 1, got \"2\" at column 3"),
        ("6 1 x", "the header is malformed: expected"),
        ("chess", "got \"chess\""),
        ("6 1 2 seat first", "expected a header without \"seat\", got \"segment 6 1 2 seat first\": "),
        ("--players 0", "expected a number from 1 to 2"),
        ("--players 3", "expected a number from 1 to 2"),
        ("--first --second", "'--first' cannot be used with '--second'"),
        (
            "--players 2 --first",
            "'--players 2' cannot be used with '--first', '--second', '--level' or '--seed'",
        ),
        ("--second --players 2", "'--players 2' cannot be used with '--first'"),
        ("--level easy --players 2", "there is no bot"),
        ("--seed 1 --players 2", "there is no bot"),
        ("--level hard", "[possible values: easy, normal, perfect]"),
    ] {
        let output = judge_reading(&format!("play {args}"), b"y\n");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args}");
        assert!(text(&output.stderr).contains(reason), "{args}: {}", text(&output.stderr));
    }
    // The side is named where one looks for it.
    let output = judge_reading("play 6 1 2 seat second", b"");
    assert!(text(&output.stderr).contains("--first or --second"), "{}", text(&output.stderr));
}

#[test]
fn a_reader_that_hangs_up_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut judge = command("play --players 2", &[]).stdout(writer).stdin(Stdio::null()).spawn().unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(0));
}
