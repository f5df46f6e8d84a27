//! The runner of several games, played one after the other and reported as they end.

use std::process::ExitCode;

use super::session::BotSession;
use crate::process::interrupt::interrupted;
use crate::referee::setup::GameSetup;
use crate::referee::spectator::Spectator;
use crate::referee::verdict::Verdict;
use crate::report::Reporter;

/// A runner that plays games against a bot and reports them.
pub(crate) struct MatchRunner<R> {
    session: BotSession,
    reporter: R,
    status: MatchStatus,
}

/// How the games have ended so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MatchStatus {
    AllWon,
    NotAllWon,
    /// The judge could not continue.
    Stopped,
}

impl<R: Reporter> MatchRunner<R> {
    pub(crate) fn new(session: BotSession, reporter: R) -> Self {
        Self { session, reporter, status: MatchStatus::AllWon }
    }

    /// Plays one game, or none if the judge could not continue after an earlier one.
    ///
    /// # Errors
    ///
    /// If the game cannot be played, see [`BotSession::play_alone`], or cannot be reported.
    pub(crate) fn play(&mut self, setup: GameSetup, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
        if interrupted() {
            self.status = MatchStatus::Stopped;
        }
        if self.status == MatchStatus::Stopped {
            return Ok(());
        }
        let game = self.session.play_alone(setup, spectator)?;
        match game.result.verdict {
            Verdict::Won => {}
            Verdict::JudgeError | Verdict::Interrupted => self.status = MatchStatus::Stopped,
            _ => self.status = MatchStatus::NotAllWon,
        }
        self.reporter.game(&game)
    }

    /// Whether the bot has won all games so far.
    pub(crate) fn all_won(&self) -> bool {
        self.status == MatchStatus::AllWon
    }

    /// Whether the judge could not continue.
    pub(crate) fn is_stopped(&self) -> bool {
        self.status == MatchStatus::Stopped
    }

    /// Reports the summary of all games, and returns the exit code.
    ///
    /// # Errors
    ///
    /// If the summary cannot be written.
    pub(crate) fn end(mut self) -> anyhow::Result<ExitCode> {
        self.reporter.summary()?;
        Ok(match self.status {
            MatchStatus::AllWon => ExitCode::SUCCESS,
            MatchStatus::NotAllWon => ExitCode::FAILURE,
            MatchStatus::Stopped => ExitCode::from(2),
        })
    }
}
