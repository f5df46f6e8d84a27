//! The report for a program: a JSON line for each run, and one for the summary of several games.

use std::io::Write;

use serde::Serialize;

use crate::referee::game::review::FinishedGame;
use crate::report::Reporter;
use crate::report::run::RunReport;
use crate::report::summary::{Summary, SummaryLine};

/// A reporter that writes JSON for a program.
pub(crate) struct Json<W> {
    out: W,
    summary: Summary,
}

impl<W: Write> Json<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, summary: Summary::default() }
    }

    /// Writes and flushes a line, so that a killed judge leaves only complete lines.
    pub(crate) fn write(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(value)?;
        text.push(b'\n');
        self.out.write_all(&text)?;
        self.out.flush()?;
        Ok(())
    }
}

impl<W: Write> Reporter for Json<W> {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        self.summary.add(game);
        self.write(&RunReport::from(game))
    }

    fn run(&mut self, run: &RunReport) -> anyhow::Result<()> {
        self.write(run)
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        if self.summary.games() < 2 {
            return Ok(());
        }
        let summary = std::mem::take(&mut self.summary);
        self.write(&SummaryLine::from(&summary))
    }
}
