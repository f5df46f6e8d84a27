//! The runner of several games, which plays them one after the other and reports each at its end.

use std::io::Write;
use std::process::ExitCode;

use runner::interrupt::interrupted;

use crate::conversation::verdict::Verdict;
use crate::progress::GamesProgress;
use crate::referee::game::exchange::Spectator;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::reporter::Reporter;
use crate::report::transcript::GameLog;
use crate::trials::session::BotSession;

/// A runner that plays games against a bot and reports them.
pub(crate) struct MatchRunner<W> {
    session: BotSession,
    pub(crate) report: MatchReport<W>,
}

impl<W: Write> MatchRunner<W> {
    pub(crate) fn new(session: BotSession, report: MatchReport<W>) -> Self {
        Self { session, report }
    }

    /// Plays one game, or no game if the judge cannot continue.
    pub(crate) fn play(
        &mut self,
        setup: &GameSetup,
        spectator: &mut dyn Spectator,
        log: &mut dyn GameLog,
    ) -> anyhow::Result<()> {
        if interrupted() {
            self.report.stop();
        }
        if self.report.is_stopped() {
            return Ok(());
        }
        let game = self.session.play_alone(setup, spectator, log)?;
        self.report.add(&game)
    }
}

/// A report of games, each added when it ends.
pub(crate) struct MatchReport<W> {
    reporter: Reporter<W>,
    progress: Option<GamesProgress>,
    games: u64,
    not_won: u64,
    /// Whether the judge could not continue.
    is_stopped: bool,
}

impl<W: Write> MatchReport<W> {
    pub(crate) fn new(reporter: Reporter<W>) -> Self {
        Self { reporter, progress: None, games: 0, not_won: 0, is_stopped: false }
    }

    /// Adds a display of the progress of `games` games.
    pub(crate) fn with_progress(self, games: u64) -> Self {
        Self { progress: Some(GamesProgress::new(Some(games), "games")), ..self }
    }

    pub(crate) fn add(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        self.games += 1;
        match game.result.ruling.verdict {
            Verdict::Won => {}
            Verdict::JudgeError | Verdict::Interrupted => self.is_stopped = true,
            _ => self.not_won += 1,
        }
        let Some(progress) = &self.progress else { return self.reporter.game(game) };
        progress.suspend(|| self.reporter.game(game))?;
        progress.update(self.games, format_args!("{} not won", self.not_won));
        Ok(())
    }

    /// Records that the judge could not continue.
    pub(crate) fn stop(&mut self) {
        self.is_stopped = true;
    }

    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// Returns whether the judge could not continue.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Reports the summary of all games, and returns the exit code.
    pub(crate) fn end(mut self) -> anyhow::Result<ExitCode> {
        drop(self.progress.take());
        self.reporter.summary()?;
        Ok(match (self.is_stopped, self.not_won) {
            (true, _) => ExitCode::from(2),
            (false, 0) => ExitCode::SUCCESS,
            (false, _) => ExitCode::FAILURE,
        })
    }
}
