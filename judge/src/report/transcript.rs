//! Writing a transcript.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use crate::referee::event::{Bytes, Event, RecordedEvent};
use crate::referee::limits::STDERR_KEPT;
use crate::referee::transcript::{Log, ResultLine, SetupLine};
use crate::report::output;

/// A transcript being written.
pub(crate) struct Transcript {
    /// Where it goes, `-` for stdout. A file is made only when there is a game to write.
    path: PathBuf,
    out: Option<Box<dyn Write>>,
    /// How many bytes of this game's stderr have been written as they came.
    stderr: usize,
    /// The last of those beyond, with the time of the latest.
    tail: VecDeque<u8>,
    latest: Option<Duration>,
}

impl Transcript {
    /// A transcript in a file, `-` for stdout.
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), out: None, stderr: 0, tail: VecDeque::new(), latest: None }
    }

    /// A line at once, so that a killed judge leaves whole ones.
    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let Some(out) = &mut self.out else { return Err(io::Error::other("no game has begun")) };
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// What was held back of stderr.
    fn write_tail(&mut self) -> io::Result<()> {
        let Some(at) = self.latest.take() else { return Ok(()) };
        let event = Event::Stderr(Bytes(self.tail.drain(..).collect()));
        self.line(&RecordedEvent { at, event })
    }
}

fn create(path: &Path) -> io::Result<Box<dyn Write>> {
    Ok(match output::stream(path)? {
        Some(stream) => Box::new(BufWriter::new(stream)),
        None => Box::new(BufWriter::new(create_alone(path)?)),
    })
}

/// An empty file that no other judge writes as long as it is open.
fn create_alone(path: &Path) -> io::Result<File> {
    // What another judge has written must not be lost before the lock is held.
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(io::Error::other("another judge is writing it; give each a file of its own"));
        }
        Err(TryLockError::Error(error)) => return Err(error),
    }
    file.set_len(0)?;
    Ok(file)
}

impl Log for Transcript {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        (self.stderr, self.latest) = (0, None);
        self.tail.clear();
        if self.out.is_none() {
            let path = self.path.display();
            let out =
                create(&self.path).with_context(|| format!("the transcript {path} cannot be created"))?;
            self.out = Some(out);
        }
        self.line(setup).context("the transcript cannot be written")
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        let Event::Stderr(text) = &entry.event else { return self.line(entry) };
        if self.stderr < STDERR_KEPT {
            self.stderr += text.0.len();
            return self.line(entry);
        }
        self.tail.extend(&text.0);
        let excess = self.tail.len().saturating_sub(STDERR_KEPT);
        self.tail.drain(..excess);
        self.latest = Some(entry.at);
        Ok(())
    }

    fn end(&mut self, result: &ResultLine) -> io::Result<()> {
        self.write_tail()?;
        self.line(result)
    }
}
