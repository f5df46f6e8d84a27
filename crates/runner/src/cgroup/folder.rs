//! The folders of control groups, and the small files in them that show and change the state of a group.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use itertools::Itertools;

/// The interface version of a tree of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

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

pub(super) fn write(file: &Path, value: &str) -> io::Result<()> {
    let written =
        OpenOptions::new().write(true).open(file).and_then(|mut open| open.write_all(value.as_bytes()));
    written.map_err(|error| with_path(file, &error))
}

pub(super) fn with_path(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

pub(super) fn processes(folder: &Path) -> io::Result<Vec<i32>> {
    let file = folder.join("cgroup.procs");
    let listed = fs::read_to_string(&file).map_err(|error| with_path(&file, &error))?;
    Ok(listed.lines().filter_map(|line| line.parse().ok()).collect())
}
