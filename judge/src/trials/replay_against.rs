//! A recorded game played again against a bot: the judge sends the recorded lines and reports the first line of the bot
//! that differs from the record.

use std::ffi::OsString;
use std::fmt;
use std::io::BufRead;

use anyhow::bail;
use runner::config::MatchConfig;
use runner::event::{Event, Limit, RecordedEvent};
use runner::limits::{Limits, OUTPUT_LIMIT};
use runner::listener::{Listener, trim_line_end};
use zeroxor::wire::protocol::{self, JudgeTurn};
use zeroxor::wire::quoted;

use crate::conversation::decide;
use crate::referee::game::exchange::{Exchange, ExpectedLine, Turn};
use crate::referee::game::setup::GameHeader;
use crate::report::transcript::SetupLine;
use crate::report::transcript::read::TranscriptReader;
use crate::trials::session::BotSource;
use crate::units::time_limit;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// No compared line differs. The value is the number of compared lines.
    Same(usize),
    Different(Difference),
    /// The comparison was interrupted by Ctrl-C.
    Interrupted,
}

/// The first line of a bot that differs from the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    turn: Turn,
    recorded: Vec<u8>,
    /// The bot's line, or the reason why there is none.
    received: Result<Vec<u8>, String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { turn, recorded, received } = self;
        write!(f, "{turn}: the transcript has {}, ", quoted(recorded))?;
        match received {
            Ok(line) => write!(f, "the bot printed {}", quoted(line)),
            Err(why) => write!(f, "no line was received from the bot: {why}"),
        }
    }
}

pub(crate) struct RecordedGame {
    setup: SetupLine,
    /// The judge's lines.
    sent: Vec<u8>,
    /// The bot's lines.
    received: Vec<u8>,
}

impl RecordedGame {
    /// Reads the events of the game with the set-up `setup`.
    pub(crate) fn read(setup: SetupLine, games: &mut TranscriptReader<impl BufRead>) -> anyhow::Result<Self> {
        let mut game = Self { setup, sent: Vec::new(), received: Vec::new() };
        games.events(|RecordedEvent { event, .. }| {
            match event {
                Event::Sent(line) => push_line(&mut game.sent, &line.0),
                Event::Received(line) => push_line(&mut game.received, &line.0),
                _ => {}
            }
            Ok(())
        })?;
        Ok(game)
    }

    pub(crate) fn header(&self) -> &GameHeader {
        &self.setup.game.header
    }

    /// Sends the judge's lines to a bot, turn by turn, until a line of the bot differs from the recorded one or the
    /// record ends.
    pub(crate) fn replay_against(self, bot: &[OsString]) -> anyhow::Result<Comparison> {
        let Self { setup, sent, received } = self;
        let mut exchange = Exchange::new(&setup.game.header)?;
        let limits = setup.config.limits;
        let source = BotSource::new("the bot", &MatchConfig { bot: bot.to_vec(), ..setup.config })?;
        let mut bot = Listener::new(source.spawn()?, limits);
        let mut recorded = received.split_inclusive(|&byte| byte == b'\n').map(trim_line_end);
        // The header and "games T" are not turns, so `parse_judge_turn` fails for them and the filter drops them.
        let lines = sent.split_inclusive(|&byte| byte == b'\n').map(trim_line_end);
        let mut judge_turns = lines.filter_map(|line| protocol::parse_judge_turn(line).ok());
        bot.send(setup.game.header.text());
        let mut same = 0;
        loop {
            let turn = exchange.turn();
            if turn.expected == ExpectedLine::OpponentMove {
                match judge_turns.next() {
                    Some(JudgeTurn::Move(mv)) if exchange.play(mv).is_ok() => bot.send(&mv.to_string()),
                    _ => return Ok(Comparison::Same(same)),
                }
                continue;
            }
            let Some(line) = recorded.next() else { return Ok(Comparison::Same(same)) };
            let received = match bot.line() {
                Some(received) if received == line => received,
                Some(received) => return Ok(different(turn, line, Ok(received))),
                None => return no_line(bot, &limits, turn, line),
            };
            same += 1;
            let result = match turn.expected {
                ExpectedLine::Side => exchange.receive_side(&received),
                _ => exchange.receive_move(&received),
            };
            if result.is_err() {
                return Ok(Comparison::Same(same));
            }
        }
    }
}

/// Appends a line, and a line end if it has none. Ignores lines beyond the output limit, because a game ends at the
/// limit.
fn push_line(lines: &mut Vec<u8>, line: &[u8]) {
    if lines.len() <= OUTPUT_LIMIT {
        lines.extend(line);
        lines.extend((!line.ends_with(b"\n")).then_some(b'\n'));
    }
}

fn different(turn: Turn, recorded: &[u8], received: Result<Vec<u8>, String>) -> Comparison {
    Comparison::Different(Difference { turn, recorded: recorded.to_vec(), received })
}

/// Returns the comparison for a recorded line that the bot did not print.
fn no_line(bot: Listener, limits: &Limits, turn: Turn, recorded: &[u8]) -> anyhow::Result<Comparison> {
    let why = match bot.stop().cloned() {
        Some(Event::Interrupted) => return Ok(Comparison::Interrupted),
        Some(Event::Failed(failure)) => bail!(failure.why),
        Some(Event::Limit(report)) if report.limit == Limit::Idle => {
            format!("it was idle for {}", time_limit(limits.idle))
        }
        Some(Event::Limit(report)) => decide::limit("it", &report, limits).1,
        _ => {
            // The judge may see the end of stdout before it sees the exit.
            let (events, _, _) = bot.end(limits.grace);
            let exit = events.into_iter().find_map(|event| match event {
                Event::Exited(exit) => Some(exit),
                _ => None,
            });
            exit.map_or("it closed its stdout".to_owned(), |exit| format!("it {exit}"))
        }
    };
    Ok(different(turn, recorded, Err(why)))
}
