//! A bot of a worker: a program or a built-in opponent that plays one game after the other.

use std::collections::VecDeque;
use std::time::Duration;

use zeroxor::wire::protocol::{self, JudgeTurn, NO_MOVE};
use zeroxor::{Position, Side};

use crate::arena::entrant::{Entrant, Program};
use crate::referee::game::game_runner::GameStart;
use crate::referee::game::opponent::{BuiltIn, Opponent, OpponentTurn};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::transcript::SetupLine;
use crate::trials::session::BotSession;
use runner::config::MatchConfig;
use runner::event::{Bytes, Event, Exit};
use runner::limits::Limits;
use runner::{Bot, TimedEvent};

pub(crate) enum WorkerBot {
    Program(Box<BotSession>),
    BuiltIn { kind: OpponentKind, config: Box<MatchConfig>, bot: Option<Box<BuiltInBot>> },
}

impl WorkerBot {
    pub(crate) fn new(entrant: &Entrant, config: &MatchConfig) -> anyhow::Result<Self> {
        if let Program::BuiltIn(kind) = entrant.program {
            return Ok(Self::BuiltIn { kind, config: Box::new(config.clone()), bot: None });
        }
        // The number of games is not known, so the session has `u64::MAX` games. A bot that waits for a further header
        // exits when its input ends.
        let session = BotSession::new(&format!("the bot {}", entrant.name), config.clone(), u64::MAX)?;
        Ok(Self::Program(Box::new(session)))
    }

    /// Tells the bot's warden to start it for the next game, and does not wait for the start.
    pub(crate) fn begin_start(&self) -> anyhow::Result<()> {
        match self {
            Self::Program(session) => session.begin_start(),
            Self::BuiltIn { .. } => Ok(()),
        }
    }

    /// Checks whether a process of the bot waits for its next game.
    pub(crate) fn plays_on(&self) -> bool {
        matches!(self, Self::Program(session) if session.is_running())
    }

    pub(crate) fn begin_game(
        &mut self,
        setup: GameSetup,
    ) -> anyhow::Result<(SetupLine, &mut dyn Bot, GameStart)> {
        Ok(match self {
            Self::Program(session) => {
                let config = session.config.clone();
                let (process, start) = session.begin_game()?;
                (SetupLine::new(setup, config, process.held_by()), process, start)
            }
            Self::BuiltIn { kind, config, bot } => {
                let bot = bot.insert(Box::new(BuiltInBot::new(*kind, &setup)?)).as_mut();
                (SetupLine::new(setup, config.as_ref().clone(), None), bot, GameStart::default())
            }
        })
    }

    pub(crate) fn end_game(&mut self, plays_on: bool) {
        if let Self::Program(session) = self {
            session.end_game(plays_on);
        }
    }
}

/// A built-in opponent that plays one game as a bot with an assigned seat.
pub(crate) struct BuiltInBot {
    player: BuiltIn,
    side: Side,
    lines: VecDeque<String>,
}

impl BuiltInBot {
    fn new(kind: OpponentKind, setup: &GameSetup) -> anyhow::Result<Self> {
        let start = Position::new(setup.header.game())?;
        let player = BuiltIn::new(&start, kind, setup.seed, &setup.line);
        let side = setup.header.side().unwrap_or(Side::First);
        Ok(Self { player, side, lines: VecDeque::from([side.to_string()]) })
    }

    fn answer(&mut self, line: &[u8]) -> anyhow::Result<()> {
        match protocol::parse_judge_turn(line) {
            Ok(JudgeTurn::Move(mv)) => self.player.bot_played(mv)?,
            // The header.
            Err(_) if self.side == Side::First => {}
            _ => return Ok(()),
        }
        self.lines.push_back(match self.player.play()? {
            OpponentTurn::Move(mv) => mv.to_string(),
            _ => NO_MOVE.to_owned(),
        });
        Ok(())
    }
}

impl Bot for BuiltInBot {
    fn send(&mut self, bytes: &[u8]) {
        if let Err(error) = self.answer(bytes.trim_ascii_end()) {
            // Answer with the error as a line. The line is not a move, so it ends the game, and the result quotes it as
            // the reason.
            self.lines.push_back(format!("{error:#}"));
        }
    }

    fn wait(&mut self, _limits: &Limits) -> Vec<TimedEvent> {
        let event = match self.lines.pop_front() {
            Some(line) => Event::Received(Bytes(format!("{line}\n").into_bytes())),
            None => Event::Failed { why: "the built-in opponent did not answer".to_owned() },
        };
        vec![TimedEvent::now(event)]
    }

    fn end(&mut self, _grace: Duration) -> Vec<TimedEvent> {
        vec![TimedEvent::now(Event::Exited(Exit::Code(0)))]
    }
}
