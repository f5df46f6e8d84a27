//! The games of a search that one worker plays.

use anyhow::Context;

use crate::matches::turns::Turns;
use crate::matches::worker::Worker;
use crate::report::json::GameLine;
use referee::setup::GameSetup;

/// The report of a game.
pub(crate) struct Report {
    pub(crate) index: u64,
    /// The line of JSON that the worker wrote, and what it says.
    pub(crate) line: String,
    pub(crate) game: GameLine,
}

impl Report {
    fn read(index: u64, line: String) -> anyhow::Result<Self> {
        let game = serde_json::from_str(&line).context("a worker sent a report that cannot be read")?;
        Ok(Self { index, line, game })
    }
}

/// Plays the games that `next` returns, until there are no more or `done` returns that it needs no more reports.
pub(crate) fn play_all(
    mut worker: Worker,
    turns: &Turns,
    next: impl Fn() -> Option<(u64, GameSetup)>,
    done: impl Fn(anyhow::Result<Report>) -> bool,
) {
    while let Some((index, setup)) = next() {
        let play = |setup: &GameSetup| Report::read(index, worker.play(setup)?);
        if !done(turns.play(&setup, play, |report| report.game.doubtful)) {
            break;
        }
    }
}
