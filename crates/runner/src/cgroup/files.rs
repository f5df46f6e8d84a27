//! The small files by which the kernel shows and changes a control group.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// More bytes than any file has that is kept open.
const KEPT_LENGTH: usize = 4096;

/// Writes a value to a file that exists.
pub(super) fn write(file: &Path, value: &str) -> io::Result<()> {
    let written =
        OpenOptions::new().write(true).open(file).and_then(|mut open| open.write_all(value.as_bytes()));
    written.map_err(|error| with_path(file, &error))
}

fn read(file: &Path) -> io::Result<String> {
    fs::read_to_string(file).map_err(|error| with_path(file, &error))
}

/// An error with the file that it is about, as `create_dir` and others do not name it.
pub(super) fn with_path(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

/// A file that is kept open, because it is read several times in each game.
#[derive(Debug)]
pub(super) struct KeptFile {
    path: PathBuf,
    file: File,
}

impl KeptFile {
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        let file = File::open(&path).map_err(|error| with_path(&path, &error))?;
        Ok(Self { path, file })
    }

    /// A file that another process has opened.
    pub(super) fn received(fd: OwnedFd) -> Self {
        Self { path: PathBuf::from("a file of the control group"), file: File::from(fd) }
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    fn read(&self) -> io::Result<String> {
        let mut text = [0; KEPT_LENGTH];
        let length = self.file.read_at(&mut text, 0).map_err(|error| with_path(&self.path, &error))?;
        Ok(String::from_utf8_lossy(&text[..length]).into_owned())
    }

    /// The number that is all of the file.
    pub(super) fn number(&self) -> io::Result<u64> {
        let text = self.read()?;
        text.trim().parse().map_err(|_| self.malformed(&text))
    }

    /// The number that follows a name, in a file that has a line for each.
    pub(super) fn entry(&self, name: &str) -> io::Result<u64> {
        let text = self.read()?;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.and_then(|value| value.trim().parse().ok()).ok_or_else(|| self.malformed(&text))
    }

    fn malformed(&self, text: &str) -> io::Error {
        io::Error::other(format!("{}: unexpected {text:?}", self.path.display()))
    }
}

/// The processes of a group's folder.
pub(super) fn processes(folder: &Path) -> io::Result<Vec<i32>> {
    let listed = read(&folder.join("cgroup.procs"))?;
    Ok(listed.lines().filter_map(|line| line.parse().ok()).collect())
}
