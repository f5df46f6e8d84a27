//! Transcripts of any size are read in little memory.

use std::process::Command;

use super::{EARLY, record};
use crate::support::{JUDGE, is_linux, judge_reading, reading, text};

/// A game is never in memory as a whole.
#[test]
fn a_replay_needs_little_memory() {
    if !is_linux() {
        return;
    }
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let (opening, rest) = transcript.split_once('\n').unwrap();
    let noise = format!("{{\"ns\":0,\"event\":\"stderr\",\"text\":\"{}\"}}\n", "a".repeat(1 << 20));
    let large = format!("{opening}\n{}{rest}", noise.repeat(400));
    for args in ["replay -", "replay - --against -- \"$0\" bot"] {
        // Each thread reserves some 70 MB that it does not use.
        let script = format!("ulimit -v 300000; exec \"$0\" {args}");
        let mut judge = Command::new("sh");
        let replay = reading(judge.args(["-c", &script, JUDGE]), large.as_bytes());
        assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)), "{args}");
    }
}

/// A line with more values than any game has is refused before they are kept.
#[test]
fn a_long_line_needs_little_memory() {
    if !is_linux() {
        return;
    }
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let (opening, rest) = transcript.split_once('\n').unwrap();
    let many = format!(",\"more\":[{}{{}}]}}", "{\"a\":0},".repeat(4_700_000));
    let larger = |line: &str| format!("{}{many}\n", line.strip_suffix('}').unwrap());
    for (damaged, message) in [
        (larger(opening), "line 1: expected the set-up of a game, got \"{"),
        (
            format!("{opening}\n{}", larger("{\"ns\":0,\"event\":\"closed\"}")),
            "line 2: expected a line of at most 4194304 bytes, got more",
        ),
        (
            format!("{opening}\n{{\"ns\":0,\"event\":\"closed\",\"x\":[{}0]}}\n{rest}", "0,".repeat(99)),
            "expected at most 64 values, got more",
        ),
    ] {
        let script = "ulimit -v 300000; exec \"$0\" replay -";
        let replay = reading(Command::new("sh").args(["-c", script, JUDGE]), damaged.as_bytes());
        let error = text(&replay.stderr);
        assert!(error.contains(message) && error.len() < 1000, "{message}: {error}");
        assert_eq!(replay.status.code(), Some(2), "{message}");
    }
}

/// More early lines than any judge reads are refused.
#[test]
fn a_flood_of_early_lines_is_refused() {
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let (opening, _) = transcript.split_once('\n').unwrap();
    let flood = "{\"ns\":0,\"event\":\"received\",\"text\":\"\"}\n".repeat(2_100_000);
    let replay = judge_reading("replay -", format!("{opening}\n{flood}").as_bytes());
    let error = text(&replay.stderr);
    assert!(error.contains("lines that were received early"), "{error}");
    assert_eq!(replay.status.code(), Some(2));
}
