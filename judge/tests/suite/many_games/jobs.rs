//! Games that are played at the same time.

use std::fs::OpenOptions;
use std::io::Write;

use super::shown;
use crate::support::{AtTerminal, JUDGE, NO_CORPUS, TestDir, games, judge, text, timeless};

/// The results are those of one job, and in the same order.
#[test]
fn any_number_of_jobs_gives_the_same_results() {
    let args = "--games 6 --opponent random,slow --family segment,square,nim --seed 3";
    let alone = timeless(&shown(args, &[]).0);
    for jobs in [2, 5] {
        assert_eq!(timeless(&shown(&format!("{args} --jobs {jobs}"), &[]).0), alone, "{jobs} jobs");
    }
    let bot = ["sh", "-c", "read h; echo First; echo 1 2; read x; echo oops >&2; exit 4"];
    let alone = timeless(&shown("8 2 2 -n 3", &bot).0);
    assert!(
        alone.contains(
            "
    stderr: oops
"
        ),
        "{alone}"
    );
    assert_eq!(timeless(&shown("8 2 2 -n 3 -j 2", &bot).0), alone);
}

/// Results come in the order of the games, whichever ends first.
#[test]
fn results_are_in_the_order_of_the_starts() {
    let here = TestDir::new();
    // The game of seed 1 ends only after that of seed 2, which is played at the same time.
    let (first, end) = (games("--family nim", &[]).0[0]["game"].to_string(), here.fifo("end"));
    let bot = format!(
        "read h; case $h in {first}) read x < {end};; *) echo > {end};; esac; \
         {{ echo \"$h\"; cat; }} | {JUDGE} bot"
    );
    // Open here, so that a line in it stays until it is read.
    let _end = OpenOptions::new().read(true).write(true).open(&end).unwrap();
    let (games, code) = games("--games 2 --jobs 2 --time-limit 60 --family nim", &["sh", "-c", &bot]);
    let seeds: Vec<u64> = games.iter().map(|game| game["seed"].as_u64().unwrap()).collect();
    assert_eq!((seeds, code), (vec![1, 2], 0), "{games:?}");
}

/// Drawings and transcripts are written in order as well.
#[test]
fn drawings_and_transcripts_of_many_jobs() {
    let here = TestDir::new();
    let args = "--games 5 --family nim,segment --seed 4";
    assert_eq!(
        timeless(&shown(&format!("{args} -v --jobs 3"), &[]).0),
        timeless(&shown(&format!("{args} -v"), &[]).0)
    );
    let transcript = here.file("games.jsonl");
    let (report, _) = shown(&format!("{args} --jobs 3 --transcript {transcript}"), &[]);
    let replay = judge(&format!("replay {transcript}"), &[]);
    assert_eq!((text(&replay.stderr), text(&replay.stdout)), ("", report.as_str()));
}

/// A bot that kills the worker it plays against ends the games, and the exit code says so.
#[test]
fn a_bot_that_ends_its_worker() {
    let bot = ["sh", "-c", &format!("kill -KILL $PPID; exec {JUDGE} bot")];
    let output = judge("run 6 1 2 --games 9 --jobs 2", &bot);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{error}");
    assert!(error.contains("a worker ended early; without --sandbox a bot can end it"), "{error}");
}

#[test]
fn a_bot_that_cannot_be_started() {
    let output = judge("run 6 1 2 --games 9 --jobs 2", &["./no-such-bot"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the bot ./no-such-bot could not be started: No such file"));
}

/// A terminal shows how many games have been played.
#[test]
fn progress_is_shown() {
    let here = TestDir::new();
    let (log, go_on) = (here.write("log", ""), here.fifo("go-on"));
    // The third game waits until the progress has been seen.
    let bot = here.write(
        "bot",
        format!("read h; echo >> {log}; [ $(wc -l < {log}) = 3 ] && read x < {go_on}; {{ echo \"$h\"; cat; }} | {JUDGE} bot"),
    );
    let judge = format!("{JUDGE} run 6 1 2 --games 3 --time-limit 60 -q -- sh {bot}");
    let mut terminal = AtTerminal::run(&["sh", "-c", &judge], &[NO_CORPUS]);
    terminal.read_to("2/3 games");
    let mut go_on = OpenOptions::new().read(true).write(true).open(&go_on).unwrap();
    go_on.write_all(b"\n").unwrap();
    let (shown, code) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
}
