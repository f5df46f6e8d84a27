//! The runner of several games, played one after the other and reported as they end.

use std::process::ExitCode;

use super::match_report::MatchReport;
use super::session::BotSession;
use crate::report::Reporter;
use common::interrupt::interrupted;
use referee::setup::GameSetup;
use referee::spectator::Spectator;

/// A runner that plays games against a bot and reports them.
pub(crate) struct MatchRunner<R> {
    session: BotSession,
    report: MatchReport<R>,
}

impl<R: Reporter> MatchRunner<R> {
    pub(crate) fn new(session: BotSession, report: MatchReport<R>) -> Self {
        Self { session, report }
    }

    /// Plays one game, or none if the judge could not continue after an earlier one.
    ///
    /// # Errors
    ///
    /// If the game cannot be played, see [`BotSession::play_alone`], or cannot be reported.
    pub(crate) fn play(&mut self, setup: GameSetup, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
        if interrupted() {
            self.report.stop();
        }
        if self.report.is_stopped() {
            return Ok(());
        }
        let game = self.session.play_alone(setup, spectator)?;
        self.report.add(&game)
    }

    /// Whether the bot has won all games so far.
    pub(crate) fn all_won(&self) -> bool {
        self.report.has_won_all()
    }

    /// How many games have been reported.
    pub(crate) fn games(&self) -> u64 {
        self.report.games()
    }

    /// Whether the judge could not continue.
    pub(crate) fn is_stopped(&self) -> bool {
        self.report.is_stopped()
    }

    /// Reports the summary of all games, and returns the exit code.
    ///
    /// # Errors
    ///
    /// If the summary cannot be written.
    pub(crate) fn end(self) -> anyhow::Result<ExitCode> {
        self.report.end()
    }
}
