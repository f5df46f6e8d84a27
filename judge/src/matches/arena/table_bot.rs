//! A bot at a table, which plays one game after the other.

use std::ffi::OsString;

use super::built_in_bot::BuiltInBot;
use super::entrant::{Entrant, Program};
use crate::matches::game_runner::GameStart;
use crate::matches::session::{BotSession, SessionGame};
use referee::config::MatchConfig;
use referee::setup::{GameSetup, OpponentKind};
use referee::transcript::SetupLine;
use runner::Bot;
use runner::host::HostProcess;

/// A bot at a table.
pub(super) enum TableBot {
    Program(Box<BotSession>),
    BuiltIn(OpponentKind, Box<MatchConfig>),
}

/// A bot in one game.
pub(super) enum TablePlayer {
    Program(Box<SessionGame>, MatchConfig),
    BuiltIn(Box<BuiltInBot>, MatchConfig),
}

impl TableBot {
    /// A bot with this configuration. A program gets a host.
    ///
    /// # Errors
    ///
    /// If the host cannot be started.
    pub(super) fn new(entrant: &Entrant, config: &MatchConfig) -> anyhow::Result<Self> {
        if let Program::BuiltIn(kind) = entrant.program {
            return Ok(Self::BuiltIn(kind, Box::new(config.clone())));
        }
        let host = HostProcess::start(&entrant.name, host_options(config), &config.bot, config.limits)?;
        // The number of games is not known. A bot that expects a header also ends at the end of its input.
        Ok(Self::Program(Box::new(BotSession::hosted(config.clone(), u64::MAX, host))))
    }

    /// Begins to start the bot for a game.
    ///
    /// # Errors
    ///
    /// If its host has ended.
    pub(super) fn begin_start(&self) -> anyhow::Result<()> {
        match self {
            Self::Program(session) => session.begin_start(),
            Self::BuiltIn(..) => Ok(()),
        }
    }

    /// The bot for a game.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(super) fn begin_game(&mut self, setup: &GameSetup) -> anyhow::Result<TablePlayer> {
        Ok(match self {
            Self::Program(session) => {
                TablePlayer::Program(Box::new(session.begin_game()?), session.config().clone())
            }
            Self::BuiltIn(kind, config) => {
                TablePlayer::BuiltIn(Box::new(BuiltInBot::new(*kind, setup)?), config.as_ref().clone())
            }
        })
    }

    /// Keeps a bot that plays on.
    pub(super) fn end_game(&mut self, player: TablePlayer, plays_on: bool) {
        if let (Self::Program(session), TablePlayer::Program(game, _)) = (self, player) {
            session.end_game(*game, plays_on);
        }
    }
}

impl TablePlayer {
    /// What a game of that set-up is played with.
    pub(super) fn parts(&mut self, setup: GameSetup) -> (SetupLine, &mut dyn Bot, GameStart) {
        match self {
            Self::Program(game, config) => {
                let line = SetupLine::new(setup, config.clone(), game.process.held_by());
                (line, &mut game.process, game.start)
            }
            Self::BuiltIn(bot, config) => {
                (SetupLine::new(setup, config.clone(), None), bot.as_mut(), GameStart::default())
            }
        }
    }
}

/// The options of the hidden command `arena-host` for this configuration.
fn host_options(config: &MatchConfig) -> Vec<OsString> {
    let mut options: Vec<OsString> = config.options().into_iter().map(OsString::from).collect();
    for word in config.started.iter().flatten() {
        options.extend(["--started".into(), word.clone()]);
    }
    options
}
