//! The file of JSON lines in which a run stores its results, and from which it is resumed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use serde::de::DeserializeOwned;

use crate::output::lock;
use crate::text::without_byte_order_mark;

/// What each record is and which program writes it, for messages, as in `a game of judge arena`; and the maximum length of
/// its line, in bytes.
pub(crate) type RecordKind = (&'static str, u64);

/// A file of records to which only this process writes.
#[derive(Debug)]
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
    /// The offset in bytes of the end of the last whole line.
    end: u64,
}

impl RecordFile {
    /// Opens the file of a run, or creates it, and passes the records that it already has to `add`. So the same command
    /// starts and continues a run. Removes a last line that was cut off; the run computes its record again.
    pub(crate) fn create_or_resume<T: DeserializeOwned>(
        path: &Path,
        kind: RecordKind,
        add: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let error = || format!("the record {} cannot be opened", path.display());
        ensure!(path != Path::new("-"), "{}: expected a file, got \"-\"", error());
        let file = File::options().create(true).read(true).append(true).open(path).with_context(error)?;
        let file_type = file.metadata().with_context(error)?.file_type();
        // Reading a pipe would never reach an end, because this process has it open for writing as well.
        if file_type.is_fifo() {
            bail!("{}: it is a pipe, but the results must be read again: name a regular file", error());
        }
        if !lock(&file).with_context(error)? {
            bail!("another process is writing to {}: use a different file for each run", path.display());
        }
        let end = read_open(path, &file, kind, add)?;
        let record = Self { path: path.to_owned(), file, end };
        // A device has no length.
        if file_type.is_file() {
            record.file.set_len(end).with_context(|| record.error())?;
        }
        Ok(record)
    }

    fn error(&self) -> String {
        format!("the record {} cannot be written", self.path.display())
    }

    pub(crate) fn add(&mut self, line: &str) -> anyhow::Result<()> {
        let text = format!("{line}\n");
        self.file.write_all(text.as_bytes()).with_context(|| {
            // If this also fails, the line has no line end and is removed when the run is resumed.
            let _ = self.file.set_len(self.end);
            self.error()
        })?;
        self.end += text.len() as u64;
        Ok(())
    }
}

pub(crate) fn read_records<T: DeserializeOwned>(
    path: &Path,
    kind: RecordKind,
    add: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    read_open(path, &file, kind, add).map(|_| ())
}

/// Reads the records of an open file. Returns the end of the last whole line.
fn read_open<T: DeserializeOwned>(
    path: &Path,
    file: &File,
    (what, max_bytes): RecordKind,
    mut add: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let (mut input, mut text) = (BufReader::with_capacity(1 << 16, file), Vec::new());
    let mut end = 0;
    for number in 1_u64.. {
        let at = || format!("{} line {number}", path.display());
        let Some(line) = whole_line(&mut input, &mut text, max_bytes).with_context(at)? else { break };
        let line = if number == 1 { without_byte_order_mark(line) } else { line };
        if !line.is_empty() {
            let record = serde_json::from_slice(line).map_err(|error| anyhow!("expected {what}: {error}"));
            record.and_then(&mut add).with_context(at)?;
        }
        end += text.len() as u64;
    }
    Ok(end)
}

/// Reads the next line and returns it without its line end. Returns `None` if the input ends before the line end.
pub(crate) fn whole_line<'a>(
    input: &mut impl BufRead,
    text: &'a mut Vec<u8>,
    limit: u64,
) -> anyhow::Result<Option<&'a [u8]>> {
    text.clear();
    input.take(limit).read_until(b'\n', text).context("the line cannot be read")?;
    let is_short = (text.len() as u64) < limit || text.ends_with(b"\n");
    ensure!(is_short, "expected a line of at most {limit} bytes, got more");
    Ok(text.strip_suffix(b"\n"))
}
