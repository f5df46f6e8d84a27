//! Writes transcripts.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use runner::event::{Bytes, Event, RecordedEvent};
use runner::limits::STDERR_KEPT;
use runner::relay::Side;
use runner::stderr_excerpt::StderrExcerpt;
use serde::Serialize;

use crate::conversation::interaction::{Interaction, Step};
use crate::output;
use crate::report::run::RunReport;
use crate::report::transcript::{GameLog, PassLine, RunSetup, SetupLine};

/// Writes a transcript. It is a log of games, and takes whole runs.
pub(crate) struct TranscriptWriter {
    /// The path of the file, `-` for stdout. The file is created when the first game or run is written.
    path: PathBuf,
    out: Option<Box<dyn Write>>,
    /// The number of bytes of this game's stderr that were written at once, when they were received.
    stderr_written: usize,
    /// The last bytes of stderr, not counting the bytes in `stderr_written`. They are written at the end of the game.
    stderr_tail: StderrExcerpt,
    /// The time of the latest event in `stderr_tail`.
    tail_time: Option<Duration>,
}

impl TranscriptWriter {
    /// Creates a writer for a file, `-` for stdout. Any file with this path is replaced.
    pub(crate) fn new(path: &Path) -> Self {
        let stderr_tail = StderrExcerpt::new(0, STDERR_KEPT);
        Self { path: path.to_owned(), out: None, stderr_written: 0, stderr_tail, tail_time: None }
    }

    /// Writes a run against an interactor.
    pub(crate) fn add_run(
        &mut self,
        setup: &RunSetup,
        passes: &[Interaction],
        result: &RunReport,
    ) -> anyhow::Result<()> {
        self.begin_line(setup)?;
        let mut write_parts = || {
            for (pass, interaction) in (1..).zip(passes) {
                if pass > 1 {
                    self.write_line(&PassLine { pass })?;
                }
                interaction.steps().iter().try_for_each(|step| self.write_line(step))?;
            }
            self.write_line(result)
        };
        write_parts().context(UNWRITABLE)
    }

    /// Writes the first line of a game or a run, after creating the file if no earlier call has created it.
    fn begin_line(&mut self, setup: &impl Serialize) -> anyhow::Result<()> {
        if self.out.is_none() {
            let path = self.path.display();
            let out = output::create(&self.path)
                .with_context(|| format!("the transcript {path} cannot be created"))?;
            self.out = Some(Box::new(BufWriter::new(out)));
        }
        self.write_line(setup).context(UNWRITABLE)
    }

    /// Writes and flushes a line, so that a killed judge loses no line that was written before.
    fn write_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let Some(out) = &mut self.out else { return Err(io::Error::other("no game has begun")) };
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Writes an event of the bot of a game.
    fn write_event(&mut self, at: Duration, event: Event) -> io::Result<()> {
        self.write_line(&Step { at, side: Side::Bot, event })
    }

    /// Writes the last bytes of stderr, if they have not been written.
    fn write_stderr_tail(&mut self) -> io::Result<()> {
        let Some(at) = self.tail_time.take() else { return Ok(()) };
        let StderrExcerpt { tail, omitted, .. } =
            std::mem::replace(&mut self.stderr_tail, StderrExcerpt::new(0, STDERR_KEPT));
        if omitted.bytes > 0 {
            self.write_event(at, Event::StderrOmitted(omitted))?;
        }
        self.write_event(at, Event::Stderr(Bytes(tail.into())))
    }
}

const UNWRITABLE: &str = "the transcript cannot be written";

impl GameLog for TranscriptWriter {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        (self.stderr_written, self.tail_time) = (0, None);
        self.stderr_tail = StderrExcerpt::new(0, STDERR_KEPT);
        self.begin_line(setup)
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        match &entry.event {
            Event::Stderr(text) if self.stderr_written < STDERR_KEPT => {
                self.stderr_written += text.0.len();
                return self.write_event(entry.at, entry.event.clone());
            }
            Event::Stderr(text) => self.stderr_tail.extend(&text.0),
            Event::StderrOmitted(omitted) => self.stderr_tail.omit(*omitted),
            event => return self.write_event(entry.at, event.clone()),
        }
        self.tail_time = Some(entry.at);
        Ok(())
    }

    fn end(&mut self, result: &RunReport) -> anyhow::Result<()> {
        self.write_stderr_tail().and_then(|()| self.write_line(result)).context(UNWRITABLE)
    }
}
