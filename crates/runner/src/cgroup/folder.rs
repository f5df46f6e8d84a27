//! The folders of control groups, and the small files in them that show and change the state of a group.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use itertools::Itertools;

/// The interface version of a tree of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// A folder and its interface version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupFolder {
    pub(super) version: Version,
    pub(super) path: PathBuf,
}

/// The folders of a group, one for each resource. With version 2 all three are the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupFolders {
    pub(super) memory: GroupFolder,
    pub(super) pids: GroupFolder,
    pub(super) cpu: GroupFolder,
}

impl GroupFolders {
    /// Makes the folders of a group of version 2, which has a single folder.
    pub(super) fn version_2(path: PathBuf) -> Self {
        let all = GroupFolder { version: Version::Two, path };
        Self { memory: all.clone(), pids: all.clone(), cpu: all }
    }

    pub(super) fn below(&self, name: &str) -> Self {
        let below = |folder: &GroupFolder| GroupFolder { path: folder.path.join(name), ..folder.clone() };
        Self { memory: below(&self.memory), pids: below(&self.pids), cpu: below(&self.cpu) }
    }

    /// Returns each folder once.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.memory, &self.pids, &self.cpu].into_iter().map(|folder| folder.path.as_path()).unique()
    }
}

/// Maximum number of bytes that are read from a [`KeptFile`].
const KEPT_LENGTH: usize = 1024;

pub(super) fn write(file: &Path, value: &str) -> io::Result<()> {
    let written =
        OpenOptions::new().write(true).open(file).and_then(|mut open| open.write_all(value.as_bytes()));
    written.map_err(|error| with_path(file, &error))
}

fn read(file: &Path) -> io::Result<String> {
    fs::read_to_string(file).map_err(|error| with_path(file, &error))
}

/// Adds the path of the file to an error, because `create_dir` and other functions omit the path.
pub(super) fn with_path(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

/// A file that is kept open because it is read several times in each game.
#[derive(Debug)]
pub(super) struct KeptFile {
    path: PathBuf,
    file: File,
}

impl KeptFile {
    pub(super) fn open(path: PathBuf) -> io::Result<Self> {
        Self::open_with(OpenOptions::new().read(true), path)
    }

    pub(super) fn open_writable(path: PathBuf) -> io::Result<Self> {
        Self::open_with(OpenOptions::new().read(true).write(true), path)
    }

    fn open_with(options: &OpenOptions, path: PathBuf) -> io::Result<Self> {
        let file = options.open(&path).map_err(|error| with_path(&path, &error))?;
        Ok(Self { path, file })
    }

    pub(super) fn write(&self, value: &str) -> io::Result<usize> {
        self.file.write_at(value.as_bytes(), 0)
    }

    fn read(&self) -> io::Result<String> {
        let mut text = [0; KEPT_LENGTH];
        let length = self.file.read_at(&mut text, 0).map_err(|error| with_path(&self.path, &error))?;
        Ok(String::from_utf8_lossy(&text[..length]).into_owned())
    }

    /// Reads the number that is the whole content of the file.
    pub(super) fn number(&self) -> io::Result<u64> {
        let text = self.read()?;
        text.trim().parse().map_err(|_| self.malformed(&text))
    }

    /// Reads the number after `name` in a file with one name per line.
    pub(super) fn entry(&self, name: &str) -> io::Result<u64> {
        let text = self.read()?;
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.and_then(|value| value.trim().parse().ok()).ok_or_else(|| self.malformed(&text))
    }

    fn malformed(&self, text: &str) -> io::Error {
        io::Error::other(format!("{}: unexpected {text:?}", self.path.display()))
    }
}

/// Reads the processes in a group's folder.
pub(super) fn processes(folder: &Path) -> io::Result<Vec<i32>> {
    let listed = read(&folder.join("cgroup.procs"))?;
    Ok(listed.lines().filter_map(|line| line.parse().ok()).collect())
}
