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
    has_bot: bool,
    has_stderr: bool,
    summary: Summary,
}

impl<W: Write> Json<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, has_bot: true, has_stderr: true, summary: Summary::default() }
    }

    /// Leaves out the bot's command.
    pub(crate) fn without_bot(self) -> Self {
        Self { has_bot: false, ..self }
    }

    /// Sets whether the lines of games include what the bot wrote to stderr.
    pub(crate) fn show_stderr(self, has_stderr: bool) -> Self {
        Self { has_stderr, ..self }
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
        let mut run = RunReport::from(game);
        if !self.has_bot {
            run.bot = None;
        }
        if !self.has_stderr {
            run = run.without_stderr();
        }
        self.write(&run)
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
