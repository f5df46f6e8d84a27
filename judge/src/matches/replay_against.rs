//! A recorded game played again against a bot: the judge sends its recorded lines, and the first line in which the
//! bot differs is told.

use std::ffi::OsString;
use std::fmt;
use std::io::BufRead;

use anyhow::bail;
use zeroxor::wire::protocol::{self, JudgeTurn};
use zeroxor::wire::quoted;

use crate::process::bot_process::Process;
use crate::process::listener::{Listener, bare};
use crate::process::start::Start;
use crate::referee::config::MatchConfig;
use crate::referee::conversation::{Conversation, Expected, Turn};
use crate::referee::event::{Event, Limit, RecordedEvent};
use crate::referee::limits::{LINE_LIMIT, Limits, OUTPUT_LIMIT};
use crate::referee::setup::GameHeader;
use crate::referee::transcript::SetupLine;
use crate::referee::transcript::read::Reader;

/// How a bot's lines compare with the recorded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
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

/// What judge and bot have sent each other in a recorded game.
pub(crate) struct RecordedGame {
    setup: SetupLine,
    conversation: Conversation,
    /// The judge's lines and the bot's.
    sent: Vec<u8>,
    received: Vec<u8>,
}

impl RecordedGame {
    /// Reads the events of the game with this set-up.
    ///
    /// # Errors
    ///
    /// If it sets up no game, or the transcript is damaged.
    pub(crate) fn read(setup: SetupLine, games: &mut Reader<impl BufRead>) -> anyhow::Result<Self> {
        let conversation = Conversation::new(&setup.game.header)?;
        let mut game = Self { setup, conversation, sent: Vec::new(), received: Vec::new() };
        games.events(|RecordedEvent { event, .. }| {
            match event {
                Event::Sent(line) => keep(&mut game.sent, &line.0),
                Event::Received(line) => keep(&mut game.received, &line.0),
                _ => {}
            }
            Ok(())
        })?;
        Ok(game)
    }

    /// The header of the game.
    pub(crate) fn header(&self) -> &GameHeader {
        &self.setup.game.header
    }

    /// Plays the judge's lines against a bot, turn by turn, until a line of the bot's is another than the
    /// recorded one.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started or the judge cannot read its output.
    pub(crate) fn replay_against(self, bot: &[OsString]) -> anyhow::Result<Comparison> {
        let Self { setup, mut conversation, sent, received } = self;
        let limits = setup.config.limits;
        let start = Start::new(&MatchConfig { bot: bot.to_vec(), ..setup.config })?;
        let mut bot = Listener::new(Process::spawn(&start)?, limits);
        let mut recorded = received.split_inclusive(|&byte| byte == b'\n').map(bare);
        // What opened the conversation is no turn.
        let lines = sent.split_inclusive(|&byte| byte == b'\n').map(bare);
        let mut judge_turns = lines.filter_map(|line| protocol::parse_judge_turn(line).ok());
        bot.send(setup.game.header.text());
        let mut same = 0;
        loop {
            let turn = conversation.turn();
            if turn.expected == Expected::OpponentMove {
                match judge_turns.next() {
                    Some(JudgeTurn::Move(mv)) if conversation.play(mv).is_ok() => bot.send(&mv.to_string()),
                    _ => return Ok(Comparison::Same(same)),
                }
                continue;
            }
            let Some(line) = recorded.next() else { return Ok(Comparison::Same(same)) };
            let now = match bot.line() {
                Some(now) if now == line => now,
                Some(now) => return Ok(different(turn, line, Ok(now))),
                None => return no_line(bot, &limits, turn, line),
            };
            same += 1;
            let taken = match turn.expected {
                Expected::Side => conversation.receive_side(&now),
                _ => conversation.receive_move(&now),
            };
            if taken.is_err() {
                return Ok(Comparison::Same(same));
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

fn different(turn: Turn, recorded: &[u8], said: Result<Vec<u8>, String>) -> Comparison {
    Comparison::Different(Difference { turn, recorded: recorded.to_vec(), said })
}

/// The comparison of a line that does not come.
fn no_line(bot: Listener, limits: &Limits, turn: Turn, recorded: &[u8]) -> anyhow::Result<Comparison> {
    let stop = bot.stop().cloned();
    let why = match stop {
        Some(Event::Interrupted) => return Ok(Comparison::Interrupted),
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
            exit.map_or("closed its stdout".to_owned(), |exit| exit.to_string())
        }
    };
    Ok(different(turn, recorded, Err(why)))
}
