//! The games and conversations that the checks are made of.

use std::time::Duration;

use anyhow::Context;
use zeroxor::wire::protocol;

use crate::matches::game::{Game, Outcome};
use crate::matches::opponent::{Kind, Line, Opponent};
use crate::process::bot_process::Process;
use crate::process::listener::Listener;
use crate::process::start::Start;
use crate::process::{Bot, TimedEvent, WaitLimits};
use crate::referee::event::{Event, Exit};
use crate::referee::limits::Limits;
use crate::referee::verdict::Profile;

/// A bot under test.
pub(crate) struct Bench {
    pub(crate) start: Start,
    pub(crate) limits: Limits,
}

impl Bench {
    /// A game from this header on, strictly judged.
    pub(super) fn game(&self, header: &str) -> anyhow::Result<Outcome> {
        let mut process = self.process()?;
        Ok(self.play(&mut process, &[header.to_owned()], false)?.0)
    }

    /// The same with lines that end by CRLF.
    pub(super) fn game_in_crlf(&self, header: &str) -> anyhow::Result<Outcome> {
        let mut bot = Crlf(self.process()?);
        Ok(self.play(&mut bot, &[header.to_owned()], false)?.0)
    }

    /// Two such games in one conversation; the second is missing if the bot was not left to play it.
    pub(super) fn session(&self, header: &str) -> anyhow::Result<(Outcome, Option<Outcome>)> {
        let mut process = self.process()?;
        let opening = ["games 2".to_owned(), header.to_owned()];
        let (first, goes_on) = self.play(&mut process, &opening, true)?;
        if !goes_on {
            return Ok((first, None));
        }
        process.begin_game();
        let (second, _) = self.play(&mut process, &opening[1..], false)?;
        Ok((first, Some(second)))
    }

    /// The bot, before the first line.
    pub(super) fn listener(&self) -> anyhow::Result<Listener> {
        Ok(Listener::new(self.process()?, self.limits))
    }

    /// Ends the bot's input; how the bot ended, `None` if it had to be killed, and what it printed that
    /// nobody asked for.
    pub(super) fn hang_up(&self, listener: Listener) -> (Option<Exit>, Vec<Vec<u8>>) {
        let (events, said) = listener.end(self.limits.grace);
        let exit = events.into_iter().find_map(|event| match event {
            Event::Exited(exit) => Some(exit),
            _ => None,
        });
        (exit, said)
    }

    fn process(&self) -> anyhow::Result<Process> {
        Process::spawn(&self.start)
    }

    /// Plays a game; the last of the lines that open it is the header.
    fn play(&self, bot: &mut dyn Bot, opening: &[String], goes_on: bool) -> anyhow::Result<(Outcome, bool)> {
        let header = opening.last().context("a game is opened by a header")?;
        let header = protocol::parse_header(header.as_bytes()).context("the header is malformed")?;
        let opponent = Opponent::new(Kind::Perfect, 1, &Line::new());
        let game = Game {
            opening,
            header: &header,
            opponent,
            limits: self.limits,
            profile: Profile::Strict,
            goes_on,
        };
        game.play(bot, &mut (), &mut ())
    }
}

/// A bot that is sent CRLF where the judge sends LF.
struct Crlf(Process);

impl Bot for Crlf {
    fn begin_game(&mut self) {
        self.0.begin_game();
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.send(&bytes.strip_suffix(b"\n").map_or(bytes.to_vec(), |line| [line, b"\r\n"].concat()));
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        self.0.drain()
    }

    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        self.0.wait(wait_limits)
    }

    fn used(&mut self) -> TimedEvent {
        self.0.used()
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        self.0.end(grace)
    }
}
