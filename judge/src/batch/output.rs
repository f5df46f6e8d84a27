//! All that the programs of a run wrote, for a job with `"output": "full"`.

use runner::event::{Bytes, Event};
use runner::relay::Side;
use serde::Serialize;

use crate::conversation::interaction::{Interaction, Step};
use crate::json::ms;

/// Maximum size of what the runs of a job keep together, in bytes.
pub(crate) const MAX_KEPT: usize = 16 << 20;

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    /// Whether nothing is left out.
    complete: bool,
    /// In the order in which the judge saw them.
    pieces: Vec<Piece>,
    /// The number of bytes that the records may still have; `None` once something did not fit, after which all is left out.
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
    /// `passes` has the records of the passes of a run, or of a game, each with all stderr.
    pub(crate) fn new(passes: &[Interaction]) -> Self {
        let left = passes.last().and_then(|pass| pass.bytes_left);
        let mut output = Self { complete: left.is_some(), pieces: Vec::new(), left };
        for (pass, record) in (1..).zip(passes) {
            for Step { at, side, process, event } in record.steps() {
                let (stream, bytes) = match event {
                    Event::Sent(line) => (Stream::Stdin, line),
                    Event::Received(text) => (Stream::Stdout, text),
                    Event::Stderr(text) => (Stream::Stderr, text),
                    event => {
                        output.complete &= !matches!(event, Event::StderrOmitted(_));
                        continue;
                    }
                };
                let (ms, seat, process, bytes) = (ms(*at), *side, *process, bytes.clone());
                output.pieces.push(Piece { pass, ms, seat, process, stream, bytes });
            }
        }
        output
    }
}
