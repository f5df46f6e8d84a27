//! Games that several threads play at the same time, with the results in the order of the games. A game whose time is
//! in doubt is played again while no other game runs.

use std::sync::{PoisonError, RwLock};

use runner::interrupt::interrupted;

use crate::config::MatchConfig;
use crate::conversation::interaction::Interaction;
use crate::in_order::in_order;
use crate::referee::game::exchange::Mover;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::transcript::{GameLog, LogEntry};
use crate::trials::session::BotSession;

/// A lock for games whose time is in doubt: such a game is played again while no other game runs. A thread holds the
/// lock for reading while it plays, and for writing while it repeats a game.
#[derive(Default)]
pub(crate) struct ExclusiveRerun(RwLock<()>);

impl ExclusiveRerun {
    /// Plays a game by `play(false)`. If the time is in doubt, plays the game again by `play(true)` while no other
    /// thread plays, and the second result counts. After Ctrl-C no game is played again.
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

pub(crate) struct BotGame {
    /// The index of the bot in the list of configurations.
    pub(crate) bot: usize,
    pub(crate) setup: GameSetup,
}

pub(crate) struct PlayedGame {
    pub(crate) game: FinishedGame,
    pub(crate) record: Interaction,
}

impl PlayedGame {
    pub(crate) fn write(&self, log: &mut impl GameLog) -> anyhow::Result<()> {
        log.log(LogEntry::Setup(&self.game.setup))?;
        self.record.steps().iter().try_for_each(|step| log.log(LogEntry::Step(step)))?;
        let result = &self.game.result;
        for (ply, &mv) in (1..).zip(&result.moves) {
            log.log(LogEntry::Moved(ply, Mover::of(ply, result.side), mv))?;
        }
        log.log(LogEntry::End(&self.game))
    }
}

/// Plays games, `jobs` at a time, and passes each to `take` in the order of `games`. Stops when `take` returns
/// `false`, which means that no more games are needed, or after Ctrl-C.
pub(crate) fn play(
    configs: &[MatchConfig],
    jobs: u16,
    games: impl Iterator<Item = BotGame> + Send,
    take: impl FnMut(PlayedGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let rerun = ExclusiveRerun::default();
    // The number of games is not known, so each session gets the largest number. A bot that waits for a further header
    // exits when its input ends.
    let session = |config: &MatchConfig| BotSession::new("the bot", config.clone(), u64::MAX);
    let sessions = || configs.iter().map(session).collect();
    let play_one = |sessions: &mut Vec<BotSession>, BotGame { bot, setup }: BotGame| {
        let play = |repeat| {
            let mut record = Interaction::of_game(usize::MAX);
            let mut game = sessions[bot].play(GameSetup { repeat, ..setup.clone() }, &mut record)?;
            // No log gets the first try.
            game.setup.game.repeat = false;
            Ok(PlayedGame { game, record })
        };
        rerun.play(play, |played| played.game.result.doubtful)
    };
    in_order(usize::from(jobs), games, sessions, play_one, take)
}
