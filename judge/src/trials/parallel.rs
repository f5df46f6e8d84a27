//! Games that several workers play at the same time, with the results in the order of the games. A game whose time is
//! in doubt is played again while no other game runs.

use std::sync::{PoisonError, RwLock};

use runner::config::MatchConfig;
use runner::interrupt::interrupted;

use crate::in_order::in_order;
use crate::referee::game::setup::GameSetup;
use crate::trials::worker::{TranscribedGame, Worker};

/// A lock for games whose time is in doubt: such a game is played again while no other game runs. A worker holds the
/// lock for reading while it plays, and for writing while it repeats a game.
#[derive(Default)]
pub(crate) struct ExclusiveRerun(RwLock<()>);

impl ExclusiveRerun {
    /// Plays a game by `play(false)`. If the time is in doubt, plays the game again by `play(true)` while no other
    /// worker plays, and the second result counts. After Ctrl-C no game is played again.
    pub(crate) fn play<T>(
        &self,
        mut play: impl FnMut(bool) -> anyhow::Result<T>,
        is_doubtful: impl Fn(&T) -> bool,
    ) -> anyhow::Result<T> {
        let game = {
            let _others_play = self.0.read().unwrap_or_else(PoisonError::into_inner);
            play(false)?
        };
        if !is_doubtful(&game) || interrupted() {
            return Ok(game);
        }
        let _exclusive = self.0.write().unwrap_or_else(PoisonError::into_inner);
        play(true)
    }
}

/// A game and the bot that plays it.
pub(crate) struct BotGame {
    /// The index of the bot in the list of configurations.
    pub(crate) bot: usize,
    pub(crate) setup: GameSetup,
}

/// Plays games, `jobs` at a time, and passes each to `take` in the order of `games`. Stops when `take` returns
/// `false`, which means that no more games are needed, or after Ctrl-C.
pub(crate) fn play(
    configs: &[MatchConfig],
    jobs: u16,
    games: impl Iterator<Item = BotGame> + Send,
    take: impl FnMut(TranscribedGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let rerun = ExclusiveRerun::default();
    let workers = || configs.iter().map(|_| None).collect::<Vec<Option<Worker>>>();
    let play = |workers: &mut Vec<_>, game| play_one(configs, workers, &rerun, game);
    in_order(usize::from(jobs), games, workers, play, take)
}

/// Plays a game with the bot's worker. Starts that worker for its first game.
pub(crate) fn play_one(
    configs: &[MatchConfig],
    workers: &mut [Option<Worker>],
    rerun: &ExclusiveRerun,
    BotGame { bot, setup }: BotGame,
) -> anyhow::Result<TranscribedGame> {
    let (config, worker) = (&configs[bot], &mut workers[bot]);
    let mut running = match worker.take() {
        Some(running) => running,
        None => Worker::start(config)?,
    };
    let is_doubtful = |played: &TranscribedGame| played.game.result.doubtful;
    let play = |repeat| running.transcribe(&GameSetup { repeat, ..setup.clone() }, config);
    let game = rerun.play(play, is_doubtful)?;
    *worker = Some(running);
    Ok(game)
}
