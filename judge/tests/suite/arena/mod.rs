//! Bots against each other, in `judge arena`: standings, broken rules, and files.

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{JUDGE, Printed, TestDir, command, judge, timeless};

mod resume;
#[cfg(target_os = "linux")]
mod seats;

fn arena(args: &str, bots: &[&str]) -> Command {
    let mut judge = command(&format!("arena {args}"), &[]);
    for bot in bots {
        judge.args(["--bot", bot]);
    }
    judge.stdin(Stdio::null());
    judge
}

fn played(args: &str, bots: &[&str]) -> Output {
    arena(args, bots).output().unwrap()
}

fn script(name: &str, script: &str) -> String {
    assert!(!script.contains('\''), "{script}");
    format!("{name}=sh -c '{script}'")
}

fn tables(output: &Output) -> String {
    timeless(output.out())
}

/// Parses JSON lines, and returns the games by number, without times and resources.
fn games(lines: &str) -> BTreeMap<u64, Value> {
    let mut games = BTreeMap::new();
    for line in lines.lines() {
        let mut game: Value = serde_json::from_str(line).unwrap();
        for seat in ["first", "second"] {
            for figure in ["slowest_ms", "cpu_ms", "memory_kib", "answer_times"] {
                game[seat][figure].take();
            }
        }
        let index = game["index"].as_u64().unwrap();
        assert!(games.insert(index, game).is_none(), "game {index} twice");
    }
    games
}

/// A bot whose first move is not legal in 6 1 2.
const ILLEGAL: &str =
    "read h; case $h in *first) echo First;; *) echo Second; read x;; esac; echo 5 3; read x";

#[test]
fn the_opponent_wins_after_a_violation() {
    let dir = TestDir::new();
    let last = dir.file("last");
    let illegal = script("illegal", ILLEGAL);
    let honest = script("honest", &format!("tee {last} | {JUDGE} bot"));
    // Play one game after the other, because both games write to the same file.
    let output = played("6 1 2 --pairs 1 --jobs 1 --json", &[&honest, &illegal]);
    output.exits(1);
    for (index, game) in self::games(output.out()) {
        assert_eq!(game["winner"], "honest", "{game}");
        let seats = if index == 0 { ["first", "second"] } else { ["second", "first"] };
        let [honest, illegal] = seats.map(|seat| &game[seat]);
        assert_eq!((&honest["verdict"], &illegal["verdict"]), (&"WON".into(), &"ILLEGAL".into()));
        assert_eq!(honest["reason"], "the opponent ended the game with ILLEGAL");
        let again = illegal["again"].as_str().unwrap();
        assert!(again.starts_with("judge run 6 1 2 seat ") && again.contains(" -- sh -c "), "{again}");
    }
    assert!(dir.read("last").ends_with("0 0\n"), "{}", dir.read("last"));
}

/// Checks that `judge replay` referees the transcripts of a run: one for each violation, or for each side of each game.
#[test]
fn transcripts_can_be_replayed() {
    let dir = TestDir::new();
    let illegal = script("illegal", ILLEGAL);
    for (all, expected) in [("", 4), (" --all-transcripts", 8)] {
        let folder = dir.file(&format!("transcripts{expected}"));
        played(&format!("6 1 2 --pairs 2 --transcripts {folder}{all}"), &["perfect", &illegal]).exits(1);
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), expected);
        for file in files {
            judge(&format!("replay {}", file.display()), &[]).says("").prints("against another bot");
        }
    }
}
