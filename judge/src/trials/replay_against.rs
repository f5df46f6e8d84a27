//! A recorded game played again against a bot: the judge makes the recorded moves of the opponent, and reports the first
//! line of the bot that differs from the record.

use std::ffi::OsString;
use std::io::BufRead;

use anyhow::ensure;
use runner::event::Event;
use runner::limits::OUTPUT_LIMIT;
use zeroxor::Side;
use zeroxor::wire::protocol::{self, JudgeTurn, NO_MOVE};
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
    let (mut moves, mut lines, mut bytes, mut is_over) = (Vec::new(), Vec::new(), 0, false);
    games.events(|Step { event, .. }| {
        match event {
            Event::Sent(line) => match protocol::parse_judge_turn(trim_line_end(&line.0)) {
                Ok(JudgeTurn::Move(mv)) => moves.push([mv.place, mv.take]),
                Ok(JudgeTurn::NoMove | JudgeTurn::Lost) => is_over = true,
                // The header, or "games T".
                Err(_) => {}
            },
            // A game ends at the output limit.
            Event::Received(line) if !is_over && bytes <= OUTPUT_LIMIT => {
                bytes += line.0.len();
                let line = trim_line_end(&line.0).to_vec();
                is_over = line == NO_MOVE.as_bytes();
                lines.push(line);
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
    ensure!(ruling.verdict != Verdict::JudgeError, "{}", ruling.reason);
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
