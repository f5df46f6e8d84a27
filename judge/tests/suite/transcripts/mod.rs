//! Transcripts: what is recorded of a game, and its replay.

mod file;
mod memory;
mod page;
mod picture;
mod replay;
mod replay_against;
mod step;
mod terminal;

use serde_json::{Value, json};

use crate::support::{TestDir, judge, text};

/// The transcript of these games: its directory, its path, and its text.
fn record(args: &str, bot: &[&str]) -> (TestDir, String, String) {
    let here = TestDir::new();
    let file = here.file("game.jsonl");
    let output = judge(&format!("run {args} --transcript {file}"), bot);
    assert_eq!(text(&output.stderr), "");
    let transcript = here.read("game.jsonl");
    (here, file, transcript)
}

/// Prints two moves at once, the second before its turn, and a byte that is not UTF-8.
const EARLY: &str =
    "read h; echo First; printf 'a\\377b' >&2; printf '3 2\\n5 1\\n'; read x; read y; echo 6 1; read z";

#[test]
fn a_transcript_keeps_every_line_in_its_order() {
    let (_, _, transcript) = record("6 1 2 --opponent slow --seed 7", &["sh", "-c", EARLY]);
    let mut lines: Vec<Value> = transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let opening = lines.remove(0);
    assert_eq!(
        (&opening["transcript"], &opening["game"], &opening["seed"]),
        (&json!(4), &json!("6 1 2"), &json!(7))
    );
    assert_eq!(opening["bot"], json!(["sh", "-c", EARLY]));
    assert_eq!(opening["limits"]["memory_bytes"], 1024 << 20);
    let closing = lines.pop().unwrap();
    assert_eq!((&closing["verdict"], &closing["moves"]), (&json!("WON"), &json!(5)));
    let times: Vec<u64> = lines.iter().map(|line| line["ns"].as_u64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let lines_of = |event: &str| -> Vec<&str> {
        lines.iter().filter(|line| line["event"] == event).filter_map(|line| line["text"].as_str()).collect()
    };
    assert_eq!(lines_of("sent"), ["6 1 2\n", "1 1\n", "2 1\n", "0 0\n"]);
    assert_eq!(lines_of("received"), ["First\n", "3 2\n", "5 1\n", "6 1\n"]);
    let position = |text: &str| lines.iter().position(|line| line["text"] == text).unwrap();
    assert!(position("5 1\n") < position("1 1\n"), "it came before its turn");
    let stderr: String = lines.iter().filter_map(|line| line["hex"].as_str()).collect();
    assert_eq!(stderr, "61ff62");
}
