//! Bots that are too slow, and games whose time is in doubt.

use crate::support::{JUDGE, Printed, command, compiled, games, judge};

/// Checks that the report shows a small limit in milliseconds, and does not count CPU time used after a won game as the
/// time of a move. If the limit is so small that a program can reach it while it starts, the report does not name an
/// endless loop as a possible cause.
#[test]
fn a_limit_that_a_program_reaches_while_it_starts() {
    let compute = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done";
    let bot = format!("read h; {compute}; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; read x");
    let (won, _) = games("6 1 2 --time-limit 1ms --wall-limit 60 --opponent slow", &["sh", "-c", &bot]);
    let silent = format!("read h; {compute}; exec sleep 60");
    let (silent, _) = games("6 1 2 --time-limit 1ms --wall-limit 60", &["sh", "-c", &silent]);
    for game in [&won[0], &silent[0]] {
        assert_eq!(game["verdict"], "TIME_CPU", "{game}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.contains(" ms of CPU time; the limit is 1 ms"), "{game}");
        assert!(!game["why"].to_string().contains("is short"), "{game}");
    }
    let reason = won[0]["reason"].as_str().unwrap();
    if reason.ends_with("; the opponent has no move left") {
        let why = won[0]["why"][0].as_str().unwrap();
        let expected = "it had been used up by the end of the game; the slowest answer before that was ";
        assert!(why.starts_with(expected) && why.ends_with(" ms"), "{why}");
    }
}

/// Checks that the report names a move of the bot, and not the next one of the judge, if the bot is found to be above its
/// limit when its line is read.
#[test]
fn a_limit_that_is_noticed_with_a_line() {
    let bot = "read h; echo First; while i=0; do \
               while [ $i -lt 3000 ]; do i=$((i + 1)); done; echo 1 1; read x; done";
    let (games, _) =
        games("subtract 2001 take 1 --time-limit 0.2 --wall-limit 60 --opponent slow", &["sh", "-c", bot]);
    assert_eq!(games[0]["verdict"], "TIME_CPU", "{}", games[0]);
    let reason = games[0]["reason"].as_str().unwrap();
    let ply = reason.split(' ').nth(1).and_then(|ply| ply.parse::<u64>().ok());
    assert!(reason.starts_with("move ") && ply.is_some_and(|ply| !ply.is_multiple_of(2)), "{reason}");
}

/// Checks that a game that ended at the wall limit because the bot got no processor is played again, and that the
/// second result counts, in a search too. A replay gives the same report as the run. If several games are played at the
/// same time, each keeps its own page.
#[test]
fn a_game_whose_time_is_in_doubt_is_played_again() {
    let Some((here, bot)) = compiled("no_processor.c") else { return };
    let (file, pages) = (here.file("game.jsonl"), here.file("pages"));
    for (first, games, verdict, code, repeats) in [
        (here.file("first"), 1, "WON", 0, 1),
        ("always".to_owned(), 1, "TIME_WALL", 1, 1),
        // The transcript of several jobs has only the results that count.
        (here.file("first of two"), 2, "WON", 0, 0),
    ] {
        let run = format!("run 1 1 1 --games {games} --jobs {games} --wall-limit 1 --transcript {file}");
        let live = judge(&format!("{run} --html {pages} --html-all"), &[&bot, &first]);
        let shown = live.exits(code).says("").begins(verdict).out();
        let transcript = here.read("game.jsonl");
        let counts = ["\"transcript\":5", "\"repeat\":true"].map(|part| transcript.matches(part).count());
        assert_eq!(counts, [games + repeats, repeats]);
        let replay = judge(&format!("replay {file}"), &[]);
        assert_eq!(replay.exits(0).says("").out(), shown);
        for game in 1..=games {
            assert!(here.read(&format!("pages/game-{game}.html")).contains(&format!(">{verdict}</span>")));
        }
    }
    let stress = "stress --family segment --jobs 2 --games 4 --max-n 1 --wall-limit 1";
    let output = judge(stress, &[&bot, &here.file("first of a search")]);
    output.exits(0).prints(": 4 of 4 games won");
    assert!(!output.out().contains("FLAKY"), "{}", output.out());
}

/// Checks that the default wall limit of a repeated game is four times as long in an arena, too.
#[test]
fn a_game_of_an_arena_that_is_played_again() {
    let Some((here, bot)) = compiled("no_processor.c") else { return };
    let arena = "arena 1 1 1 --pairs 1 --jobs 1 --time-limit 0.1 --bot perfect --all-transcripts";
    // In the first two games, the judge checks that the bot supports assigned seats.
    let (starts, first) = (here.file("starts"), here.file("first"));
    let is_checked = format!("echo >> {starts}; [ $(wc -l < {starts}) -gt 2 ]");
    let script = format!("{is_checked} && exec {bot} {first}; exec {JUDGE} bot");
    let (bot, folder) = (format!("a=sh -c '{script}'"), here.file("transcripts"));
    command(arena, &[]).args(["--bot", &bot, "--transcripts", &folder]).output().unwrap().says("");
    let transcript = here.read("transcripts/0000000-a.jsonl");
    assert!(transcript.contains("\"repeat\":true"), "{transcript}");
    assert!(transcript.contains("\"wall_ns\":4800000000"), "{transcript}");
}

/// Checks that a bot that exits between two games of a session has won the first and not the second, no matter when the
/// judge notices the exit.
#[test]
fn the_end_of_a_session_between_games() {
    let script = "read t; read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; exit 0";
    for _ in 0..3 {
        let (lines, _) = games("6 1 2 --opponent slow --session --games 2", &["sh", "-c", script]);
        let verdicts: Vec<&str> = lines.iter().map(|game| game["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["WON", "EXITED_EARLY"], "{lines:?}");
    }
}
