//! The file in which a run keeps its results, a line of JSON each, to be resumed, merged or read again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use rustix::io::Errno;
use serde::de::DeserializeOwned;

use crate::escape::complain;
use crate::referee::transcript::weight::bound_values;

/// The longest line of such a file, in bytes: the longest header twice, and the rest of a report.
const LINE_LIMIT: u64 = 4 << 20;

/// The largest number of values in a line: the plies of blunders, with ten values each, and the buckets of times.
const VALUES_LIMIT: u64 = 1 << 18;

/// How long a judge waits for another one that writes to the file. An engine may start a task again while its first judge
/// is still ending.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often it looks.
const LOCK_INTERVAL: Duration = Duration::from_millis(50);

/// What is kept as a line of JSON.
pub(crate) trait Record: DeserializeOwned {
    /// A record in words, and what writes it: `a game of judge arena`.
    const WHAT: &str;

    /// Refuses a record that contradicts itself.
    ///
    /// # Errors
    ///
    /// If it does.
    fn check(&self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// A file of records that this judge alone writes to.
#[derive(Debug)]
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
    /// Where its last whole line ends.
    end: u64,
}

impl RecordFile {
    /// A file for a new run.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or has lines already.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let record = Self::open(path, OpenOptions::new().create(true), Duration::ZERO)?;
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
        Self::open(path, &mut OpenOptions::new(), Duration::ZERO)?.continued(add)
    }

    /// The file of a run that is new or continued, so that the same command does both, see [`resume`](Self::resume).
    ///
    /// # Errors
    ///
    /// As [`resume`](Self::resume). Another judge that writes to the file is waited for.
    pub(crate) fn create_or_resume<T: Record>(
        path: &Path,
        add: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        Self::open(path, OpenOptions::new().create(true), PATIENCE)?.continued(add)
    }

    /// Reads the records, and goes to their end.
    fn continued<T: Record>(mut self, add: impl FnMut(T) -> anyhow::Result<()>) -> anyhow::Result<Self> {
        self.end = read_records(&self.path, &self.file, add)?;
        // A device has no length.
        if self.file.metadata().with_context(|| self.error())?.is_file() {
            self.file.set_len(self.end).with_context(|| self.error())?;
            self.file.seek(SeekFrom::Start(self.end)).with_context(|| self.error())?;
        }
        Ok(self)
    }

    fn open(path: &Path, options: &mut OpenOptions, patience: Duration) -> anyhow::Result<Self> {
        let error = || format!("the record {} cannot be opened", path.display());
        let file = options.read(true).write(true).open(path).with_context(error)?;
        if !lock(&file, path, patience).with_context(error)? {
            bail!("another judge is writing to {}: use a file for each run", path.display());
        }
        Ok(Self { path: path.to_owned(), file, end: 0 })
    }

    fn error(&self) -> String {
        format!("the record {} cannot be written", self.path.display())
    }

    /// The file's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// If it cannot be written, as on a full disk. What has been written of it is removed then.
    pub(crate) fn add(&mut self, line: &str) -> anyhow::Result<()> {
        let text = format!("{line}\n");
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // Where that fails as well, the line has no end and is removed when the run is resumed.
            let _ = self.file.set_len(self.end);
            return Err(error).with_context(|| self.error());
        }
        self.end += text.len() as u64;
        Ok(())
    }
}

/// Locks a file; false if another judge has locked it and does not end in time.
fn lock(file: &File, path: &Path, patience: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + patience;
    let mut is_told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(false),
            Err(TryLockError::WouldBlock) => {
                if !is_told {
                    complain(format_args!("waiting for another judge that is writing to {}", path.display()));
                    is_told = true;
                }
                thread::sleep(LOCK_INTERVAL);
            }
            // Some file systems of clusters have no locks.
            Err(TryLockError::Error(error)) if has_no_locks(&error) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

fn has_no_locks(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(code, Some(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK))
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
    let (mut input, mut text) = (BufReader::with_capacity(1 << 16, file), Vec::new());
    let mut end = 0;
    for number in 1_u64.. {
        let at = || format!("{} line {number}", path.display());
        let Some(line) = whole_line(&mut input, &mut text).with_context(at)? else { break };
        if !line.is_empty() {
            let record: T = read_record(line).map_err(|error| expected::<T>(&error)).with_context(at)?;
            record.check().with_context(at)?;
            add(record).with_context(at)?;
        }
        end += text.len() as u64;
    }
    Ok(end)
}

/// Reads a record from its line.
///
/// # Errors
///
/// If it is no such record, or has too many values.
pub(crate) fn read_record<T: Record>(line: &[u8]) -> serde_json::Result<T> {
    bound_values(line, VALUES_LIMIT)?;
    serde_json::from_slice(line)
}

/// Why a line is no record.
pub(crate) fn expected<T: Record>(error: &serde_json::Error) -> anyhow::Error {
    anyhow!("expected {}: {error}", T::WHAT)
}

/// Reads the next line and returns it without its end; `None` if the input ends before the line does.
///
/// # Errors
///
/// If it cannot be read, or is too long.
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
