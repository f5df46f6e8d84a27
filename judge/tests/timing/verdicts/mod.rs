//! Bots that do not win, as real processes, and their verdicts.

mod ends;
mod idleness;
mod illegal_lines;
mod interrupts;
mod output;
mod processes;
mod time;

use crate::support::games;

/// The verdict of one game on 6 1 2, in which the bot is to say a side and then to move.
#[track_caller]
fn assert_verdict(bot: &[&str], verdict: &str, reason: &str) {
    let (games, code) = games("6 1 2 --time-limit 1 --opponent slow", bot);
    assert_eq!((games.len(), code), (1, i32::from(verdict != "WON")), "{games:?}");
    assert_eq!(games[0]["verdict"], verdict, "{}", games[0]);
    assert_eq!(games[0]["reason"], reason);
}

/// A bot that is a line of shell.
#[track_caller]
fn assert_shell(script: &str, verdict: &str, reason: &str) {
    assert_verdict(&["sh", "-c", script], verdict, reason);
}
