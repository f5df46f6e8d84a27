//! `judge stress`: the search for a game that a bot does not win.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};

use rustix::process::Signal;
use zeroxor::GameKind;

use crate::support::{Printed, TestDir, command, judge, perfect_but, send, start};

/// Checks that the bundled bot wins every game of a search in every family, with and without sessions.
fn assert_the_bundled_bot_wins_all(games: u32, sessions: u32, max_n: u32) {
    let kinds = GameKind::all().map(GameKind::name);
    for family in kinds.chain(["sum", "misere"]) {
        let output = judge(&format!("stress --family {family} --games {games} --max-n {max_n}"), &[]);
        output
            .exits(0)
            .says("")
            .begins(&format!("the bundled bot: {games} of {games} games won; {games} played in "));
        let extreme = output.out().lines().find_map(|line| line.strip_prefix("largest start: "));
        assert!(
            extreme.is_some_and(|start| start.contains(&max_n.to_string())),
            "{family}: {}",
            output.out()
        );
        judge(&format!("stress --family {family} --games {sessions} --max-n 1 --session"), &[])
            .begins(&format!("the bundled bot: {sessions} of {sessions} games won"));
    }
}

#[test]
fn the_bundled_bot_wins_all() {
    assert_the_bundled_bot_wins_all(4, 2, 50);
}

#[test]
#[ignore = "plays several thousand games"]
fn the_bundled_bot_wins_many() {
    assert_the_bundled_bot_wins_all(400, 100, 300);
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

#[test]
fn a_second_interrupt_ends_all() {
    let dir = TestDir::new();
    let here = dir.fifo("here");
    let bot = format!("exec 3> {here}; echo here >&3; sleep 15; echo alive >&3");
    let judge = start(&mut command("stress --family segment --jobs 1 --time-limit 60", &["sh", "-c", &bot]));
    let mut lines = BufReader::new(File::open(&here).unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().as_deref(), Some("here"));
    send(Signal::TERM, judge.id());
    send(Signal::INT, judge.id());
    judge.wait_with_output().unwrap().exits(130);
    assert_eq!(lines.next(), None, "the bot is still running");
}
