//! One JSON object a game, a line each, flushed.

use std::io::Write;

use serde::Serialize;

use super::{Record, Reporter};

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
    moves: u64,
    wall_ms: f64,
}

impl<W: Write> Reporter for Json<W> {
    fn game(&mut self, record: &Record<'_>) -> anyhow::Result<()> {
        let outcome = &record.outcome;
        let line = Line {
            schema: SCHEMA,
            game: record.game,
            opponent: record.opponent.name(),
            seed: record.seed,
            side: outcome.side.map(|side| side.to_string()),
            verdict: outcome.verdict.to_string(),
            reason: &outcome.reason,
            moves: outcome.moves,
            // To the microsecond.
            wall_ms: (outcome.wall.as_secs_f64() * 1e6).round() / 1e3,
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
