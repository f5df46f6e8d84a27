//! A recorded game played again against a bot: the judge sends the recorded lines and reports the first line of the bot
//! that differs from the record.

use std::ffi::OsString;
use std::io::BufRead;

use anyhow::bail;
use runner::event::{Event, Limit};
use runner::limits::{Limits, OUTPUT_LIMIT};
use zeroxor::wire::protocol::{self, JudgeTurn};
use zeroxor::wire::quoted;

use crate::config::MatchConfig;
use crate::conversation::decide;
use crate::conversation::interaction::Step;
use crate::referee::game::bot::{Listener, trim_line_end};
use crate::referee::game::exchange::{Exchange, ExpectedLine};
use crate::report::transcript::SetupLine;
use crate::report::transcript::read::TranscriptReader;
use crate::trials::session::BotSource;
use crate::units::time_limit;

pub(crate) enum Comparison {
    /// No compared line differs. The value is the number of compared lines.
    Same(usize),
    /// The first line of the bot that differs, as a text.
    Different(String),
    Interrupted,
}

pub(crate) struct RecordedGame {
    setup: SetupLine,
    /// The judge's lines after the header.
    turns: Vec<JudgeTurn>,
    received: Vec<Vec<u8>>,
}

impl RecordedGame {
    pub(crate) fn read(setup: SetupLine, games: &mut TranscriptReader<impl BufRead>) -> anyhow::Result<Self> {
        let mut game = Self { setup, turns: Vec::new(), received: Vec::new() };
        let mut bytes = 0;
        games.events(|Step { event, .. }| {
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
                    _ => break,
                }
                continue;
            }
            let Some(line) = recorded.next() else { break };
            let different = |what: String| {
                Ok(Comparison::Different(format!("{turn}: the transcript has {}, {what}", quoted(&line))))
            };
            let Some(received) = bot.line() else {
                return match why_no_line(bot, &limits)? {
                    Some(why) => different(format!("no line was received from the bot: {why}")),
                    None => Ok(Comparison::Interrupted),
                };
            };
            if received != line {
                return different(format!("the bot printed {}", quoted(&received)));
            }
            same += 1;
            if exchange.receive(&received).is_err() {
                break;
            }
        }
        Ok(Comparison::Same(same))
    }
}

/// Returns why a bot sent no line; `None` if the judge was interrupted.
fn why_no_line(mut bot: Listener, limits: &Limits) -> anyhow::Result<Option<String>> {
    Ok(Some(match bot.events.last().cloned() {
        Some(Event::Interrupted) => return Ok(None),
        Some(Event::Failed { why }) => bail!(why),
        Some(Event::Limit(report)) if report.limit == Limit::Idle => {
            format!("it was idle for {}", time_limit(limits.idle))
        }
        Some(Event::Limit(report)) => decide::limit("it", &report, limits).1,
        _ => {
            // The judge may see the end of stdout before it sees the exit.
            bot.end().map_or("it closed its stdout".to_owned(), |exit| format!("it {exit}"))
        }
    }))
}
