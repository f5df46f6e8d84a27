//! The log that writes transcripts.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use common::file_kind::FileKind;
use common::output;
use common::safe_file::create_locked;
use referee::transcript::{GameLog, ResultLine, SetupLine};
use runner::event::{Bytes, Event, RecordedEvent};
use runner::limits::STDERR_KEPT;
use runner::stderr_excerpt::StderrExcerpt;

/// The file kind of a transcript.
const TRANSCRIPT: FileKind = FileKind::new("a transcript", &["{\"transcript\":"]);

/// The file of a transcript.
pub(crate) struct TranscriptFile {
    /// The path of the file, `-` for stdout. The file is created when the first game begins.
    path: PathBuf,
    out: Option<Box<dyn Write>>,
}

impl TranscriptFile {
    /// Names a file that the user chose, `-` for stdout. Refuses to replace a file that is not a transcript, unless
    /// `force` is set.
    ///
    /// # Errors
    ///
    /// If the path names a file of another kind.
    pub(crate) fn open(path: &Path, force: bool) -> anyhow::Result<Self> {
        if !output::is_stream(path) {
            TRANSCRIPT.ensure_replaceable(path, force)?;
        }
        Ok(Self { path: path.to_owned(), out: None })
    }

    /// Creates the file, unless an earlier call has created it.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub(crate) fn begin(&mut self) -> anyhow::Result<()> {
        if self.out.is_none() {
            let path = self.path.display();
            let out =
                create(&self.path).with_context(|| format!("the transcript {path} cannot be created"))?;
            self.out = Some(out);
        }
        Ok(())
    }

    /// Writes and flushes a line, so that a killed judge leaves only complete lines.
    ///
    /// # Errors
    ///
    /// If the line cannot be written.
    pub(crate) fn write_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let Some(out) = &mut self.out else { return Err(io::Error::other("no game has begun")) };
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }
}

/// A log that writes a transcript.
pub(crate) struct TranscriptWriter {
    file: TranscriptFile,
    /// The number of bytes of this game's stderr that were written as they came.
    stderr_written: usize,
    /// The last bytes of the stderr after about `STDERR_KEPT` bytes. They are written at the end of the game.
    stderr_tail: StderrExcerpt,
    /// The time of the latest event in `stderr_tail`.
    tail_time: Option<Duration>,
}

impl TranscriptWriter {
    /// Creates a writer for a file that the user named, `-` for stdout. Refuses to replace a file that is not a
    /// transcript, unless `force` is set.
    pub(crate) fn open(path: &Path, force: bool) -> anyhow::Result<Self> {
        TranscriptFile::open(path, force).map(Self::of)
    }

    /// Creates a writer for a file, `-` for stdout. Any file with this path is replaced.
    pub(crate) fn new(path: &Path) -> Self {
        Self::of(TranscriptFile { path: path.to_owned(), out: None })
    }

    fn of(file: TranscriptFile) -> Self {
        let stderr_tail = StderrExcerpt::new(0, STDERR_KEPT);
        Self { file, stderr_written: 0, stderr_tail, tail_time: None }
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

/// Creates the file of a transcript, or opens the stream that the path names.
fn create(path: &Path) -> io::Result<Box<dyn Write>> {
    Ok(match output::stream(path)? {
        Some(stream) => Box::new(BufWriter::new(stream)),
        None => Box::new(BufWriter::new(create_locked(path)?)),
    })
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
