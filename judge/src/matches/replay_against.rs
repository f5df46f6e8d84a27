//! The judge's side of a recorded game fed to a bot, and the first line in which the bot differs.

use std::ffi::OsString;
use std::fmt;
use std::io::BufRead;

use anyhow::{Context, bail};
use zeroxor::wire::protocol::{self, JudgeTurn};
use zeroxor::wire::quoted;

use crate::process::bot_process::Process;
use crate::process::listener::{Listener, bare};
use crate::process::start::Start;
use crate::referee::conversation::{Due, Referee};
use crate::referee::event::{Event, Limit};
use crate::referee::limits::{LINE_LIMIT, Limits, OUTPUT_LIMIT};
use crate::referee::transcript::Opening;
use crate::referee::transcript::read::Reader;
use crate::referee::verdict::{Turn, died};

/// What came of a rehearsal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rehearsal {
    /// The bot said every line that was recorded, so many.
    Same(usize),
    Different(Difference),
    /// Ctrl-C.
    Interrupted,
}

/// The first line in which a bot differs from the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    turn: Turn,
    recorded: Vec<u8>,
    /// If no line came, why.
    said: Result<Vec<u8>, String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { turn, recorded, said } = self;
        write!(f, "{turn}: the transcript has {}, ", quoted(recorded))?;
        match said {
            Ok(said) => write!(f, "the bot says {}", quoted(said)),
            Err(why) => write!(f, "no line came from the bot: it {why}"),
        }
    }
}

/// What was said in a recorded game.
pub(crate) struct Script {
    opening: Opening,
    referee: Referee,
    /// The judge's lines and the bot's.
    told: Vec<u8>,
    said: Vec<u8>,
}

impl Script {
    /// Reads the game that was opened.
    ///
    /// # Errors
    ///
    /// If the opening sets up no game, or the transcript is damaged.
    pub(crate) fn read(opening: Opening, games: &mut Reader<impl BufRead>) -> anyhow::Result<Self> {
        let header = protocol::parse_header(opening.game.as_bytes()).context("the header is malformed")?;
        let referee = Referee::new(&header)?;
        let mut script = Self { opening, referee, told: Vec::new(), said: Vec::new() };
        games.events(|entry| {
            match &entry.event {
                Event::Sent(line) => keep(&mut script.told, &line.0),
                Event::Received(line) => keep(&mut script.said, &line.0),
                _ => {}
            }
            Ok(())
        })?;
        Ok(script)
    }

    /// The header of the game.
    pub(crate) fn game(&self) -> &str {
        &self.opening.game
    }

    /// Plays the judge's lines against a bot, turn by turn, until a line of the bot's is another than the
    /// recorded one.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started or the judge cannot hear it.
    pub(crate) fn rehearse(self, bot: &[OsString]) -> anyhow::Result<Rehearsal> {
        let Self { opening, mut referee, told, said } = self;
        let limits = opening.terms.limits;
        let start = Start::new(bot, &opening.terms)?;
        let mut bot = Listener::new(Process::spawn(&start)?, limits);
        let mut said = said.split_inclusive(|&byte| byte == b'\n').map(bare);
        // What opened the conversation is no turn.
        let lines = told.split_inclusive(|&byte| byte == b'\n').map(bare);
        let mut turns = lines.filter_map(|line| protocol::parse_judge_turn(line).ok());
        bot.send(&opening.game);
        let mut same = 0;
        loop {
            let turn = Turn { due: referee.due(), ply: referee.plies() + 1 };
            if turn.due == Due::OpponentMove {
                match turns.next() {
                    Some(JudgeTurn::Move(mv)) if referee.play(mv).is_ok() => {
                        bot.send(&mv.to_string());
                    }
                    _ => return Ok(Rehearsal::Same(same)),
                }
                continue;
            }
            let Some(line) = said.next() else { return Ok(Rehearsal::Same(same)) };
            let now = match bot.line() {
                Some(now) if now == line => now,
                Some(now) => return Ok(different(turn, line, Ok(now))),
                None => return silence(bot, limits, turn, line),
            };
            same += 1;
            let goes_on = match turn.due {
                Due::Side => referee.receive_side(&now).is_ok(),
                _ => referee.receive_move(&now).is_ok(),
            };
            if !goes_on {
                return Ok(Rehearsal::Same(same));
            }
        }
    }
}

/// Keeps a line, its end included. No game goes on beyond the output limit.
fn keep(lines: &mut Vec<u8>, line: &[u8]) {
    if lines.len() <= OUTPUT_LIMIT {
        lines.extend(line);
        lines.extend((!line.ends_with(b"\n")).then_some(b'\n'));
    }
}

fn different(turn: Turn, recorded: &[u8], said: Result<Vec<u8>, String>) -> Rehearsal {
    Rehearsal::Different(Difference { turn, recorded: recorded.to_vec(), said })
}

/// What to make of a line that does not come.
fn silence(bot: Listener, limits: Limits, turn: Turn, recorded: &[u8]) -> anyhow::Result<Rehearsal> {
    let stop = bot.stop().cloned();
    let why = match stop {
        Some(Event::Interrupted) => return Ok(Rehearsal::Interrupted),
        Some(Event::Failed(failure)) => bail!(failure.why),
        Some(Event::Limit(standing)) => match standing.limit {
            Limit::Wall => format!("used up its {} s", limits.wall.as_secs_f64()),
            Limit::Idle => format!("was idle for {} s", limits.idle.as_secs_f64()),
            Limit::Cpu => format!("used more than its {} s of CPU", limits.cpu.as_secs_f64()),
            Limit::Memory => format!("held more than its {} MiB", limits.memory >> 20),
            Limit::Processes => {
                format!("wanted more than its {} processes and threads at a time", limits.processes)
            }
            Limit::Line => format!("began a line of more than {LINE_LIMIT} bytes"),
        },
        _ => {
            // The exit may be known only after the end of stdout.
            let (events, _) = bot.end(limits.grace);
            let exit = events.into_iter().find_map(|event| match event {
                Event::Exited(exit) => Some(exit),
                _ => None,
            });
            exit.map_or("closed its stdout".to_owned(), died)
        }
    };
    Ok(different(turn, recorded, Err(why)))
}
