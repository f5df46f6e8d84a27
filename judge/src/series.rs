//! Several games against the same bot, one after the other.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use zeroxor::{Table, protocol};

use crate::conversation::{Game, Spectator};
use crate::player::opponent::{Kind, Opponent};
use crate::player::process::Process;
use crate::report::{Record, Reporter};
use crate::verdict::Verdict;

/// Plays games, a new process of the bot for each, and reports them.
pub(crate) struct Series<R> {
    bot: Vec<OsString>,
    time_limit: Duration,
    reporter: R,
    state: State,
}

/// What has become of the games so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    AllWon,
    NotAllWon,
    /// The judge could not go on.
    Stopped,
}

impl<R: Reporter> Series<R> {
    pub(crate) fn new(bot: Vec<OsString>, time_limit: Duration, reporter: R) -> Self {
        Self { bot, time_limit, reporter, state: State::AllWon }
    }

    /// Plays one game; none once the judge could not go on.
    pub(crate) fn play(
        &mut self,
        game: &str,
        opponent: Kind,
        seed: u64,
        spectator: &mut dyn Spectator,
    ) -> anyhow::Result<()> {
        if self.state == State::Stopped {
            return Ok(());
        }
        let header = protocol::parse_header(game.as_bytes()).context("the header is malformed")?;
        Table::open(&header.parts).context("the header sets up no game")?;
        let mut bot = Process::spawn(&self.bot)?;
        let opening = Game {
            words: game,
            header: &header,
            opponent: Opponent::new(opponent, seed),
            time_limit: self.time_limit,
        };
        let outcome = opening.play(&mut bot, spectator)?;
        match outcome.verdict {
            Verdict::Won => {}
            Verdict::JudgeError | Verdict::Interrupted => self.state = State::Stopped,
            _ => self.state = State::NotAllWon,
        }
        self.reporter.game(&Record { game, opponent, seed, outcome })
    }

    /// Whether the judge could not go on.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state == State::Stopped
    }

    /// Sums the games up.
    pub(crate) fn end(mut self) -> anyhow::Result<ExitCode> {
        self.reporter.summary()?;
        Ok(match self.state {
            State::AllWon => ExitCode::SUCCESS,
            State::NotAllWon => ExitCode::FAILURE,
            State::Stopped => ExitCode::from(2),
        })
    }
}
