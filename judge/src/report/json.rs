//! One JSON object a game, a line each, flushed.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use zeroxor::Move;

use super::{Record, Reporter};
use crate::referee::limits::HeldBy;
use crate::referee::review;
use crate::referee::verdict::Verdict;

/// The format's version.
const SCHEMA: u32 = 1;

pub(crate) struct Json<W> {
    out: W,
}

impl<W: Write> Json<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    game: &'a str,
    opponent: &'a str,
    seed: u64,
    /// `null` if the bot never named one.
    side: Option<String>,
    verdict: String,
    reason: &'a str,
    moves: usize,
    /// From the header to the end of the process.
    wall_ms: f64,
    /// How long the judge waited for the bot's lines, and for which one longest: a move, or 0 for the side.
    waited_ms: f64,
    slowest_ply: Option<u64>,
    slowest_ms: Option<f64>,
    /// What the bot and all that it started used, as far as the system tells.
    cpu_ms: Option<f64>,
    memory_kib: Option<u64>,
    /// How the limits were held: `cgroup` or `proc`, `null` if they were not.
    limits: Option<HeldBy>,
    /// Who wins the start. Like all that follows `null` if theory does not reach, or the bot never named its
    /// side.
    start_won_by: Option<String>,
    /// The bot's moves that let a won position go.
    blunders: Option<Vec<Blunder>>,
    opponent_blunders: Option<u64>,
    /// Whether the bot gave up a position that it could have won.
    resigned_won: bool,
    /// The command that plays the game again, of one that was not won, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<String>,
}

#[derive(Serialize)]
struct Blunder {
    ply: u64,
    #[serde(rename = "move")]
    mv: [u64; 2],
    /// What it left; `null` where only the outcome is in reach.
    nimber: Option<u64>,
    /// A move that would have kept the win.
    better: Option<[u64; 2]>,
}

impl From<&review::Blunder> for Blunder {
    fn from(blunder: &review::Blunder) -> Self {
        let pair = |mv: Move| [mv.place, mv.take];
        Self {
            ply: blunder.ply,
            mv: pair(blunder.mv),
            nimber: blunder.nimber.map(|nimber| nimber.0),
            better: blunder.better.map(pair),
        }
    }
}

/// Milliseconds, to the microsecond.
fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

impl<W: Write> Reporter for Json<W> {
    fn game(&mut self, record: &Record) -> anyhow::Result<()> {
        let outcome = &record.outcome;
        let review = record.review.as_ref().and_then(|review| review.as_ref().ok());
        let line = Line {
            schema: SCHEMA,
            game: &record.opening.game,
            opponent: record.opening.opponent.name(),
            seed: record.opening.seed,
            side: outcome.side.map(|side| side.to_string()),
            verdict: outcome.verdict.to_string(),
            reason: &outcome.reason,
            moves: outcome.moves.len(),
            wall_ms: ms(outcome.wall),
            waited_ms: ms(outcome.timing.waited),
            slowest_ply: outcome.timing.slowest.map(|(ply, _)| ply),
            slowest_ms: outcome.timing.slowest.map(|(_, wait)| ms(wait)),
            cpu_ms: outcome.used.cpu.map(ms),
            memory_kib: outcome.used.memory.map(|bytes| bytes >> 10),
            limits: record.opening.held_by,
            start_won_by: review.map(|review| review.winner.to_string()),
            blunders: review.map(|review| review.blunders.iter().map(Blunder::from).collect()),
            opponent_blunders: review.map(|review| review.opponent_blunders),
            resigned_won: record.resigned_won(),
            again: Some(record)
                .filter(|_| outcome.verdict != Verdict::Won)
                .and_then(|record| record.opening.command()),
        };
        // Written at once: a killed judge leaves whole lines.
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.out.write_all(&text)?;
        self.out.flush()?;
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}
