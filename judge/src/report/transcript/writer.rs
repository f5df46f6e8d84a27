//! Writes transcripts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use runner::event::RecordedEvent;
use serde::Serialize;

use crate::conversation::interaction::{Interaction, Step};
use crate::json;
use crate::output;
use crate::report::run::RunReport;
use crate::report::transcript::{GameLog, KeptStderr, RunSetup, SetupLine, parts};

/// Writes a transcript. It is a log of games, and takes whole runs.
pub(crate) struct TranscriptWriter {
    /// The path of the file, `-` for stdout. The file is created when the first game or run is written.
    path: PathBuf,
    out: Option<Box<dyn Write>>,
    stderr: KeptStderr,
}

impl TranscriptWriter {
    /// Creates a writer for a file, `-` for stdout. Any file with this path is replaced.
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), out: None, stderr: KeptStderr::default() }
    }

    pub(crate) fn add_run(
        &mut self,
        setup: &RunSetup,
        passes: &[Interaction],
        result: &RunReport,
    ) -> anyhow::Result<()> {
        self.begin_line(setup)?;
        let written = parts(passes).try_for_each(|part| self.write_line(&part));
        written.and_then(|()| self.write_line(result)).context(UNWRITABLE)
    }

    /// Writes the first line of a game or a run, after creating the file if no earlier call has created it.
    fn begin_line(&mut self, setup: &impl Serialize) -> anyhow::Result<()> {
        if self.out.is_none() {
            let path = self.path.display();
            let out = output::create(&self.path)
                .with_context(|| format!("the transcript {path} cannot be created"))?;
            self.out = Some(out);
        }
        self.write_line(setup).context(UNWRITABLE)
    }

    fn write_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let Some(out) = &mut self.out else { return Err(io::Error::other("no game has begun")) };
        json::write_line(out, value)
    }

    fn write_event(&mut self, event: RecordedEvent) -> io::Result<()> {
        self.write_line(&Step::of_game(event))
    }
}

const UNWRITABLE: &str = "the transcript cannot be written";

impl GameLog for TranscriptWriter {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.stderr = KeptStderr::default();
        self.begin_line(setup)
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        if self.stderr.keeps(entry) { self.write_event(entry.clone()) } else { Ok(()) }
    }

    fn end(&mut self, result: &RunReport) -> anyhow::Result<()> {
        let stderr = self.stderr.take_end();
        let written = stderr.into_iter().try_for_each(|event| self.write_event(event));
        written.and_then(|()| self.write_line(result)).context(UNWRITABLE)
    }
}
