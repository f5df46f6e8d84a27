//! The log that writes transcripts, and the limit on stderr in them.

use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use runner::event::{Bytes, Event, RecordedEvent};
use runner::limits::STDERR_KEPT;
use runner::stderr_excerpt::StderrExcerpt;

use crate::referee::transcript::{GameLog, ResultLine, SetupLine};
use crate::transcript_file::TranscriptFile;

/// A log that writes a transcript.
pub(crate) struct TranscriptLog(TranscriptFile);

/// Creates a log that writes a transcript to a file, `-` for stdout. An old file with this path is replaced.
pub(crate) fn transcript_log(path: &Path) -> StderrLimit<TranscriptLog> {
    StderrLimit::new(TranscriptLog(TranscriptFile::new(path)))
}

impl GameLog for TranscriptLog {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.0.begin()?;
        self.0.write_line(setup).context("the transcript cannot be written")
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        self.0.write_line(entry)
    }

    fn end(&mut self, result: &ResultLine) -> anyhow::Result<()> {
        self.0.write_line(result).context("the transcript cannot be written")
    }
}

/// A log that passes on the first and the last bytes of a game's stderr, and omits the bytes between them.
pub(crate) struct StderrLimit<L> {
    log: L,
    /// The number of bytes of this game's stderr that were passed on at once, when they were received.
    passed_on: usize,
    /// The last bytes of stderr, not counting the bytes in `passed_on`. They are passed on at the end of the game.
    tail: StderrExcerpt,
    /// The time of the latest event in `tail`.
    tail_time: Option<Duration>,
}

impl<L: GameLog> StderrLimit<L> {
    pub(crate) fn new(log: L) -> Self {
        Self { log, passed_on: 0, tail: StderrExcerpt::new(0, STDERR_KEPT), tail_time: None }
    }

    /// Passes on the last bytes of stderr, if they have not been passed on.
    fn end_stderr(&mut self) -> io::Result<()> {
        let Some(at) = self.tail_time.take() else { return Ok(()) };
        let StderrExcerpt { tail, omitted, .. } =
            std::mem::replace(&mut self.tail, StderrExcerpt::new(0, STDERR_KEPT));
        if omitted.bytes > 0 {
            self.log.write(&RecordedEvent { at, event: Event::StderrOmitted(omitted) })?;
        }
        self.log.write(&RecordedEvent { at, event: Event::Stderr(Bytes(tail.into())) })
    }
}

impl<L: GameLog> GameLog for StderrLimit<L> {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        (self.passed_on, self.tail_time) = (0, None);
        self.tail = StderrExcerpt::new(0, STDERR_KEPT);
        self.log.begin(setup)
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        match &entry.event {
            Event::Stderr(text) if self.passed_on < STDERR_KEPT => {
                self.passed_on += text.0.len();
                return self.log.write(entry);
            }
            Event::Stderr(text) => self.tail.extend(&text.0),
            Event::StderrOmitted(omitted) => self.tail.omit(*omitted),
            _ => return self.log.write(entry),
        }
        self.tail_time = Some(entry.at);
        Ok(())
    }

    fn end(&mut self, result: &ResultLine) -> anyhow::Result<()> {
        self.end_stderr().context("the transcript cannot be written")?;
        self.log.end(result)
    }
}
