//! Writing a transcript.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use super::{Closing, Log, Opening};
use crate::event::{Bytes, Entry, Event};
use crate::limits::STDERR_KEPT;

/// A transcript being written.
pub(crate) struct Transcript {
    out: Box<dyn Write>,
    /// How many bytes of this game's stderr have been written as they came.
    stderr: usize,
    /// The last of those beyond, with the time of the latest.
    tail: VecDeque<u8>,
    latest: Option<Entry>,
}

impl Transcript {
    /// A transcript in a file, `-` for stdout.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let out: Box<dyn Write> = if path == Path::new("-") {
            Box::new(io::stdout())
        } else {
            let file = File::create(path);
            Box::new(file.with_context(|| format!("the transcript {} cannot be created", path.display()))?)
        };
        Ok(Self { out: Box::new(BufWriter::new(out)), stderr: 0, tail: VecDeque::new(), latest: None })
    }

    /// A line at once, so that a killed judge leaves whole ones.
    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    /// What was held back of stderr.
    fn write_tail(&mut self) -> io::Result<()> {
        let Some(mut entry) = self.latest.take() else { return Ok(()) };
        entry.event = Event::Stderr(Bytes(self.tail.drain(..).collect()));
        self.line(&entry)
    }
}

impl Log for Transcript {
    fn begin(&mut self, opening: &Opening) -> io::Result<()> {
        (self.stderr, self.latest) = (0, None);
        self.line(opening)
    }

    fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let Event::Stderr(text) = &entry.event else { return self.line(entry) };
        if self.stderr < STDERR_KEPT {
            self.stderr += text.0.len();
            return self.line(entry);
        }
        self.tail.extend(&text.0);
        let excess = self.tail.len().saturating_sub(STDERR_KEPT);
        self.tail.drain(..excess);
        self.latest = Some(Entry { at: entry.at, event: Event::Closed });
        Ok(())
    }

    fn end(&mut self, closing: &Closing) -> io::Result<()> {
        self.write_tail()?;
        self.line(closing)
    }
}
