//! The judge's side of a recorded game fed to a bot, and the first line in which the bot differs.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::time::Instant;

use anyhow::Context;
use zeroxor::protocol::{self, JudgeTurn};
use zeroxor::quote;

use crate::event::Event;
use crate::limits::Limits;
use crate::player::process::Process;
use crate::player::{Bot, Patience};
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
    let mut bot = Hearer::new(Process::spawn(command)?, recorded);
    bot.process.say(format!("{}\n", opening.game).as_bytes());
    let mut same = 0;
    loop {
        let turn = Turn { due: referee.due(), ply: referee.plies() + 1 };
        if turn.due == Due::OpponentMove {
            match turns.next() {
                Some(JudgeTurn::Move(mv)) if referee.play(mv).is_ok() => {
                    bot.process.say(format!("{mv}\n").as_bytes());
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

/// A line without its end.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A bot whose lines are taken one by one, within the limits of the record.
struct Hearer {
    process: Process,
    lines: VecDeque<Vec<u8>>,
    limits: Limits,
    started: Instant,
    gone: bool,
}

impl Hearer {
    fn new(process: Process, recorded: &Recorded) -> Self {
        let limits = recorded.opening.terms.limits;
        Self { process, lines: VecDeque::new(), limits, started: Instant::now(), gone: false }
    }

    /// The next line; `None` if none comes.
    fn line(&mut self) -> Option<Vec<u8>> {
        while self.lines.is_empty() && !self.gone {
            let Limits { wall, idle, cpu, memory, .. } = self.limits;
            let wall = wall.saturating_sub(self.started.elapsed());
            for heard in self.process.listen(&Patience { wall, idle, cpu, memory }) {
                match heard.event {
                    Event::Said(line) => self.lines.push_back(bare(&line.0).to_vec()),
                    Event::Stderr(_) | Event::Used(_) => {}
                    _ => self.gone = true,
                }
            }
        }
        self.lines.pop_front()
    }
}
