//! The judge's side of a recorded game fed to a bot, and the first line in which the bot differs.

use std::ffi::OsString;
use std::fmt;

use anyhow::Context;
use zeroxor::protocol::{self, JudgeTurn};
use zeroxor::quote;

use crate::event::Event;
use crate::player::listener::{Listener, bare};
use crate::player::process::Process;
use crate::referee::{Due, Referee};
use crate::transcript::read::Recorded;
use crate::verdict::Turn;

/// What came of a rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rehearsal {
    /// The bot said every line that was recorded, so many.
    Same(usize),
    Different(Difference),
}

/// The first line in which a bot differs from the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    turn: Turn,
    recorded: Vec<u8>,
    /// `None` if no line came.
    said: Option<Vec<u8>>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { turn, recorded, said } = self;
        write!(f, "{turn}: the transcript has {}, ", quote(recorded))?;
        match said {
            Some(said) => write!(f, "the bot says {}", quote(said)),
            None => f.write_str("no line came from the bot"),
        }
    }
}

/// Plays the judge's recorded lines against a bot, turn by turn, until a line of the bot's is another than the
/// recorded one.
pub(crate) fn rehearse(recorded: &Recorded, command: &[OsString]) -> anyhow::Result<Rehearsal> {
    let opening = &recorded.opening;
    let header = protocol::parse_header(opening.game.as_bytes()).context("the header is malformed")?;
    let mut referee = Referee::new(&header)?;
    let mut said = recorded.entries.iter().filter_map(|entry| match &entry.event {
        Event::Said(line) => Some(bare(&line.0)),
        _ => None,
    });
    // What opened the conversation is no turn.
    let mut turns = recorded.entries.iter().filter_map(|entry| match &entry.event {
        Event::Told(line) => protocol::parse_judge_turn(bare(&line.0)).ok(),
        _ => None,
    });
    let mut bot = Listener::new(Process::spawn(command)?, opening.terms.limits);
    bot.say(&opening.game);
    let mut same = 0;
    loop {
        let turn = Turn { due: referee.due(), ply: referee.plies() + 1 };
        if turn.due == Due::OpponentMove {
            match turns.next() {
                Some(JudgeTurn::Move(mv)) if referee.play(mv).is_ok() => {
                    bot.say(&mv.to_string());
                }
                _ => return Ok(Rehearsal::Same(same)),
            }
            continue;
        }
        let Some(line) = said.next() else { return Ok(Rehearsal::Same(same)) };
        let now = bot.line();
        if now.as_deref() != Some(line) {
            return Ok(Rehearsal::Different(Difference { turn, recorded: line.to_vec(), said: now }));
        }
        same += 1;
        let goes_on = match turn.due {
            Due::Side => referee.hear_side(line).is_ok(),
            _ => referee.hear_move(line).is_ok(),
        };
        if !goes_on {
            return Ok(Rehearsal::Same(same));
        }
    }
}
