//! `grundy sweep`: every game of a family, once.

mod atlas;
mod runs;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{assert_refuses, json_lines, judge, text};

/// The lines of a sweep by the numbers of their games, none twice.
#[track_caller]
fn by_number(lines: &str) -> BTreeMap<u64, Value> {
    let mut games = BTreeMap::new();
    for line in json_lines(lines.as_bytes()) {
        let index = line["index"].as_u64().unwrap();
        assert!(games.insert(index, line).is_none(), "game {index} is there twice");
    }
    games
}

/// The lines that a sweep prints, and its exit code.
#[track_caller]
fn sweep(args: &str) -> (BTreeMap<u64, Value>, Option<i32>) {
    let output = judge(&format!("sweep {args}"), &[]);
    assert_eq!(text(&output.stderr), "", "{args}");
    (by_number(text(&output.stdout)), output.status.code())
}

/// The line of a game.
#[track_caller]
fn line<'a>(games: &'a BTreeMap<u64, Value>, game: &str) -> &'a Value {
    games.values().find(|line| line["game"] == game).unwrap_or_else(|| panic!("no {game}"))
}

#[test]
fn windows() {
    let (games, code) = sweep("segment --l 1..6 --r 1..6 --to 3000");
    assert_eq!((games.len(), code), (16, Some(0)));
    let kayles = line(&games, "segment 1 2");
    assert_eq!(
        (&kayles["status"], &kayles["period"], &kayles["pre_period"]),
        (&"solved".into(), &12.into(), &71.into())
    );
    assert_eq!(
        (&kayles["n"], &kayles["largest"], &kayles["largest_at"]),
        (&167.into(), &8.into(), &27.into())
    );
    assert_eq!((&kayles["rares"], &kayles["last_rare"]), (&10.into(), &70.into()));
    assert_eq!(kayles["cousins"][1], "segment 3 4 at 3n");
    let open = line(&games, "segment 1 3");
    assert_eq!((&open["status"], &open["n"], &open["period"]), (&"open".into(), &3000.into(), &Value::Null));
    assert_eq!((&open["least_period_not_excluded"], &open["rares"]), (&4.into(), &478.into()));
}

/// The findings do not depend on the number of jobs.
#[test]
fn jobs_and_shards() {
    let args = "octal --digits 2 --to 400";
    let (all, code) = sweep(&format!("{args} --jobs 1"));
    assert_eq!(code, Some(0));
    assert_eq!(all.keys().copied().collect::<Vec<_>>(), (0..all.len() as u64).collect::<Vec<_>>());
    assert!(all.values().all(|line| line["games"] == all.len()));
    assert_eq!(sweep(&format!("{args} --jobs 7")).0, all);
    let mut shards = BTreeMap::new();
    for shard in 1..=3 {
        let (games, _) = sweep(&format!("{args} --shard {shard}/3"));
        assert!(games.len().abs_diff(all.len() / 3) <= 1);
        for (index, line) in games {
            assert!(shards.insert(index, line).is_none(), "{index} is in two shards");
        }
    }
    assert_eq!(shards, all);
}

#[test]
fn subtraction_sets() {
    let (games, code) = sweep("subtract --max 5");
    assert_eq!(code, Some(0));
    assert!(games.values().all(|line| line["status"] == "solved"));
    let set = line(&games, "subtract take 1 3 4");
    assert_eq!((&set["period"], &set["pre_period"], &set["largest"]), (&7.into(), &0.into(), &3.into()));
    let table = judge("table subtract take 1 3 4 --to 50 --period", &[]);
    assert!(text(&table.stdout).contains("period: 7 from n = 0 on"), "{}", text(&table.stdout));
}

/// A game that takes too long is stopped, says how far it went, and does not stop the others.
#[test]
fn games_beyond_their_limits() {
    let (games, code) = sweep("segment --l 3 --r 3..5 --to 1e6 --time-limit 20ms");
    assert_eq!((games.len(), code), (3, Some(1)));
    let hard = line(&games, "segment 3 3");
    let n = hard["n"].as_u64().unwrap();
    assert!(hard["status"] == "stopped" && (8000..1_000_000).contains(&n), "{hard}");
    assert!(hard["stopped_by"].as_str().unwrap().contains("steps, and the limit is 20000000"), "{hard}");
    // The same each time.
    assert_eq!(sweep("segment --l 3 --r 3..5 --to 1e6 --time-limit 20ms").0, games);
    let (games, code) = sweep("octal --digits 1 --to 1e6 --memory-limit 1M");
    assert_eq!(code, Some(1));
    let open = line(&games, "octal 0.6");
    assert!(open["stopped_by"].as_str().unwrap().contains("bytes, and the limit is 1048576"), "{open}");
    assert!((50_000..200_000).contains(&open["n"].as_u64().unwrap()), "{open}");
    assert_eq!(line(&games, "octal 0.7")["status"], "solved");
}

