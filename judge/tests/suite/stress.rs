//! `judge stress`: the search for a game that a bot does not win.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};

use rustix::process::Signal;
use serde_json::Value;
use zeroxor::GameKind;

use crate::support::schema::assert_valid;
use crate::support::{Printed, TestDir, command, judge, perfect_but, send, start};

/// Removes the times and the memory from the report of a game.
fn take_figures(report: &mut Value) {
    for figure in ["wall_ms", "cpu_ms", "memory_kib", "processes"] {
        report["passes"][0]["seats"][0][figure].take();
    }
    for figure in ["waited_ms", "slowest_ms", "slowest_ply"] {
        report["review"][figure].take();
    }
}

/// Returns the reports of a search that the bundled bot wins, by game number.
fn reports(args: &str) -> BTreeMap<u64, Value> {
    let reports = judge(&format!("stress --family segment --json {args}"), &[]).exits(0).says("").json();
    assert_valid(&reports);
    let mut games = BTreeMap::new();
    for mut report in reports {
        take_figures(&mut report);
        let index = report["index"].as_u64().unwrap();
        assert!(games.insert(index, report).is_none(), "game {index} twice");
    }
    games
}

/// Checks that the bundled bot wins every game of a search in every family, with and without sessions.
fn assert_the_bundled_bot_wins_all(games: u32, sessions: u32) {
    let kinds = GameKind::all().map(GameKind::name);
    for family in kinds.chain(["sum", "misere"]) {
        let output = judge(&format!("stress --family {family} --games {games} --max-n 300"), &[]);
        output
            .exits(0)
            .says("")
            .begins(&format!("the bundled bot: {games} of {games} games won; {games} played in "));
        let extreme = output.out().lines().find_map(|line| line.strip_prefix("largest start: "));
        assert!(extreme.is_some_and(|start| start.contains("300")), "{family}: {}", output.out());
        judge(&format!("stress --family {family} --games {sessions} --max-n 1 --session"), &[])
            .begins(&format!("the bundled bot: {sessions} of {sessions} games won"));
    }
}

#[test]
fn the_bundled_bot_wins_all() {
    assert_the_bundled_bot_wins_all(40, 20);
}

#[test]
#[ignore = "plays several thousand games"]
fn the_bundled_bot_wins_many() {
    assert_the_bundled_bot_wins_all(400, 100);
}

#[test]
fn the_same_games_at_any_number_of_jobs() {
    let search = |jobs: u32, seed: u64| reports(&format!("--games 60 --seed {seed} --jobs {jobs}"));
    let games = search(1, 3);
    assert_eq!(games.keys().copied().collect::<Vec<_>>(), (0..60).collect::<Vec<_>>());
    assert_eq!(games[&8]["game"], "2 1 1");
    assert_eq!(games, search(4, 3));
    assert_ne!(games, search(1, 4));
}

/// Checks that a search that ends before its first game is not a success.
#[test]
fn no_game_is_no_success() {
    let output = judge("stress --family segment --time 0.001", &[]);
    let (shown, code) = (output.out(), output.code());
    // A fast machine may play a game. In that case the search is a success.
    assert!(code == Some(2) || code == Some(0) && !shown.starts_with("0 of 0"), "{shown}");
}

/// Checks that `--keep` appends the smallest game that was not won, also after a line without its end, and that `judge
/// test` plays the games of the file.
#[test]
fn the_smallest_game_is_kept() {
    let here = TestDir::new();
    let file = here.write("failed.txt", "6 1 1   # by hand, without a line end");
    let fails_from = |n: u32| perfect_but(&format!("[ $1 -ge {n} ] && {{ echo third; exit; }};"));
    for n in [5, 3] {
        let output =
            judge(&format!("stress --family segment --jobs 1 --keep {file}"), &["sh", "-c", &fails_from(n)]);
        output.exits(1).says("");
    }
    let kept = here.read("failed.txt");
    let lines: Vec<&str> = kept.lines().collect();
    let is_kept = |line: &str, start: &str| line.starts_with(start) && line.ends_with("   # MALFORMED");
    assert!(lines.len() == 3 && is_kept(lines[1], "5 1 1 --") && is_kept(lines[2], "3 1 1 --"), "{kept}");
    judge(&format!("test {file}"), &["sh", "-c", &fails_from(4)])
        .exits(1)
        .prints("MALFORMED 5 1 1 ")
        .prints(": 1 of 3 games won");
    let missing = here.file("none/failed.txt");
    judge(&format!("stress --family segment --games 1 --keep {missing}"), &[]).refuses("");
}

#[test]
fn an_interrupt_while_a_failure_is_shrunk() {
    let dir = TestDir::new();
    let (count, here) = (dir.write("count", "0"), dir.fifo("here"));
    let bot = perfect_but(&format!(
        "c=$(cat {count}); echo $((c + 1)) > {count}; \
         case $c in 2) exit 3;; 3) echo here > {here}; sleep 15; exit;; esac;"
    ));
    let judge = start(&mut command("stress --family segment --jobs 1 --time-limit 60", &["sh", "-c", &bot]));
    assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
    send(Signal::INT, judge.id());
    let output = judge.wait_with_output().unwrap();
    let heading = "\nThe search was interrupted before game 2 was repeated:\n\nCRASHED 2000 2 2 against ";
    output
        .exits(2)
        .says("judge: the search was interrupted")
        .prints("\nnot won: 1 CRASHED\n")
        .prints(heading)
        .prints("\n    again: judge run 2000 2 2 ");
    assert!(!output.out().contains("FLAKY"), "{}", output.out());
}

/// Checks that a second signal ends the search and its bot.
#[test]
fn a_second_interrupt_ends_all() {
    let dir = TestDir::new();
    let here = dir.fifo("here");
    let bot = format!("exec 3> {here}; echo here >&3; sleep 15; echo alive >&3");
    let judge = start(&mut command("stress --family segment --jobs 1 --time-limit 60", &["sh", "-c", &bot]));
    let mut here = BufReader::new(File::open(&here).unwrap());
    let mut line = String::new();
    here.read_line(&mut line).unwrap();
    assert_eq!(line, "here\n");
    send(Signal::TERM, judge.id());
    send(Signal::INT, judge.id());
    judge.wait_with_output().unwrap().exits(130);
    let mut rest = String::new();
    here.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "", "the bot is still running");
}
