//! The processes that a bot starts are noticed and ended, and so is what its threads do.

use std::process::Stdio;

use rustix::process::Signal;

use super::{is_left, token, ways};
use crate::support::{await_that, command, compiled, games, judge, send, text};

/// A thread that makes the judge its tracer does not hide how the bot ends.
#[test]
fn a_traced_thread() {
    let Some(hostile) = compiled("processes.c") else { return };
    for way in ways() {
        let (games, _) = games(&format!("6 1 2 --opponent slow {way}"), &[&hostile.path, "traced"]);
        let reason = "the opponent has no move left, but then the bot exited with code 7";
        assert_eq!((&games[0]["verdict"], &games[0]["reason"]), (&"CRASHED".into(), &reason.into()), "{way}");
    }
}

/// Orphaned processes are reaped during the game.
#[test]
fn orphans_are_reaped() {
    let Some(hostile) = compiled("processes.c") else { return };
    let output = judge("run 6 1 2 --time-limit 60", &[&hostile.path, "zombies"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("    stderr: zombies: 0\n"), "{shown}");
}

/// A bot that starts its successor and ends, in a new session each time or in one, is ended in time, and its
/// CPU time is counted.
#[test]
fn chains_of_processes_end_with_their_game() {
    let Some(hostile) = compiled("processes.c") else { return };
    for way in ways() {
        for sessions in ["leave", "stay"] {
            let token = token(&format!("chains{way}-{sessions}"));
            let bot = [&hostile.path, "chains", "4", "100000", sessions, &token];
            let (games, _) =
                games(&format!("6 1 2 --time-limit 30 --wall-limit 0.5 --processes 4096 {way}"), &bot);
            assert_eq!(games[0]["verdict"], "TIME_WALL", "{}", games[0]);
            assert!(!is_left(&token), "{way} {sessions}");
        }
    }
}

/// No process of such a bot is left running, however often the judge is interrupted.
#[test]
fn a_second_interrupt_ends_chains() {
    let Some(hostile) = compiled("processes.c") else { return };
    for (round, sessions) in ["leave", "stay", "leave", "stay"].into_iter().enumerate() {
        let token = token(&format!("interrupted-{round}"));
        let bot = [&hostile.path, "chains", "4", "100000", sessions, &token];
        let mut run = command("run 6 1 2 --time-limit 1000 --processes 4096", &bot);
        let mut judge = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        await_that(|| is_left(&token));
        while judge.try_wait().unwrap().is_none() {
            send(Signal::INT, judge.id());
        }
        assert!(!is_left(&token), "{round}");
    }
}
