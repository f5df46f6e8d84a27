//! A bot of a worker: a program or a built-in opponent that plays one game after the other.

use std::collections::VecDeque;
use std::time::Duration;

use zeroxor::Position;
use zeroxor::wire::protocol::{self, JudgeTurn, NO_MOVE};

use crate::arena::entrant::{Entrant, Program};
use crate::referee::game::game_runner::GameStart;
use crate::referee::game::opponent::{BuiltIn, Opponent, OpponentTurn};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::transcript::SetupLine;
use crate::trials::session::{BotSession, SessionGame};
use runner::config::MatchConfig;
use runner::event::{Bytes, Event, Exit, Failure, Usage};
use runner::{Bot, TimedEvent, WaitLimits};

pub(crate) enum WorkerBot {
    Program(Box<BotSession>),
    BuiltIn(OpponentKind, Box<MatchConfig>),
}

pub(crate) enum WorkerBotGame {
    Program(Box<SessionGame>, MatchConfig),
    BuiltIn(Box<BuiltInBot>, MatchConfig),
}

impl WorkerBot {
    /// Creates a bot with the configuration `config`. A program gets a warden.
    pub(crate) fn new(entrant: &Entrant, config: &MatchConfig) -> anyhow::Result<Self> {
        if let Program::BuiltIn(kind) = entrant.program {
            return Ok(Self::BuiltIn(kind, Box::new(config.clone())));
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
            Self::BuiltIn(..) => Ok(()),
        }
    }

    pub(crate) fn begin_game(&mut self, setup: &GameSetup) -> anyhow::Result<WorkerBotGame> {
        Ok(match self {
            Self::Program(session) => {
                WorkerBotGame::Program(Box::new(session.begin_game()?), session.config.clone())
            }
            Self::BuiltIn(kind, config) => {
                WorkerBotGame::BuiltIn(Box::new(BuiltInBot::new(*kind, setup)?), config.as_ref().clone())
            }
        })
    }

    /// Keeps the bot's process if the bot plays on.
    pub(crate) fn end_game(&mut self, player: WorkerBotGame, plays_on: bool) {
        if let (Self::Program(session), WorkerBotGame::Program(game, _)) = (self, player) {
            session.end_game(*game, plays_on);
        }
    }
}

impl WorkerBotGame {
    /// Returns the parts that a `GameRunner` needs for a game of `setup`.
    pub(crate) fn parts(&mut self, setup: GameSetup) -> (SetupLine, &mut dyn Bot, GameStart) {
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

/// A built-in opponent that plays one game as a bot with an assigned seat.
pub(crate) struct BuiltInBot {
    player: BuiltIn,
    /// Lines that the judge has not received yet.
    lines: VecDeque<String>,
    has_begun: bool,
}

impl BuiltInBot {
    pub(crate) fn new(kind: OpponentKind, setup: &GameSetup) -> anyhow::Result<Self> {
        let start = Position::new(setup.header.game())?;
        let player = BuiltIn::new(&start, kind, setup.seed, &setup.line);
        Ok(Self { player, lines: VecDeque::new(), has_begun: false })
    }

    fn answer(&mut self, line: &[u8]) -> anyhow::Result<()> {
        if !self.has_begun {
            self.has_begun = true;
            let header = protocol::parse_header(line)?;
            let side = header.side.unwrap_or(zeroxor::Side::First);
            self.lines.push_back(side.to_string());
            if side == zeroxor::Side::First {
                self.play()?;
            }
        } else if let JudgeTurn::Move(mv) = protocol::parse_judge_turn(line)? {
            self.player.bot_played(mv)?;
            self.play()?;
        }
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<()> {
        self.lines.push_back(match self.player.play()? {
            OpponentTurn::Move(mv) => mv.to_string(),
            _ => NO_MOVE.to_owned(),
        });
        Ok(())
    }
}

impl Bot for BuiltInBot {
    fn begin_game(&mut self) {}

    fn send(&mut self, bytes: &[u8]) {
        if let Err(error) = self.answer(bytes.trim_ascii_end()) {
            // Answer with the error as a line. The line is not a move, so it ends the game, and the result quotes it as
            // the reason.
            self.lines.push_back(format!("{error:#}"));
        }
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        Vec::new()
    }

    fn wait(&mut self, _limits: &WaitLimits) -> Vec<TimedEvent> {
        let why = || Failure { why: "the built-in opponent did not answer".to_owned() };
        let event = match self.lines.pop_front() {
            Some(line) => Event::Received(Bytes(format!("{line}\n").into_bytes())),
            None => Event::Failed(why()),
        };
        vec![TimedEvent::now(event)]
    }

    fn used(&mut self) -> TimedEvent {
        TimedEvent::now(Event::Used(Usage::default()))
    }

    fn end(&mut self, _grace: Duration) -> Vec<TimedEvent> {
        vec![TimedEvent::now(Event::Exited(Exit::Code(0)))]
    }
}
