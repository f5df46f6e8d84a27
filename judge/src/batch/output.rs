//! All that the programs of a run wrote, for a job with `"output": "full"`.

use runner::event::{Bytes, Event};
use runner::relay::Side;
use serde::Serialize;

use crate::conversation::interaction::Step;
use crate::json::ms;
use crate::report::transcript::{GameLog, LogEntry};
use crate::trials::problem::trial::TrialResult;

/// Maximum size of what the runs of a job keep together, in bytes.
pub(crate) const MAX_KEPT: usize = 16 << 20;

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    /// Whether nothing is left out.
    complete: bool,
    /// In the order in which the judge saw them.
    pieces: Vec<Piece>,
    /// The number of bytes that may still be added; `None` once a piece did not fit, after which all are left out.
    #[serde(skip)]
    pub(crate) left: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Piece {
    pass: u32,
    /// The time since the start of the pass.
    ms: f64,
    seat: Side,
    /// Which process of the bot this is, or gets these bytes of the interactor; `None` if the bot has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<usize>,
    stream: Stream,
    #[serde(flatten)]
    bytes: Bytes,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Stream {
    /// What the judge sent in a game.
    Stdin,
    Stdout,
    Stderr,
}

impl Output {
    pub(crate) fn new(max: usize) -> Self {
        Self { complete: true, pieces: Vec::new(), left: Some(max) }
    }

    /// The record of the trial is limited already.
    pub(crate) fn of_trial(result: &TrialResult) -> Self {
        let mut output = Self::new(usize::MAX);
        for (pass, interaction) in (1..).zip(&result.interactions) {
            for step in interaction.steps() {
                output.add(pass, step);
            }
        }
        output.left = result.bytes_left();
        output.complete &= result.is_recorded();
        output
    }

    fn add(&mut self, pass: u32, Step { at, side, process, event }: &Step) {
        self.complete &= !matches!(event, Event::StderrOmitted(_));
        let (stream, bytes) = match event {
            Event::Sent(line) => (Stream::Stdin, line),
            Event::Received(text) => (Stream::Stdout, text),
            Event::Stderr(text) => (Stream::Stderr, text),
            _ => return,
        };
        let size = size_of::<Piece>() + bytes.0.len();
        self.left = self.left.and_then(|left| left.checked_sub(size));
        self.complete &= self.left.is_some();
        if self.left.is_some() {
            let (ms, seat, process) = (ms(*at), *side, *process);
            self.pieces.push(Piece { pass, ms, seat, process, stream, bytes: bytes.clone() });
        }
    }
}

impl GameLog for Output {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()> {
        if let LogEntry::Step(step) = entry {
            self.add(1, step);
        }
        Ok(())
    }
}
