//! A control group's folder in one tree of groups.

use std::path::{Path, PathBuf};

use itertools::Itertools;

/// The interface of a tree of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// A folder and the interface by which it is read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupFolder {
    pub(super) version: Version,
    pub(super) path: PathBuf,
}

/// The folders of a group, one for each resource; with version 2 they are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupFolders {
    pub(super) memory: GroupFolder,
    pub(super) pids: GroupFolder,
    pub(super) cpu: GroupFolder,
}

impl GroupFolders {
    /// The only folder of a group of version 2.
    pub(super) fn version_2(path: PathBuf) -> Self {
        let all = GroupFolder { version: Version::Two, path };
        Self { memory: all.clone(), pids: all.clone(), cpu: all }
    }

    /// The folders of a group of that name below this one.
    pub(super) fn below(&self, name: &str) -> Self {
        let below = |folder: &GroupFolder| GroupFolder { path: folder.path.join(name), ..folder.clone() };
        Self { memory: below(&self.memory), pids: below(&self.pids), cpu: below(&self.cpu) }
    }

    /// Each folder once.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.memory, &self.pids, &self.cpu].into_iter().map(|folder| folder.path.as_path()).unique()
    }
}
