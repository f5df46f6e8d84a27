//! The files of transcripts: JSON objects, one on each line. An error for a damaged transcript begins with the number
//! of the line.

use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json::bound_values;
use crate::output;
use crate::text::without_byte_order_mark;

/// The version of the format. No other version can be read.
pub(crate) const VERSION: u32 = 4;

/// The file of a transcript.
pub(crate) struct TranscriptFile {
    /// The path of the file, `-` for stdout. The file is created when the first game begins.
    path: PathBuf,
    out: Option<Box<dyn Write>>,
}

impl TranscriptFile {
    /// Prepares a transcript at a path, `-` for stdout. Any file at this path is replaced.
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), out: None }
    }

    /// Creates the file, unless an earlier call has created it.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub(crate) fn begin(&mut self) -> anyhow::Result<()> {
        if self.out.is_none() {
            let path = self.path.display();
            let out = output::create(&self.path)
                .with_context(|| format!("the transcript {path} cannot be created"))?;
            self.out = Some(Box::new(BufWriter::new(out)));
        }
        Ok(())
    }

    /// Writes and flushes a line, so that a killed judge loses no line that was written before.
    ///
    /// # Errors
    ///
    /// If [`begin`](Self::begin) has not created the file, or the line cannot be written.
    pub(crate) fn write_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let Some(out) = &mut self.out else { return Err(io::Error::other("no game has begun")) };
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }
}

/// The name and the size limits of one kind of line. The judge writes no line that exceeds these limits.
pub(crate) struct LineLimits {
    /// The expected kind of line, for messages, such as `the set-up of a game`.
    pub(crate) what: &'static str,
    /// Maximum length of the line, in bytes.
    pub(crate) bytes: u64,
    /// Maximum number of values in the line.
    pub(crate) values: u64,
}

/// Reads JSON objects, one on each line. An error begins with the number of the line.
pub(crate) struct LineReader<R> {
    input: R,
    /// The last line that was read.
    text: Vec<u8>,
    /// The number of the last line, from 1.
    number: u64,
    /// Whether the next call of [`next`](Self::next) returns the last line again.
    is_peeked: bool,
    /// Quotes a line for a message.
    quote: fn(&[u8]) -> String,
}

impl<R: BufRead> LineReader<R> {
    /// Creates a reader. `quote` quotes a line for an error message.
    pub(crate) fn new(input: R, quote: fn(&[u8]) -> String) -> Self {
        Self { input, text: Vec::new(), number: 0, is_peeked: false, quote }
    }

    /// Returns the number of the last line that was read, from 1; 0 if there is none.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line without consuming it: [`next`](Self::next) returns the same line. Returns those fields of
    /// the line that `T` has; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// As for [`next`](Self::next).
    pub(crate) fn peek<T: DeserializeOwned>(&mut self, expected: &LineLimits) -> anyhow::Result<Option<T>> {
        let fields = self.next(expected)?;
        self.is_peeked = true;
        Ok(fields)
    }

    /// Reads a line, which is a JSON object, and returns the fields that `T` has; `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// If the line is too long, has no line end, has too many values, is not a JSON object with the fields of `T`, or
    /// cannot be read.
    pub(crate) fn next<T: DeserializeOwned>(&mut self, expected: &LineLimits) -> anyhow::Result<Option<T>> {
        if !std::mem::take(&mut self.is_peeked) {
            self.read(expected.bytes)?;
        }
        if self.text.is_empty() {
            return Ok(None);
        }
        let (number, what) = (self.number, expected.what);
        ensure!(
            self.text.trim_ascii_start().starts_with(b"{"),
            "line {number}: expected a JSON object, got {}",
            self.quoted()
        );
        let fields =
            bound_values(&self.text, expected.values).and_then(|()| serde_json::from_slice(&self.text));
        fields.with_context(|| format!("line {number}: expected {what}, got {}", self.quoted())).map(Some)
    }

    /// Checks whether the input ends after the last line that was read.
    ///
    /// # Errors
    ///
    /// If the input cannot be read.
    pub(crate) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.input.fill_buf()?.is_empty())
    }

    /// Reads a line of at most `max_bytes` bytes. At the end of the input, the line is empty.
    fn read(&mut self, max_bytes: u64) -> anyhow::Result<()> {
        let number = self.number + 1;
        self.text.clear();
        let mut limited = io::Read::take(&mut self.input, max_bytes);
        limited.read_until(b'\n', &mut self.text).with_context(|| format!("line {number} cannot be read"))?;
        if self.text.is_empty() {
            return Ok(());
        }
        self.number = number;
        if number == 1 {
            let bom = self.text.len() - without_byte_order_mark(&self.text).len();
            self.text.drain(..bom);
        }
        let (length, is_whole) = (self.text.len(), self.text.ends_with(b"\n"));
        ensure!(
            is_whole || (length as u64) < max_bytes,
            "line {number}: expected a line of at most {max_bytes} bytes, got more"
        );
        ensure!(
            is_whole,
            "line {number}: expected a whole line, got {length} bytes without a line end: the file may have been cut off"
        );
        Ok(())
    }

    /// Parses the last line. `what` is the expected kind of line, for the error.
    ///
    /// # Errors
    ///
    /// If the line is not a JSON object with the fields of `T`.
    pub(crate) fn parse<T: DeserializeOwned>(&self, what: &str) -> anyhow::Result<T> {
        serde_json::from_slice(&self.text)
            .with_context(|| format!("line {}: expected {what}, got {}", self.number, self.quoted()))
    }

    /// Makes the error for a last line that is not of the expected kind `what`.
    pub(crate) fn unexpected(&self, what: &str) -> anyhow::Error {
        anyhow::anyhow!("line {}: expected {what}, got {}", self.number, self.quoted())
    }

    /// Returns the last line, quoted for a message.
    fn quoted(&self) -> String {
        (self.quote)(self.text.trim_ascii_end())
    }
}
