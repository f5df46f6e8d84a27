//! Games that several threads play at the same time, with the results in the order of the games. A game whose time is
//! in doubt is played again while no other game runs.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::{PoisonError, RwLock};

use anyhow::Context;
use runner::bot_process::wait::set_games_at_once;
use runner::config::MatchConfig;
use runner::event::RecordedEvent;
use runner::interrupt::interrupted;
use zeroxor::Position;

use super::session::BotSession;
use crate::in_order::in_order;
use crate::referee::conversation::{Mover, Spectator, side_to_move};
use crate::referee::review::FinishedGame;
use crate::referee::setup::GameSetup;
use crate::referee::transcript::{GameLog, ResultLine, SetupLine};
use crate::report::transcript::StderrLimit;

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

/// A game and the bot that plays it.
pub(crate) struct BotGame {
    /// The index of the bot in the list of configurations.
    pub(crate) bot: usize,
    pub(crate) setup: GameSetup,
}

/// A game that a thread has played, with its events.
pub(crate) struct PlayedGame {
    pub(crate) game: FinishedGame,
    events: Vec<RecordedEvent>,
}

impl PlayedGame {
    /// Writes the game to a log.
    pub(crate) fn write(&self, log: &mut impl GameLog) -> anyhow::Result<()> {
        log.begin(&self.game.setup)?;
        let written = self.events.iter().try_for_each(|event| log.write(event));
        written.context("the transcript cannot be written")?;
        log.end(&ResultLine::from(&self.game.result))
    }

    /// Shows the whole game to `spectator`.
    pub(crate) fn show(&self, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
        spectator.start(&Position::new(self.game.setup.game.header.game())?)?;
        (1..).zip(&self.game.result.moves).try_for_each(|(ply, &mv)| {
            let is_bots = self.game.result.side == Some(side_to_move(ply));
            spectator.moved(ply, if is_bots { Mover::Bot } else { Mover::Judge }, mv)
        })
    }
}

/// The events of the current game, which a session stores and its thread reads after the game.
#[derive(Clone, Default)]
struct Events(Rc<RefCell<Vec<RecordedEvent>>>);

impl GameLog for Events {
    fn begin(&mut self, _setup: &SetupLine) -> anyhow::Result<()> {
        self.0.borrow_mut().clear();
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        self.0.borrow_mut().push(entry.clone());
        Ok(())
    }
}

/// A bot of a thread, with the events of its latest game.
struct ThreadBot {
    session: BotSession,
    events: Events,
}

impl ThreadBot {
    fn new(config: &MatchConfig) -> anyhow::Result<Self> {
        let events = Events::default();
        let session = BotSession::hosted("the bot", config.clone(), StderrLimit::new(events.clone()))?;
        Ok(Self { session, events })
    }

    fn play(&mut self, setup: GameSetup) -> anyhow::Result<PlayedGame> {
        let game = self.session.play(setup, &mut ())?;
        Ok(PlayedGame { game, events: self.events.0.take() })
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
    set_games_at_once(jobs.into());
    let bots = || configs.iter().map(|_| None).collect::<Vec<Option<ThreadBot>>>();
    let play = |bots: &mut Vec<_>, game| play_one(configs, bots, &rerun, game);
    in_order(usize::from(jobs), games, bots, play, take)
}

/// Plays a game with the thread's bot. Starts the host of that bot for its first game.
fn play_one(
    configs: &[MatchConfig],
    bots: &mut [Option<ThreadBot>],
    rerun: &ExclusiveRerun,
    BotGame { bot, setup }: BotGame,
) -> anyhow::Result<PlayedGame> {
    let bot = match &mut bots[bot] {
        Some(running) => running,
        none => none.insert(ThreadBot::new(&configs[bot])?),
    };
    rerun.play(|repeat| bot.play(GameSetup { repeat, ..setup.clone() }), |played| played.game.result.doubtful)
}
