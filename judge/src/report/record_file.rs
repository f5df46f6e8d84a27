//! The file in which a run keeps its results, a line of JSON each, to be resumed or read again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};

use serde::de::DeserializeOwned;

use crate::referee::transcript::weight::bound_values;

/// The longest line, in bytes: the longest header twice, and the rest of a report.
const LINE_LIMIT: u64 = 4 << 20;

/// The largest number of values in a line: the plies of blunders and the buckets of times.
const VALUES_LIMIT: u64 = 1 << 18;

/// What is kept as a line of JSON.
pub(crate) trait Record: DeserializeOwned {
    /// A record in words, and what writes it: `a game of judge arena`.
    const WHAT: &str;
}

/// A file of records that this judge alone writes to.
#[derive(Debug)]
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// A file for a new run.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or has games already.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let record = Self::open(path, OpenOptions::new().create(true))?;
        let length = record.file.metadata().with_context(|| record.error())?.len();
        ensure!(
            length == 0,
            "the file {} has games already: to continue their run use --resume instead of --record, else another file",
            path.display()
        );
        Ok(record)
    }

    /// The file of a run that is continued, and its records, which `add` is given. A last line that was cut off is
    /// removed; its record is made again.
    ///
    /// # Errors
    ///
    /// If the file cannot be read and written, is damaged, or `add` fails.
    pub(crate) fn resume<T: Record>(
        path: &Path,
        add: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        Self::open(path, &mut OpenOptions::new())?.continued(add)
    }

    /// The file of a run that is new or continued, see [`resume`](Self::resume).
    ///
    /// # Errors
    ///
    /// As [`resume`](Self::resume).
    pub(crate) fn create_or_resume<T: Record>(
        path: &Path,
        add: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        Self::open(path, OpenOptions::new().create(true))?.continued(add)
    }

    fn continued<T: Record>(mut self, add: impl FnMut(T) -> anyhow::Result<()>) -> anyhow::Result<Self> {
        let end = read_records(&self.path, &self.file, add)?;
        self.file.set_len(end).with_context(|| self.error())?;
        self.file.seek(SeekFrom::End(0)).with_context(|| self.error())?;
        Ok(self)
    }

    fn open(path: &Path, options: &mut OpenOptions) -> anyhow::Result<Self> {
        let error = || format!("the record {} cannot be opened", path.display());
        let file = options.read(true).write(true).open(path).with_context(error)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), file }),
            Err(TryLockError::WouldBlock) => {
                bail!("another judge is writing to {}: use a file for each run", path.display())
            }
            Err(TryLockError::Error(cause)) => Err(cause).with_context(error),
        }
    }

    fn error(&self) -> String {
        format!("the record {} cannot be written", self.path.display())
    }

    /// The file's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line with a record.
    ///
    /// # Errors
    ///
    /// If it cannot be written, as on a full disk.
    pub(crate) fn add(&mut self, line: &str) -> anyhow::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).with_context(|| self.error())
    }
}

/// Reads the records of a file, and returns where the last whole line ends.
///
/// # Errors
///
/// If the file cannot be read or is damaged, or `add` fails.
pub(crate) fn read_records<T: Record>(
    path: &Path,
    file: &File,
    mut add: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let (mut input, mut text) = (BufReader::new(file), Vec::new());
    let mut end = 0;
    for number in 1_u64.. {
        let at = || format!("{} line {number}", path.display());
        let Some(line) = whole_line(&mut input, &mut text).with_context(at)? else { break };
        if !line.is_empty() {
            let record = bound_values(line, VALUES_LIMIT).and_then(|()| serde_json::from_slice(line));
            let record = record.map_err(|error| anyhow!("expected {}: {error}", T::WHAT));
            add(record.with_context(at)?).with_context(at)?;
        }
        end += text.len() as u64;
    }
    Ok(end)
}

/// Reads the next line and returns it without its end; `None` if the input ends before the line does.
///
/// # Errors
///
/// If it cannot be read, or is longer than any line of a record.
pub(crate) fn whole_line<'a>(
    input: &mut impl BufRead,
    text: &'a mut Vec<u8>,
) -> anyhow::Result<Option<&'a [u8]>> {
    text.clear();
    input.take(LINE_LIMIT).read_until(b'\n', text).context("the line cannot be read")?;
    let is_short = (text.len() as u64) < LINE_LIMIT || text.ends_with(b"\n");
    ensure!(is_short, "expected at most {LINE_LIMIT} bytes, got more");
    Ok(text.strip_suffix(b"\n"))
}
