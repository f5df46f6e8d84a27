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
    Different(DifferentLine),
    /// The comparison was interrupted by Ctrl-C.
    Interrupted,
}

/// The first line of a bot that differs from the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DifferentLine {
    turn: Turn,
    recorded: Vec<u8>,
    /// The bot's line, or the reason why there is none.
    received: Result<Vec<u8>, String>,
}

impl fmt::Display for DifferentLine {
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
    /// The judge's lines after the header.
    turns: Vec<JudgeTurn>,
    received: Vec<Vec<u8>>,
}

impl RecordedGame {
    /// Reads the events of the game with the set-up `setup`.
    pub(crate) fn read(setup: SetupLine, games: &mut TranscriptReader<impl BufRead>) -> anyhow::Result<Self> {
        let mut game = Self { setup, turns: Vec::new(), received: Vec::new() };
        let mut bytes = 0;
        games.events(|RecordedEvent { event, .. }| {
            match event {
                // The header and "games T" are not turns.
                Event::Sent(line) => game.turns.extend(protocol::parse_judge_turn(trim_line_end(&line.0))),
                // A game ends at the output limit.
                Event::Received(line) if bytes <= OUTPUT_LIMIT => {
                    bytes += line.0.len();
                    game.received.push(trim_line_end(&line.0).to_vec());
                }
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
        let Self { setup, turns, received } = self;
        let mut exchange = Exchange::new(&setup.game.header)?;
        let limits = setup.config.limits;
        let source = BotSource::new("the bot", &MatchConfig { bot: bot.to_vec(), ..setup.config })?;
        let mut bot = Listener::new(source.spawn()?, limits);
        let (mut turns, mut recorded) = (turns.into_iter(), received.into_iter());
        bot.send(setup.game.header.text());
        let mut same = 0;
        loop {
            let turn = exchange.turn();
            if turn.expected == ExpectedLine::OpponentMove {
                match turns.next() {
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

fn different(turn: Turn, recorded: Vec<u8>, received: Result<Vec<u8>, String>) -> Comparison {
    Comparison::Different(DifferentLine { turn, recorded, received })
}

fn no_line(bot: Listener, limits: &Limits, turn: Turn, recorded: Vec<u8>) -> anyhow::Result<Comparison> {
    let why = match bot.stop().cloned() {
        Some(Event::Interrupted) => return Ok(Comparison::Interrupted),
        Some(Event::Failed { why }) => bail!(why),
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