/// A game whose first values exceed the limits has a line that says so, and the other games are searched.
#[test]
fn a_game_without_values() {
    let (games, code) = sweep("octal 0.77 0.f --to 1e6 --time-limit 1ms");
    assert_eq!((games.len(), code), (2, Some(1)));
    assert_eq!(line(&games, "octal 0.77")["status"], "solved");
    let hard = line(&games, "octal 0.f");
    assert_eq!((&hard["status"], &hard["n"], &hard["largest"]), (&"stopped".into(), &0.into(), &0.into()));
    assert!(hard["stopped_by"].as_str().unwrap().contains("steps, and the limit is 1000000"), "{hard}");
}

/// Limits that allow neither a table nor the first values one after the other.
#[test]
fn limits_below_a_step() {
    for limit in ["5ms", "8ms", "10ms", "15ms", "20ms", "40ms"] {
        let (games, code) = sweep(&format!("octal 0.104 --to 1e6 --time-limit {limit}"));
        let game = line(&games, "octal 0.104");
        assert_eq!((games.len(), code, &game["status"]), (1, Some(1), &"stopped".into()), "{limit}");
        assert!((1000..1_000_000).contains(&game["n"].as_u64().unwrap()), "{limit}: {game}");
    }
}

/// Codes by their names, equal ones as one game, with little memory.
#[test]
fn some_codes() {
    let (games, code) = sweep("octal 4.045 0.56 0.07 0.137 --to 1e6 --memory-limit 80M");
    assert_eq!((games.len(), code), (3, Some(0)));
    let open = line(&games, "octal 4.045");
    assert_eq!(
        (&open["status"], &open["n"], &open["rares"]),
        (&"open".into(), &1_000_000.into(), &34.into())
    );
    let solved = line(&games, "octal 0.56");
    assert_eq!((&solved["period"], &solved["pre_period"]), (&144.into(), &326_640.into()));
    assert_eq!(line(&games, "octal 0.07")["cousins"][0], "0.137 at n-1");
    assert_eq!(open["sweep"], "octal 4.045 0.56 0.07 0.137");
}

/// Codes whose moves leave three heaps are searched as well: one that repeats, and one whose nimbers grow for ever.
#[test]
fn codes_that_leave_three_heaps() {
    let (games, _) = sweep("octal 0.f 0.8 --to 1000");
    let [repeats, grows] = ["octal 0.f", "octal 0.8"].map(|game| line(&games, game));
    assert_eq!(
        (&repeats["status"], &repeats["period"], &repeats["n"]),
        (&"solved".into(), &2.into(), &6.into())
    );
    assert_eq!(
        (&grows["status"], &grows["period"], &grows["saltus"], &grows["n"]),
        (&"solved".into(), &3.into(), &1.into(), &1000.into())
    );
}

/// However a code is written and how often, the sweep is the same.
#[test]
fn a_code_is_named_once() {
    let (once, _) = sweep("octal 0.77 0.7 --to 100");
    let (often, _) = sweep("octal 0.77 .77 0.7 0.770 --to 100");
    let [once, often] = [&once, &often].map(|games| line(games, "octal 0.77"));
    assert_eq!((&once["sweep"], &once["run"]), (&"octal 0.77 0.7".into(), &often["run"]));
    assert_eq!(once["sweep"], often["sweep"]);
}

#[test]
fn what_is_no_sweep() {
    assert_refuses("sweep octal 0.7 0.x", "0.x");
    assert_refuses("sweep octal 0.7 --digits 2", "cannot be used with");
    assert_refuses(
        "sweep segment --l 5..9 --r 1..4",
        "expected windows with L <= R, got --l 5..9 and --r 1..4",
    );
    assert_refuses("sweep segment --l 0..4", "expected a range such as 1..64");
    assert_refuses("sweep segment --l 4..2", "expected a range such as 1..64");
    assert_refuses("sweep segment --l 1..9..", "expected a range such as 1..64");
    assert_refuses(
        "sweep segment --l 1..100000 --r 1..100000",
        "windows, got 10000000000: narrow --l or --r",
    );
    assert_refuses("sweep octal --digits 9", "expected a number from 1 to 5");
    assert_refuses("sweep subtract --max 40", "expected a number from 1 to 18");
    assert_refuses("sweep subtract --to 5", "unexpected argument '--to'");
    assert_refuses("sweep octal --to 1e12", "expected a number from 1 to 1073741824");
    assert_refuses("sweep octal --digits 1 --shard 4/3", "shards are numbered from 1 to 3, got 4");
    assert_refuses("sweep octal --digits 1 --output /no/such/file", "cannot be opened");
    assert_refuses("sweep octal --digits 1 --skip-solved /no/such/file", "/no/such/file cannot be opened");
    assert_refuses("sweep octal --digits 1 --skip-solved docs/tables.md", "expected a game of grundy sweep");
}
