//! Games as candidates of a search, which come from a plan.

use std::path::PathBuf;

use runner::config::MatchConfig;

use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::stderr::StderrFiles;
use crate::report::transcript::GameLog;
use crate::search::CandidateSource;
use crate::search::plan::Plan;
use crate::search::shrinker::Runner;
use crate::trials::family::GameFamily;
use crate::trials::parallel::ExclusiveRerun;
use crate::trials::session::{BotSession, BotSource};

/// Games of a bot against built-in opponents.
pub(crate) struct GameSearch {
    pub(crate) plan: Plan,
    pub(crate) config: MatchConfig,
    /// The folder for the files of the bot's stderr, one for each game.
    stderr: Option<PathBuf>,
    rerun: ExclusiveRerun,
}

impl GameSearch {
    /// Creates games of these families with sizes of at most `max_n`. Game k has the seed `seed` + k.
    pub(crate) fn new(
        config: MatchConfig,
        (families, max_n, seed): (&[GameFamily], u64, u64),
        stderr: Option<PathBuf>,
    ) -> anyhow::Result<Self> {
        // Check here that the bot can be started, before the search begins.
        BotSource::new("the bot", &config)?;
        let plan = Plan::new(families, max_n, seed);
        Ok(Self { plan, config, stderr, rerun: ExclusiveRerun::default() })
    }
}

impl CandidateSource for GameSearch {
    type Candidate = GameSetup;

    fn candidate(&self, number: u64) -> anyhow::Result<GameSetup> {
        Ok(self.plan.game(number))
    }

    fn runner(&self) -> anyhow::Result<Runner<'_, GameSetup>> {
        let mut log: Vec<Box<dyn GameLog>> = Vec::new();
        if let Some(folder) = &self.stderr {
            log.push(Box::new(StderrFiles::new(folder)?));
        }
        let mut session = BotSession::new("the bot", self.config.clone(), u64::MAX)?;
        Ok(Box::new(move |setup| {
            let play = |repeat| session.play(GameSetup { repeat, ..setup.clone() }, &mut (), &mut log);
            let game = self.rerun.play(play, |game: &FinishedGame| game.result.doubtful)?;
            Ok(Some(game.into()))
        }))
    }

    fn shrink_runner(&self) -> anyhow::Result<Runner<'_, GameSetup>> {
        let mut session = BotSession::new("the bot", self.config.clone(), u64::MAX)?;
        Ok(Box::new(move |setup| Ok(Some(session.play_alone(setup, &mut (), &mut ())?.into()))))
    }
}
