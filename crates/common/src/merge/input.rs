//! The files whose results are merged, and the place of each result in its file.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::program::print_error;
use crate::record_file::whole_line;

/// Size of the windows of all files together, in bytes. The share of each file is then clamped to
/// `SMALLEST_WINDOW..=LARGEST_WINDOW`.
const ALL_WINDOWS: usize = 32 << 20;
const SMALLEST_WINDOW: usize = 4 << 10;
const LARGEST_WINDOW: usize = 1 << 20;

/// Size of the buffer for reading a file from its start, in bytes.
const READ_CHUNK: usize = 1 << 18;

/// The place of a result: a line of `length` bytes at `offset` in a file. Places are ordered by the result's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The result's number.
    pub(super) index: u64,
    pub(super) file: u32,
    pub(super) offset: u64,
    pub(super) length: u32,
}

/// A file whose results are merged.
pub(super) struct InputFile {
    path: PathBuf,
    file: File,
    /// The part of the file that was read last. It begins at the offset `begin`.
    window: Vec<u8>,
    begin: u64,
    window_size: usize,
}

impl InputFile {
    /// Opens one of `files` input files. The windows of all files share `ALL_WINDOWS` bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not a regular file: a pipe cannot be read a second time.
    pub(super) fn open(path: &Path, files: usize) -> anyhow::Result<Self> {
        let too_many_files = || {
            format!(
                "{} cannot be opened: merge some of the {files} files first, and then the result with the \
                 rest",
                path.display()
            )
        };
        let cannot_open = || format!("{} cannot be opened", path.display());
        let file = File::open(path).map_err(|error| (error.raw_os_error(), error));
        let file = file.map_err(|(code, cause)| {
            let is_too_many = code == Some(rustix::io::Errno::MFILE.raw_os_error());
            anyhow::Error::from(cause).context(if is_too_many { too_many_files() } else { cannot_open() })
        })?;
        ensure!(
            file.metadata().with_context(cannot_open)?.is_file(),
            "{} is not a regular file: results are read twice, so write them to a file first",
            path.display()
        );
        let window_size = (ALL_WINDOWS / files.max(1)).clamp(SMALLEST_WINDOW, LARGEST_WINDOW);
        Ok(Self { path: path.to_owned(), file, window: Vec::new(), begin: 0, window_size })
    }

    /// Passes each non-empty line and its offset to `add`. Skips a last line without a line end and prints a note: the
    /// line was cut off, for example by a full disk or a killed judge.
    pub(super) fn each_line(
        &self,
        mut add: impl FnMut(&[u8], u64) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut input = BufReader::with_capacity(READ_CHUNK, &self.file);
        let (mut text, mut offset) = (Vec::new(), 0);
        for number in 1_u64.. {
            let at = || format!("{} line {number}", self.path.display());
            let Some(line) = whole_line(&mut input, &mut text).with_context(at)? else { break };
            if !line.is_empty() {
                add(line, offset).with_context(at)?;
            }
            offset += text.len() as u64;
        }
        if !text.is_empty() {
            print_error(format_args!(
                "note: the last line of {} is cut off; it is ignored",
                self.path.display()
            ));
        }
        Ok(())
    }

    /// Returns a line without its LF. `long` is the buffer for a line that is longer than the window.
    fn line<'a>(&'a mut self, place: Place, long: &'a mut Vec<u8>) -> anyhow::Result<&'a [u8]> {
        let length = place.length as usize + 1;
        if length > self.window_size {
            long.resize(length, 0);
            self.file.read_exact_at(long, place.offset).with_context(|| self.changed())?;
            return long.strip_suffix(b"\n").with_context(|| self.changed());
        }
        let in_window = place.offset.checked_sub(self.begin).and_then(|at| usize::try_from(at).ok());
        let at = if let Some(at) = in_window.filter(|at| at + length <= self.window.len()) {
            at
        } else {
            self.read_window(place.offset).with_context(|| self.changed())?;
            0
        };
        let line = self.window.get(at..at + length).and_then(|line| line.strip_suffix(b"\n"));
        line.with_context(|| self.changed())
    }

    fn changed(&self) -> String {
        format!("{} changed while it was being read", self.path.display())
    }

    /// Fills the window with the part of the file that begins at the offset `begin`.
    fn read_window(&mut self, begin: u64) -> io::Result<()> {
        self.window.resize(self.window_size, 0);
        let mut filled = 0;
        while filled < self.window.len() {
            match self.file.read_at(&mut self.window[filled..], begin + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.window.truncate(filled);
        self.begin = begin;
        Ok(())
    }

    /// Returns the path and the line number of a place, for messages; without the number if the file cannot be read.
    fn name_of(&self, place: Place) -> String {
        let path = self.path.display();
        match self.line_number(place.offset) {
            Ok(number) => format!("{path} line {number}"),
            Err(_) => path.to_string(),
        }
    }

    fn line_number(&self, offset: u64) -> io::Result<u64> {
        let mut input = BufReader::with_capacity(READ_CHUNK, File::open(&self.path)?);
        let (mut number, mut at, mut text) = (1, 0, Vec::new());
        while at < offset {
            text.clear();
            match input.read_until(b'\n', &mut text)? {
                0 => break,
                length => at += length as u64,
            }
            number += 1;
        }
        Ok(number)
    }
}

/// The files whose results are merged.
#[derive(Default)]
pub(super) struct InputFiles {
    files: Vec<InputFile>,
    /// A buffer for a line that is longer than a window. All files share the buffer, which bounds the memory for long
    /// lines.
    long: Vec<u8>,
}

impl InputFiles {
    /// Adds a file.
    pub(super) fn add(&mut self, file: InputFile) {
        self.files.push(file);
    }

    /// Returns the line at a place, without its LF.
    ///
    /// # Errors
    ///
    /// If the line cannot be read, or if its file has changed.
    pub(super) fn line(&mut self, place: Place) -> anyhow::Result<&[u8]> {
        let file = self.files.get_mut(place.file as usize).context("there is no such file")?;
        file.line(place, &mut self.long)
    }

    /// Returns the path and the line number of a place, for messages.
    pub(super) fn name_of(&self, place: Place) -> String {
        self.files.get(place.file as usize).map_or_else(String::new, |file| file.name_of(place))
    }
}

/// Raises the limit on open files to the maximum that the system allows this process.
pub(super) fn raise_limit_on_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // An error is ignored here, because a file that cannot be opened is reported later.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
}
