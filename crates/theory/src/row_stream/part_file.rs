//! The file of a table that is not complete yet.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::Checkpoint;

/// Number of bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// The length and the CRC-32 of the part of a table that has been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    pub bytes: u64,
    crc32: u32,
}

/// The file of an incomplete table, next to the output. Once complete, the file replaces the output.
pub(crate) struct PartFile {
    path: PathBuf,
    file: BufWriter<File>,
    bytes: u64,
    checksum: Hasher,
}

/// Returns the path of the incomplete table for an output: `values.part` for `values`. Only runs with a checkpoint use
/// such a file.
pub(crate) fn part_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

impl PartFile {
    /// Creates an empty file.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub(crate) fn create(output: &Path) -> anyhow::Result<Self> {
        let path = part_path(output);
        let file = File::create(&path).with_context(|| write_error(&path))?;
        Ok(Self::new(path, file, 0, Hasher::new()))
    }

    /// Opens the file of an interrupted run and truncates it to its length at the checkpoint. Reads the file once to
    /// compare its checksum.
    ///
    /// # Errors
    ///
    /// If the file is missing, too short or changed, or cannot be read or written. A file that is too short or changed
    /// stays as it is.
    pub(crate) fn resume(output: &Path, saved: &Checkpoint, checkpoint: &Path) -> anyhow::Result<Self> {
        let path = part_path(output);
        let (part, name, values) = (path.display(), checkpoint.display(), saved.values());
        let Written { bytes, crc32 } = saved.run.written;
        let mut file = match OpenOptions::new().read(true).write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "{part} is missing: it holds the values before n = {values}, from which {name} continues; restore it, or \
                 delete {name} and start again"
            ),
            file => file.with_context(|| write_error(&path))?,
        };
        let (len, checksum) =
            checksum_of_start(&mut file, bytes).with_context(|| format!("{part} cannot be read"))?;
        let restart = format!("delete both and start again, or restore the {part} of the interrupted run");
        ensure!(
            len == bytes,
            "{part} has {len} bytes, fewer than the {bytes} before the value n = {values}, from which {name} continues: \
             {restart}"
        );
        ensure!(
            checksum.clone().finalize() == crc32,
            "{part} is damaged: its first {bytes} bytes have changed since {name} was written: {restart}"
        );
        let cut = file.set_len(bytes).and_then(|()| file.seek(SeekFrom::Start(bytes)));
        cut.with_context(|| write_error(&path))?;
        Ok(Self::new(path, file, bytes, checksum))
    }

    fn new(path: PathBuf, file: File, bytes: u64, checksum: Hasher) -> Self {
        Self { path, file: BufWriter::with_capacity(1 << 16, file), bytes, checksum }
    }

    /// Writes everything to the disk. Returns the length and the checksum.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn sync(&mut self) -> io::Result<Written> {
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        Ok(Written { bytes: self.bytes, crc32: self.checksum.clone().finalize() })
    }

    /// Renames the file to the output.
    ///
    /// # Errors
    ///
    /// If the file cannot be written or renamed.
    pub(crate) fn complete(mut self, output: &Path) -> io::Result<()> {
        self.sync()?;
        fs::rename(&self.path, output)
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.checksum.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns the checksum of at most the first `bytes` bytes of a file, and the number of bytes read.
fn checksum_of_start(file: &mut File, bytes: u64) -> io::Result<(u64, Hasher)> {
    let (mut checksum, mut len, mut chunk) = (Hasher::new(), 0, vec![0; CHUNK]);
    let mut rest = file.take(bytes);
    loop {
        match rest.read(&mut chunk) {
            Ok(0) => return Ok((len, checksum)),
            Ok(count) => {
                checksum.update(&chunk[..count]);
                len += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn write_error(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}
