//! The file in which a run keeps its games, to be resumed or rated again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};

use super::record::GameRecord;
use crate::matches::stress::search_state::whole_line;
use crate::referee::transcript::weight::bound_values;

/// The largest number of values in a record: the plies of blunders and the buckets of times.
const VALUES_LIMIT: u64 = 1 << 18;

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

    /// The file of a run that is continued, and its games, which `add` is given. A last line that was cut off is
    /// removed; its game is played again.
    ///
    /// # Errors
    ///
    /// If the file cannot be read and written, is damaged, or `add` fails.
    pub(crate) fn resume(
        path: &Path,
        add: impl FnMut(GameRecord) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let mut record = Self::open(path, &mut OpenOptions::new())?;
        let end = read_records(path, &record.file, add)?;
        record.file.set_len(end).with_context(|| record.error())?;
        record.file.seek(SeekFrom::End(0)).with_context(|| record.error())?;
        Ok(record)
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

    /// Adds a line with a game.
    ///
    /// # Errors
    ///
    /// If it cannot be written, as on a full disk.
    pub(crate) fn add(&mut self, line: &str) -> anyhow::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).with_context(|| self.error())
    }
}

/// Reads the games of a file, and returns where the last whole line ends.
///
/// # Errors
///
/// If the file cannot be read or is damaged, or `add` fails.
pub(crate) fn read_records(
    path: &Path,
    file: &File,
    mut add: impl FnMut(GameRecord) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let (mut input, mut text) = (BufReader::new(file), Vec::new());
    let mut end = 0;
    for number in 1_u64.. {
        let at = || format!("{} line {number}", path.display());
        let Some(line) = whole_line(&mut input, &mut text).with_context(at)? else { break };
        if !line.is_empty() {
            let record = bound_values(line, VALUES_LIMIT).and_then(|()| serde_json::from_slice(line));
            let record = record.map_err(|error| anyhow!("expected a game of judge arena: {error}"));
            add(record.with_context(at)?).with_context(at)?;
        }
        end += text.len() as u64;
    }
    Ok(end)
}
