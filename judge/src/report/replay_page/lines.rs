//! The lines of a game as they were sent and received, with what else happened.

use std::time::Duration;

use serde::Serialize;

use common::escape::{printable, printable_bytes};
use common::json::ms;
use runner::event::{Event, Limit};
use runner::limits::LINE_LIMIT;

/// How many bytes of all lines are kept whole. A bot that prints more has long lines, which are shortened from then on.
const FULL_TEXT: usize = 512 << 10;

/// How many characters a line has that is shortened.
const SHORT: usize = 100;

/// Who a line is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Speaker {
    Judge,
    Bot,
    /// Not a line but an event of the game.
    Event,
}

/// A line of the game.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    /// The time since the game began.
    ms: f64,
    pub(super) from: Speaker,
    text: String,
    /// How many moves had been made when the line had been read, its own among them.
    pub(super) moves: usize,
    /// Whether the line is the last of these moves.
    #[serde(rename = "isMove", skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_move: bool,
    /// How long the judge waited for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waited: Option<f64>,
}

/// The lines of a game, in the order in which they were sent and received.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) list: Vec<Line>,
    /// How many bytes they have.
    bytes: usize,
    pub(super) has_shortened: bool,
}

impl Lines {
    /// Adds what an event has to show, if anything; `true` if it did.
    pub(super) fn add(&mut self, at: Duration, event: &Event) -> bool {
        let (from, text) = match event {
            Event::Sent(line) => (Speaker::Judge, self.line_text(&line.0)),
            Event::Received(line) => (Speaker::Bot, self.line_text(&line.0)),
            event => match words(event) {
                Some(words) => (Speaker::Event, printable(&words)),
                None => return false,
            },
        };
        self.list.push(Line { ms: ms(at), from, text, moves: 0, is_move: false, waited: None });
        true
    }

    /// A line without its LF, shortened if it is longer than any legal line or there has been too much text.
    fn line_text(&mut self, line: &[u8]) -> String {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let kept = if self.bytes < FULL_TEXT { LINE_LIMIT } else { SHORT };
        self.bytes += line.len();
        if line.len() <= kept {
            return printable_bytes(line);
        }
        self.has_shortened = true;
        format!("{}… ({} bytes)", printable_bytes(&line[..kept]), line.len())
    }
}

/// What happened, for events that are no lines; `None` if it is not shown.
fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::Sent(_) | Event::Received(_) | Event::Stderr(_) | Event::StderrOmitted(_) | Event::Used(_) => {
            return None;
        }
        Event::Closed => "the bot's stdout ended".to_owned(),
        Event::Exited(exit) => format!("the bot {exit}"),
        Event::Limit(report) => format!("the bot reached {}", limit_words(report.limit)),
        Event::InputEnded => "the judge ended the bot's input".to_owned(),
        Event::StillRunning(running) if running.sleeping => "the bot has not ended, and sleeps".to_owned(),
        Event::StillRunning(_) => "the bot has not ended, and uses CPU".to_owned(),
        Event::Killed => "the judge ended the bot".to_owned(),
        Event::Delayed(delay) => format!("the judge itself did not run for {:.1} ms", ms(delay.by)),
        Event::Stopped => "a signal stopped the judge itself".to_owned(),
        Event::Forfeited(forfeit) => format!("the opponent ended its own game: {}", forfeit.verdict),
        Event::Interrupted => "the judge was interrupted".to_owned(),
        Event::Failed(failure) => format!("the judge could not continue: {}", failure.why),
    })
}

fn limit_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Wall => "the limit on the time that the judge waits",
        Limit::Idle => "the limit on the time without a line or CPU time",
        Limit::Cpu => "the limit on CPU time",
        Limit::Memory => "the limit on memory",
        Limit::Processes => "the limit on processes",
        Limit::Line => "the limit on the length of a line",
    }
}
