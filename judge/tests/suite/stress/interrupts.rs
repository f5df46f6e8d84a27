//! Signals to a search and to its workers.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};

use rustix::process::Signal;

use crate::support::{JUDGE, TestDir, command, judge, perfect_but, send, start, text};

#[test]
fn an_interrupt_while_a_failure_is_shrunk() {
    let dir = TestDir::new();
    let (count, here) = (dir.file("count"), dir.fifo("here"));
    fs::write(&count, "0").unwrap();
    let bot = perfect_but(&format!(
        "c=$(cat {count}); echo $((c + 1)) > {count}; \
         case $c in 2) exit 3;; 3) echo here > {here}; sleep 15; exit;; esac;"
    ));
    let judge = start(&mut command("stress --jobs 1 --time-limit 60", &["sh", "-c", &bot]));
    assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
    send(Signal::INT, judge.id());
    let output = judge.wait_with_output().unwrap();
    let shown = text(&output.stdout);
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(2), "judge: the search was interrupted\n")
    );
    assert!(shown.contains("\nnot won: 1 CRASHED\n"), "{shown}");
    assert!(shown.contains("\ngame 2: CRASHED 2000 2 2 against "), "{shown}");
    assert!(shown.contains("\n    again: judge run 2000 2 2 ") && !shown.contains("FLAKY"), "{shown}");
}

/// A second signal ends the search, its workers and their bots.
#[test]
fn a_second_interrupt_ends_all() {
    let dir = TestDir::new();
    let here = dir.fifo("here");
    let bot = format!("exec 3> {here}; echo here >&3; sleep 15; echo alive >&3");
    let judge = start(&mut command("stress --jobs 1 --time-limit 60", &["sh", "-c", &bot]));
    let mut here = BufReader::new(File::open(&here).unwrap());
    let mut line = String::new();
    here.read_line(&mut line).unwrap();
    assert_eq!(line, "here\n");
    send(Signal::TERM, judge.id());
    send(Signal::INT, judge.id());
    assert_eq!(judge.wait_with_output().unwrap().status.code(), Some(130));
    let mut rest = String::new();
    here.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "", "the bot lives on");
}

/// A bot that kills the worker it plays against ends the search without a verdict, and the exit code says so.
#[test]
fn a_bot_that_ends_its_judge() {
    for name in ["TERM", "INT", "KILL"] {
        for jobs in [1, 2] {
            let bot = ["sh", "-c", &format!("kill -{name} $PPID; exec {JUDGE} bot")];
            let output = judge(&format!("stress --games 20 --jobs {jobs}"), &bot);
            let (shown, error) = (text(&output.stdout), text(&output.stderr));
            assert_eq!((output.status.code(), shown), (Some(2), ""), "{name}: {error}");
            let names_cause = error.contains("was not finished") || error.contains("ended early");
            assert!(names_cause && error.contains("without --sandbox a bot can"), "{name}: {error}");
        }
    }
}
