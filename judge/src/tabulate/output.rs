//! Where a table goes: stdout or a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::file::Draft;

/// What a path names that is no place for a file, but something that is open already.
const OPEN: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];

/// Where a table goes. It is looked at before anything is computed, so that a bad path costs no time.
pub(crate) enum Output {
    /// Stdout, a device or a pipe.
    Stream(Box<dyn Write>),
    /// A file. What is there stays until the table is complete; and before all is computed there is not even
    /// a draft that a run could leave behind when it is broken off.
    File(PathBuf),
}

impl Output {
    /// Looks at a path; without one it is stdout.
    ///
    /// # Errors
    ///
    /// If nothing can be written there.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stream(Box::new(io::stdout()))) };
        let is_open = OPEN.iter().any(|open| path.starts_with(open));
        if is_open || path.metadata().is_ok_and(|found| !found.is_file()) {
            let stream = File::create(path);
            let stream = stream.with_context(|| format!("{} cannot be written", path.display()))?;
            return Ok(Self::Stream(Box::new(stream)));
        }
        Ok(Self::File(Draft::new(path)?.path().to_owned()))
    }

    /// Whether both are the same file.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        matches!((self, other), (Self::File(path), Self::File(other)) if path == other)
    }

    /// Writes all of a table.
    ///
    /// # Errors
    ///
    /// If it cannot be written; then a file is as it was.
    pub(crate) fn write(self, table: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> anyhow::Result<()> {
        let written = match self {
            Self::Stream(mut stream) => buffered(&mut *stream, table),
            Self::File(path) => {
                let mut draft = Draft::new(&path)?;
                buffered(&mut draft, table).and_then(|()| draft.keep())
            }
        };
        written.context("the table could not be written")
    }
}

/// What the values are written to, one by one.
pub(crate) type Buffer<'a> = BufWriter<&'a mut dyn Write>;

fn buffered(out: &mut dyn Write, table: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let written = table(&mut out).and_then(|()| out.flush());
    // What is left after an error is not to be tried once more on drop.
    let _ = out.into_parts();
    written
}
