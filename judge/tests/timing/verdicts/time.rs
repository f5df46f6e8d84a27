//! The limits on CPU time and wall time, and games whose time is in doubt.

use serde_json::{Value, json};

use crate::support::{TestDir, compiled, games, is_linux, json_lines, judge, text};

/// By default a bot that computes reaches its limit on CPU time long before its wall limit.
#[test]
fn the_wall_limit_is_larger_than_the_limit_on_cpu_time() {
    for (options, limits) in [
        ("", json!([2_000_000_000_u64, 5_000_000_000_u64, 2_000_000_000_u64])),
        ("--time-limit 0.5", json!([500_000_000, 2_000_000_000, 500_000_000])),
        ("--time-limit 9 --wall-limit 3", json!([9_000_000_000_u64, 3_000_000_000_u64, 3_000_000_000_u64])),
    ] {
        let output = judge(&format!("run 6 1 2 --transcript - {options}"), &[]);
        let set_up: Value = json_lines(&output.stdout).remove(0);
        let recorded = ["cpu_ns", "wall_ns", "idle_ns"].map(|name| &set_up["limits"][name]);
        assert_eq!(json!(recorded), limits, "{options}");
    }
}

/// CPU time is judged first, also when the wall limit has been reached as well.
#[test]
fn cpu_time_is_judged_first() {
    if !is_linux() {
        return;
    }
    let busy = ["sh", "-c", "read h; while :; do :; done"];
    let (game, _) = games("6 1 2 --time-limit 0.3 --wall-limit 60", &busy);
    let reason = game[0]["reason"].as_str().unwrap();
    assert_eq!(game[0]["verdict"], "TIME_CPU", "{reason}");
    assert!(reason.starts_with("no First or Second was received: time limit exceeded: 0.3"), "{reason}");
    assert!(reason.ends_with(" s of CPU, the limit is 0.3 s"), "{reason}");
}

/// Of a small limit the report has milliseconds. What is used when the game has been won belongs to no move, and how long
/// a program takes to start does not show that it searches.
#[test]
fn a_limit_that_is_smaller_than_the_start_of_a_program() {
    if !is_linux() {
        return;
    }
    let compute = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done";
    let bot = format!("read h; {compute}; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; read x");
    let (won, _) = games("6 1 2 --time-limit 1ms --wall-limit 60 --opponent slow", &["sh", "-c", &bot]);
    let silent = format!("read h; {compute}; exec sleep 60");
    let (silent, _) = games("6 1 2 --time-limit 1ms --wall-limit 60", &["sh", "-c", &silent]);
    for game in [&won[0], &silent[0]] {
        assert_eq!(game["verdict"], "TIME_CPU", "{game}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.contains(" ms of CPU, the limit is 1 ms"), "{game}");
        assert!(!game["why"].to_string().contains("is short"), "{game}");
    }
    let reason = won[0]["reason"].as_str().unwrap();
    if reason.ends_with("; the opponent has no move left") {
        let why = won[0]["why"][0].as_str().unwrap();
        let expected = "it had been used up by the end of the game; the slowest answer before that was ";
        assert!(why.starts_with(expected) && why.ends_with(" ms"), "{why}");
    }
    let long = "read h; while :; do :; done";
    let (long, _) = games("6 1 2 --time-limit 0.5 --wall-limit 60", &["sh", "-c", long]);
    let expected = "a row of 6 is short: perhaps a loop or a recursion does not end";
    assert_eq!(long[0]["why"][1], expected, "{}", long[0]);
}

/// A game that ended at the wall limit, though the bot got no processor, is played again, and the second result counts.
/// A replay reports what the run reported.
#[test]
fn a_game_whose_time_is_in_doubt_is_played_again() {
    if !is_linux() {
        return;
    }
    let Some(bot) = compiled("no_processor.c") else { return };
    let here = TestDir::new();
    let marker = here.file("first");
    for (first, verdict, code) in [(marker.as_str(), "WON", 0), ("always", "TIME_WALL", 1)] {
        let file = here.file("game.jsonl");
        let run = format!("run 1 1 1 --wall-limit 1 --transcript {file}");
        let live = judge(&run, &[&bot.path, first]);
        let shown = text(&live.stdout);
        assert!(shown.starts_with(verdict) && shown.contains(" of 1 game won"), "{shown}");
        assert_eq!((live.status.code(), text(&live.stderr)), (Some(code), ""), "{shown}");
        let transcript = here.read("game.jsonl");
        assert_eq!(
            (transcript.matches("\"transcript\":4").count(), transcript.matches("\"repeat\":true").count()),
            (2, 1)
        );
        let replay = judge(&format!("replay {file}"), &[]);
        assert_eq!((text(&replay.stdout), text(&replay.stderr)), (shown, ""));
        assert_eq!(replay.status.code(), Some(0));
    }
}

/// Nor is the wall limit believed before the bot has had four times as long.
#[test]
fn a_repeated_game_has_a_larger_wall_limit() {
    if !is_linux() {
        return;
    }
    let Some(bot) = compiled("no_processor.c") else { return };
    let here = TestDir::new();
    let file = here.file("game.jsonl");
    let options = format!("run 1 1 1 -v --time-limit 0.3 --transcript {file}");
    let output = judge(&options, &[&bot.path, &here.file("first")]);
    let walls: Vec<Value> = json_lines(here.read("game.jsonl").as_bytes())
        .into_iter()
        .filter_map(|line| line.get("limits").map(|limits| limits["wall_ns"].clone()))
        .collect();
    assert_eq!(walls, [json!(1_600_000_000_u64), json!(6_400_000_000_u64)]);
    let once_more = "; once more:\n      start             #\n";
    assert!(text(&output.stdout).contains(once_more), "{}", text(&output.stdout));
}

/// In a search the game is played again while no other is played, and the failure is not called flaky.
#[test]
fn a_search_plays_a_doubtful_game_again() {
    if !is_linux() {
        return;
    }
    let Some(bot) = compiled("no_processor.c") else { return };
    let here = TestDir::new();
    let stress = "stress --jobs 2 --games 4 --max-n 1 --wall-limit 1";
    let output = judge(stress, &[&bot.path, &here.file("first")]);
    let shown = text(&output.stdout);
    assert!(shown.contains(": 4 of 4 games won") && !shown.contains("FLAKY"), "{shown}");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
