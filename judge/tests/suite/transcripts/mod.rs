//! Transcripts: what is recorded of a game, and its replay.

use serde_json::{Value, json};

use crate::support::{TestDir, assert_refuses, judge, text};

mod file;
mod memory;
mod page;
mod replay;
mod replay_against;
mod step;
mod terminal;

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

/// Every size of game is a small picture, and what a bot printed is text.
#[test]
fn a_game_is_one_picture() {
    let piles = format!("nim{}", " 700 1000000000000000000".repeat(1000));
    let rude: &[&str] = &["sh", "-c", "read h; echo First; echo 1 1; read x; echo '<b>'; read x"];
    for (game, bot, shown) in [
        ("6 1 2", rude, ">\n1. bot takes 1 at 1\n</text>"),
        ("6 1 2", rude, "expected a move"),
        ("2000 1 1", &[], ">\n1940 moves are not drawn\n</text>"),
        ("1000000000000000000 1 2", rude, "999999999999999999"),
        (&piles, rude, "1: 699"),
        ("4 1 2 + euclid 9 4", rude, "5: 9  6: 4"),
    ] {
        let (here, file, _) = record(&format!("{game} --opponent greedy --time-limit 20"), bot);
        let picture = here.file("game.svg");
        let output = judge(&format!("replay {file} --svg {picture}"), &[]);
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{shown}");
        let svg = here.read("game.svg");
        assert!(svg.contains(shown), "{shown}: {}", &svg[svg.len().saturating_sub(3000)..]);
        assert!(svg.len() < 100_000 && svg.ends_with("</svg>\n") && !svg.contains("<b>"), "{}", svg.len());
    }
}

#[test]
fn one_game_is_drawn() {
    let (here, file, _) = record("6 1 2 --games 2", &[]);
    let picture = here.file("game.svg");
    let refused = judge(&format!("replay {file} --svg {picture}"), &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("expected one game with --svg, got more: choose one with --game K")
    );
    assert!(!std::fs::exists(&picture).unwrap());
    // The report does not mix with the picture.
    let chosen = judge(&format!("replay {file} --svg - --game 2"), &[]);
    assert!(
        text(&chosen.stdout).starts_with("<!-- judge -->\n<svg ")
            && text(&chosen.stdout).ends_with("</svg>\n")
    );
    assert!(text(&chosen.stderr).contains("WON 6 1 2"), "{}", text(&chosen.stderr));
    assert_refuses("replay x --svg y --step", "cannot be used with");
}
