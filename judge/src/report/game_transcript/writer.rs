//! The log that writes transcripts.

use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use runner::event::{Bytes, Event, RecordedEvent};
use runner::limits::STDERR_KEPT;
use runner::stderr_excerpt::StderrExcerpt;

use crate::report::game_transcript::{GameLog, ResultLine, SetupLine};
use crate::report::transcript_file::TranscriptFile;

/// A log that writes a transcript.
pub(crate) struct TranscriptWriter {
    file: TranscriptFile,
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
        Self { file: TranscriptFile::new(path), stderr_written: 0, stderr_tail, tail_time: None }
    }

    /// Writes the last bytes of stderr, if they have not been written.
    fn write_stderr_tail(&mut self) -> io::Result<()> {
        let Some(at) = self.tail_time.take() else { return Ok(()) };
        let StderrExcerpt { tail, omitted, .. } =
            std::mem::replace(&mut self.stderr_tail, StderrExcerpt::new(0, STDERR_KEPT));
        if omitted.bytes > 0 {
            self.file.write_line(&RecordedEvent { at, event: Event::StderrOmitted(omitted) })?;
        }
        self.file.write_line(&RecordedEvent { at, event: Event::Stderr(Bytes(tail.into())) })
    }
}

impl GameLog for TranscriptWriter {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        (self.stderr_written, self.tail_time) = (0, None);
        self.stderr_tail = StderrExcerpt::new(0, STDERR_KEPT);
        self.file.begin()?;
        self.file.write_line(setup).context("the transcript cannot be written")
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        match &entry.event {
            Event::Stderr(text) if self.stderr_written < STDERR_KEPT => {
                self.stderr_written += text.0.len();
                return self.file.write_line(entry);
            }
            Event::Stderr(text) => self.stderr_tail.extend(&text.0),
            Event::StderrOmitted(omitted) => self.stderr_tail.omit(*omitted),
            _ => return self.file.write_line(entry),
        }
        self.tail_time = Some(entry.at);
        Ok(())
    }

    fn end(&mut self, result: &ResultLine) -> anyhow::Result<()> {
        let written = self.write_stderr_tail().and_then(|()| self.file.write_line(result));
        written.context("the transcript cannot be written")
    }
}
