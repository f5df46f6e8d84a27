//! Knockouts and Swiss tournaments.

use std::fs;

use super::{games, played, tables};
use crate::support::{TestDir, text};

const BOTS: [&str; 5] = ["greedy", "random", "perfect", "mirror", "slow"];

/// The rounds depend on results, and still the games and the tables are the same at any number of jobs, from any record, and
/// when they are computed again.
#[test]
fn rounds_are_the_same_however_they_are_played() {
    for (format, count) in [("knockout", 4 * 8), ("swiss", 3 * 2 * 8)] {
        let dir = TestDir::new();
        let file = dir.file("record.jsonl");
        let args = format!("--family nim --max-n 30 --pairs 4 --format {format}");
        let whole = played(&format!("{args} --jobs 1 --record {file}"), &BOTS);
        assert_eq!((whole.status.code(), text(&whole.stderr)), (Some(0), ""), "{format}");
        let record = dir.read("record.jsonl");
        let expected = games(&record);
        assert_eq!(expected.len(), count, "{format}");
        let parallel = played(&format!("{args} --jobs 8 --json"), &BOTS);
        let without_command = |mut games: std::collections::BTreeMap<u64, serde_json::Value>| {
            for game in games.values_mut() {
                game["command"].take();
            }
            games
        };
        assert_eq!(
            without_command(games(text(&parallel.stdout))),
            without_command(expected.clone()),
            "{format}"
        );
        for cut in [1, record.len() / 3, 2 * record.len() / 3, record.len()] {
            fs::write(&file, &record[..cut]).unwrap();
            let resumed = played(&format!("{args} --jobs 3 --resume {file}"), &BOTS);
            assert_eq!(tables(&resumed), tables(&whole), "{format} cut at {cut}");
            assert_eq!(without_command(games(&dir.read("record.jsonl"))), without_command(expected.clone()));
        }
        assert_eq!(tables(&played(&format!("--rate {file}"), &[])), tables(&whole), "{format}");
    }
}

/// In a knockout the bot that never gives a won position away continues even if it wins no more games.
#[test]
fn a_knockout_has_a_winner() {
    let output = played("--family nim --max-n 30 --pairs 6 --format knockout", &BOTS);
    let shown = text(&output.stdout);
    assert!(shown.contains("\nround 1 of 3, games won\n"), "{shown}");
    assert!(shown.contains("\nperfect has won the knockout\n"), "{shown}");
}

#[test]
fn a_swiss_tournament_has_points() {
    let output = played("--family nim --max-n 30 --pairs 6 --format swiss", &BOTS);
    let shown = text(&output.stdout);
    let points = shown.split("\npoints and games won\n").nth(1).unwrap();
    assert!(points.starts_with("  perfect      3 "), "{shown}");
}

/// Most bots that a test machine plays at once: each has a host and a process.
#[test]
fn sixty_four_bots_play_a_knockout() {
    let names: Vec<String> = (0..64).map(|number| format!("b{number}=random")).collect();
    let bots: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = played("nim 3 4 --pairs 1 --jobs 2 --format knockout", &bots);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let shown = text(&output.stdout);
    assert_eq!(shown.matches(", games won\n").count(), 6, "{shown}");
    assert!(shown.contains(" has won the knockout\n"), "{shown}");
}

#[test]
fn what_rounds_do_not_allow_is_refused() {
    for (args, expected) in [
        ("--format swiss --shard 1/2", "which decide who meets in the next round: use --format round-robin"),
        ("--format knockout --shard 2/2", "which decide who meets in the next round"),
        ("--format swiss --rounds 4", "5 bots play 3 rounds at most, so that none meet twice"),
        ("--format knockout --rounds 2", "--rounds is for --format swiss"),
    ] {
        let output = played(args, &BOTS);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args}");
        assert!(text(&output.stderr).contains(expected), "{args}: {}", text(&output.stderr));
    }
    let output = played("--format knockout --sprt 0,20", &["greedy", "random"]);
    assert!(text(&output.stderr).contains("--sprt tests two bots"), "{}", text(&output.stderr));
}
