//! A built-in opponent as a bot: it plays inside the judge, by the same lines as a program.

use std::collections::VecDeque;
use std::time::Duration;

use zeroxor::Position;
use zeroxor::wire::protocol::{self, JudgeTurn, NO_MOVE};

use crate::matches::built_in::BuiltIn;
use crate::matches::opponent::{Opponent, OpponentTurn};
use referee::setup::{GameSetup, OpponentKind};
use runner::event::{Bytes, Event, Exit, Failure, Usage};
use runner::{Bot, TimedEvent, WaitLimits};

/// A built-in opponent in one game, whose seat is assigned.
pub(super) struct BuiltInBot {
    player: BuiltIn,
    /// Lines that have not been received.
    lines: VecDeque<String>,
    has_begun: bool,
}

impl BuiltInBot {
    /// # Errors
    ///
    /// If the header sets up no game.
    pub(super) fn new(kind: OpponentKind, setup: &GameSetup) -> anyhow::Result<Self> {
        let start = Position::new(setup.header.game())?;
        let player = BuiltIn::new(&start, kind, setup.seed, &setup.line);
        Ok(Self { player, lines: VecDeque::new(), has_begun: false })
    }

    /// Answers a line of the judge.
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
            // Without a line the game ends with the reason.
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
