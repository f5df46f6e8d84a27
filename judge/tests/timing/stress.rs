//! The time of a search, and its progress.

use std::fs;

use crate::support::{AtTerminal, JUDGE, Printed, TestDir, judge, perfect_but};

/// Checks that a bot that is too slow for long rows fails its first game, and that no game begins after `--time`.
#[test]
fn a_bot_that_is_too_slow_for_long_rows() {
    let here = TestDir::new();
    let log = here.write("log", "");
    let bot = perfect_but(&format!("echo $h >> {log}; [ $1 -ge 1430 ] && exec sleep 60;"));
    // The idle limit is longer than `--time`, so the time is over after one game in which the bot does not answer.
    let output = judge(
        "stress --family segment --jobs 1 --time 1 --time-limit 60 --idle-limit 1.2",
        &["sh", "-c", &bot],
    );
    let shown = output.out();
    assert_eq!((output.code(), here.read("log").as_str()), (Some(1), "2000 1 1\n"), "{shown}");
    output.prints("\nnot won: 1 IDLE\nlargest start: 2000 1 1\n  size 2000: 1 game\n");
    let rest = "\nThere was no time left to repeat game 0. Allow more time with --time:\n\n\
                IDLE 2000 1 1 against perfect (seed 1): ";
    output.prints(rest).prints("\n    again: judge run 2000 1 1 ");
}

#[test]
fn progress_is_shown_while_a_failure_is_shrunk() {
    let here = TestDir::new();
    let (count, go_on) = (here.write("count", "0"), here.fifo("go-on"));
    // In the second game the bot waits until the test has seen the progress.
    let bot = here.write(
        "bot",
        format!("c=$(cat {count}); echo $((c + 1)) > {count}; [ $c = 1 ] && read x < {go_on}; exit 3"),
    );
    let judge = format!("{JUDGE} stress --family segment --jobs 1 --time-limit 60 -- sh {bot}");
    let mut terminal = AtTerminal::run(&["sh", "-c", &judge]);
    let before = terminal.read_to("shrinking game 0: 2000 1 1");
    fs::write(&go_on, "\n").unwrap();
    let (rest, code) = terminal.end();
    let shown = before + &rest;
    assert!(shown.contains("CRASHED") && code == Some(1), "{shown}");
    assert!(here.read("count").trim().parse::<u32>().unwrap() > 4);
}
