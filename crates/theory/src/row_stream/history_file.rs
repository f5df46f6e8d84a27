//! A file of all values of a game. It provides earlier values that are no longer in memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use zeroxor::Nimber;
use zeroxor::grundy::segment::History;

use super::ensure_file;

/// The first bytes of the file.
const MAGIC: &[u8; 16] = b"zeroxor values 1";

/// Number of buffered bytes at which the buffer is written.
const BUFFER: usize = 1 << 18;

/// A file with all values from heap 0 on, after [`MAGIC`]. Each value has two bytes, little-endian.
pub(crate) struct HistoryFile {
    path: PathBuf,
    file: File,
    /// Number of bytes of values that have been written.
    written: u64,
    /// Bytes that are not written yet.
    waiting: Vec<u8>,
}

impl HistoryFile {
    /// Creates the file, or continues it after its first `known` values. Without `known`, the file must have no values.
    ///
    /// # Errors
    ///
    /// If the file is not a history, belongs to another run, has fewer values, or cannot be written.
    pub(crate) fn open(path: &Path, known: Option<u64>) -> anyhow::Result<Self> {
        let name = path.display();
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.with_context(|| format!("the history {name} cannot be opened"))?;
        let (len, magic) = begin(&mut file).with_context(|| format!("the history {name} cannot be read"))?;
        ensure!(
            len == 0 || magic == MAGIC,
            "{name} is not a history of values, and --history would overwrite it: use another name"
        );
        ensure!(
            known.is_some() || len <= MAGIC.len() as u64,
            "the history {name} has values of another run: use a new file, or the --checkpoint of that run"
        );
        let values = known.unwrap_or(0);
        ensure!(
            values == 0 || len >= MAGIC.len() as u64 + 2 * values,
            "the history {name} has fewer values than the checkpoint ({values}): use the history of the same run"
        );
        let cut = file.set_len(MAGIC.len() as u64 + 2 * values).and_then(|()| file.write_all_at(MAGIC, 0));
        cut.with_context(|| write_error(path))?;
        Ok(Self { path: path.to_owned(), file, written: 2 * values, waiting: Vec::new() })
    }

    /// Appends values. In a sparse space they are below 2^16.
    pub(crate) fn write(&mut self, values: &[Nimber]) -> anyhow::Result<()> {
        self.waiting.extend(values.iter().flat_map(|value| value.0.to_le_bytes().into_iter().take(2)));
        if self.waiting.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Writes the buffered bytes.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        let written = self.file.write_all_at(&self.waiting, MAGIC.len() as u64 + self.written);
        written.with_context(|| write_error(&self.path))?;
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Writes all values to the disk.
    pub(crate) fn sync(&mut self) -> anyhow::Result<()> {
        self.flush()?;
        self.file.sync_data().with_context(|| write_error(&self.path))
    }
}

/// Returns the length of a file, and its first bytes up to the length of [`MAGIC`].
fn begin(file: &mut File) -> io::Result<(u64, Vec<u8>)> {
    let found = file.metadata()?;
    ensure_file(&found)?;
    let mut magic = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    Ok((found.len(), magic))
}

fn write_error(path: &Path) -> String {
    format!("the history {} cannot be written", path.display())
}

impl History for HistoryFile {
    fn read(&mut self, from: u64, values: &mut [u16]) -> Result<bool, String> {
        self.flush().map_err(|error| format!("{error:#}"))?;
        let mut bytes = vec![0; values.len() * 2];
        match self.file.read_exact_at(&mut bytes, MAGIC.len() as u64 + from * 2) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error.to_string()),
        }
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
            *value = u16::from_le_bytes(*bytes);
        }
        Ok(true)
    }
}
