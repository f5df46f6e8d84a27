//! One JSON object a game, a line each, flushed.

use std::io::Write;

use serde::Serialize;
use zeroxor::Move;

use super::{Record, Reporter};
use crate::review;

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
    wall_ms: f64,
    /// Who wins the start. Like all that follows `null` if theory does not reach, or the bot never named its side.
    start_won_by: Option<String>,
    /// The bot's moves that let a won position go.
    blunders: Option<Vec<Blunder>>,
    opponent_blunders: Option<u64>,
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

impl<W: Write> Reporter for Json<W> {
    fn game(&mut self, record: &Record<'_>) -> anyhow::Result<()> {
        let outcome = &record.outcome;
        let review = record.review.as_ref().and_then(|review| review.as_ref().ok());
        let line = Line {
            schema: SCHEMA,
            game: record.game,
            opponent: record.opponent.name(),
            seed: record.seed,
            side: outcome.side.map(|side| side.to_string()),
            verdict: outcome.verdict.to_string(),
            reason: &outcome.reason,
            moves: outcome.moves.len(),
            // To the microsecond.
            wall_ms: (outcome.wall.as_secs_f64() * 1e6).round() / 1e3,
            start_won_by: review.map(|review| review.winner.to_string()),
            blunders: review.map(|review| review.blunders.iter().map(Blunder::from).collect()),
            opponent_blunders: review.map(|review| review.opponent_blunders),
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
