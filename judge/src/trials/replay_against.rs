//! A recorded game played again against a bot: the judge makes the recorded moves of the opponent, and reports the first
//! line of the bot that differs from the record.

use std::ffi::OsString;
use std::io::BufRead;

use runner::event::Event;
use runner::limits::OUTPUT_LIMIT;
use zeroxor::Side;
use zeroxor::wire::protocol::{self, JudgeTurn};
use zeroxor::wire::quoted;

use crate::config::MatchConfig;
use crate::conversation::interaction::{Interaction, Step};
use crate::conversation::verdict::Verdict;
use crate::referee::game::bot::trim_line_end;
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::transcript::SetupLine;
use crate::report::transcript::read::TranscriptReader;
use crate::trials::session::BotSession;

pub(crate) enum Comparison {
    /// No line differs. The value is the number of lines.
    Same(usize),
    /// The first line of the bot that differs, as a text.
    Different(String),
    Interrupted,
}

/// Returns the set-up of a recorded game, in which the opponent has the recorded moves as its first moves and no others, and
/// the lines of the bot.
pub(crate) fn read(
    setup: &SetupLine,
    games: &mut TranscriptReader<impl BufRead>,
) -> anyhow::Result<(SetupLine, Vec<Vec<u8>>)> {
    let (mut moves, mut lines, mut bytes) = (Vec::new(), Vec::new(), 0);
    games.events(|Step { event, .. }| {
        match event {
            // The header and "games T" are no moves.
            Event::Sent(line) => {
                if let Ok(JudgeTurn::Move(mv)) = protocol::parse_judge_turn(trim_line_end(&line.0)) {
                    moves.push([mv.place, mv.take]);
                }
            }
            // A game ends at the output limit.
            Event::Received(line) if bytes <= OUTPUT_LIMIT => {
                bytes += line.0.len();
                lines.push(trim_line_end(&line.0).to_vec());
            }
            _ => {}
        }
        Ok(())
    })?;
    let game = GameSetup { opponent: OpponentKind::Bot, line: moves, repeat: false, ..setup.game.clone() };
    Ok((SetupLine { game, ..setup.clone() }, lines))
}

/// Plays the game of [`read`] against a bot, and compares the bot's lines with the recorded ones.
pub(crate) fn compare(setup: SetupLine, lines: &[Vec<u8>], bot: &[OsString]) -> anyhow::Result<Comparison> {
    let config = MatchConfig { bot: bot.to_vec(), session: false, ..setup.config };
    let mut record = Interaction::of_game(usize::MAX);
    let ruling = BotSession::new("the bot", config, 1)?.play(setup.game, &mut record)?.result.ruling;
    let mut received = record.steps().iter().filter_map(|step| match &step.event {
        Event::Received(line) => Some(trim_line_end(&line.0)),
        _ => None,
    });
    let is_second = lines.first().is_some_and(|side| protocol::parse_side(side) == Ok(Side::Second));
    for (at, line) in lines.iter().enumerate() {
        let other = match received.next() {
            Some(received) if received == line => continue,
            Some(received) => format!("the bot printed {}", quoted(received)),
            None if ruling.verdict == Verdict::Interrupted => return Ok(Comparison::Interrupted),
            None => ruling.reason,
        };
        let turn = match at {
            0 => "the side".to_owned(),
            _ => format!("move {}", 2 * at - usize::from(!is_second)),
        };
        let difference = format!("{turn}: the transcript has {}, {other}", quoted(line));
        return Ok(Comparison::Different(difference));
    }
    Ok(Comparison::Same(lines.len()))
}
