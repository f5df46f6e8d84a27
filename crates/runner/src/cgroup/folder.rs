//! A control group's folder in one tree of groups.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use super::files::processes;

/// The interface of a tree of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// The processes that are in all of the folders.
    pub(super) fn members(&self) -> io::Result<HashSet<i32>> {
        let folders = self.paths().map(|folder| Ok(processes(folder)?.into_iter().collect()));
        let members = folders.reduce(|members: io::Result<HashSet<i32>>, others| Ok(&members? & &others?));
        members.unwrap_or_else(|| Ok(HashSet::new()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn members_are_in_all_folders() {
        let root = tempfile::tempdir().unwrap();
        let mut folders = GroupFolders::version_2(root.path().join("memory"));
        folders.pids.path = root.path().join("pids");
        folders.cpu.path = root.path().join("pids");
        for (folder, listed) in [("memory", "3\n5\n"), ("pids", "5\n7\n")] {
            fs::create_dir(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join("cgroup.procs"), listed).unwrap();
        }
        assert_eq!(folders.members().unwrap(), HashSet::from([5]));
    }
}
