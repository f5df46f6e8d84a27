//! Games as candidates of a search: they come from a plan, and workers play them.

use std::path::PathBuf;

use anyhow::ensure;
use runner::config::MatchConfig;
use runner::interrupt::interrupted;

use crate::conversation::verdict::Verdict;
use crate::referee::game::setup::GameSetup;
use crate::report::run::RunReport;
use crate::search::Source;
use crate::search::plan::Plan;
use crate::search::shrinker::Runner;
use crate::search::smaller_game::GameRun;
use crate::trials::family::GameFamily;
use crate::trials::parallel::ExclusiveRerun;
use crate::trials::session::{BotSession, BotSource};
use crate::trials::worker::{Worker, WorkerOutput};

/// Games of a bot against built-in opponents.
pub(crate) struct Games {
    pub(crate) plan: Plan,
    pub(crate) config: MatchConfig,
    /// The folder for the files of the bot's stderr, one for each game.
    stderr: Option<PathBuf>,
    rerun: ExclusiveRerun,
}

impl Games {
    /// Creates games of these families with sizes of at most `max_n`. Game k has the seed `seed` + k.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started.
    pub(crate) fn new(
        config: MatchConfig,
        (families, max_n, seed): (&[GameFamily], u64, u64),
        stderr: Option<PathBuf>,
    ) -> anyhow::Result<Self> {
        // Check here that the bot can be started. Otherwise each worker would print its own error.
        BotSource::new("the bot", &config)?;
        let plan = Plan::new(families, max_n, seed);
        Ok(Self { plan, config, stderr, rerun: ExclusiveRerun::default() })
    }
}

impl Source for Games {
    type Candidate = GameSetup;

    fn candidate(&self, number: u64) -> anyhow::Result<GameSetup> {
        Ok(self.plan.game(number))
    }

    fn runner(&self) -> anyhow::Result<Runner<'_, GameSetup>> {
        let output = WorkerOutput::Report { stderr: self.stderr.as_deref() };
        let mut worker = Worker::start(&self.config, output)?;
        Ok(Box::new(move |setup| {
            let play = |repeat| worker.report(&GameSetup { repeat, ..setup.clone() });
            let is_doubtful =
                |report: &RunReport| report.review.as_ref().is_some_and(|review| review.doubtful);
            let report = self.rerun.play(play, is_doubtful)?;
            // Ctrl-C in a terminal would have reached this process too, so only the worker has received a signal.
            ensure!(
                report.verdict != Verdict::Interrupted || interrupted(),
                "the game {setup} was not finished: its worker received a signal to terminate; without --sandbox a bot \
                 can send such a signal"
            );
            Ok(Some(GameRun { report, game: None }))
        }))
    }

    fn shrink_runner(&self) -> anyhow::Result<Runner<'_, GameSetup>> {
        let mut session = BotSession::new("the bot", self.config.clone(), u64::MAX, ())?;
        Ok(Box::new(move |setup| {
            let game = session.play_alone(setup, &mut ())?;
            Ok(Some(GameRun { report: RunReport::from(&game), game: Some(game) }))
        }))
    }
}
