//! The control group of one bot.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use super::files::{processes, with_path, write};
use super::folder::{GroupFolders, Version};
use super::place::Place;
use super::usage::GroupUsage;
use super::{join, removal, stale};
use crate::referee::limits::Limits;

/// The folders of all groups that this judge has made and not yet removed.
static GROUPS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A group that is ended and removed when it is dropped.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    folders: GroupFolders,
}

impl ControlGroup {
    /// An empty group with the limits on memory and on processes.
    pub(crate) fn new(place: &Place, limits: &Limits) -> io::Result<Self> {
        let group = Self { folders: place.folders().below(&stale::name()?) };
        for folder in group.folders() {
            // Listed before it is made, so that none is forgotten when the judge is ended in between.
            groups().push(folder.to_owned());
            fs::create_dir(folder).map_err(|error| with_path(folder, &error))?;
        }
        group.limit(limits)?;
        Ok(group)
    }

    fn limit(&self, limits: &Limits) -> io::Result<()> {
        let GroupFolders { memory, pids, .. } = &self.folders;
        let bytes = limits.memory.to_string();
        let optional = |name: &str, value: &str| match write(&memory.path.join(name), value) {
            // Not every kernel counts what is swapped out, or has the file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            written => written,
        };
        match memory.version {
            Version::One => {
                write(&memory.path.join("memory.limit_in_bytes"), &bytes)?;
                optional("memory.memsw.limit_in_bytes", &bytes)?;
            }
            Version::Two => {
                write(&memory.path.join("memory.max"), &bytes)?;
                optional("memory.swap.max", "0")?;
                optional("memory.oom.group", "1")?;
            }
        }
        write(&pids.path.join("pids.max"), &limits.processes.to_string())
    }

    /// Lets the process of this command join the group before it becomes the program.
    ///
    /// # Errors
    ///
    /// If the group's name has a NUL.
    pub(crate) fn attach(&self, command: &mut Command) -> io::Result<()> {
        join::before_exec(command, self.folders())
    }

    /// Its folders, each once.
    fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.paths()
    }

    /// What its processes have used so far.
    pub(crate) fn usage(&self) -> io::Result<GroupUsage> {
        GroupUsage::read(&self.folders)
    }

    /// The processes that are in all of its folders.
    pub(crate) fn members(&self) -> io::Result<HashSet<i32>> {
        let folders = self.folders().map(|folder| Ok(processes(folder)?.into_iter().collect()));
        let members = folders.reduce(|members: io::Result<HashSet<i32>>, others| Ok(&members? & &others?));
        members.unwrap_or_else(|| Ok(HashSet::new()))
    }

    /// Ends all its processes; none is left that could start others.
    pub(crate) fn kill(&self) {
        removal::kill(&self.folders.pids.path);
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        for folder in self.folders() {
            removal::end(folder);
            groups().retain(|group| group != folder);
        }
    }
}

fn groups() -> MutexGuard<'static, Vec<PathBuf>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends and removes all groups of this judge, which is about to exit.
pub(crate) fn end_all() {
    let folders = std::mem::take(&mut *groups());
    for folder in folders {
        removal::end(&folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::limits::DEFAULT_LIMITS;

    /// A group of version 2 without a kernel behind it.
    fn group(folder: &Path) -> ControlGroup {
        ControlGroup { folders: GroupFolders::version_2(folder.to_owned()) }
    }

    #[test]
    fn the_limits_in_words_of_version_2() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"] {
            fs::write(file(name), "").unwrap();
        }
        let group = group(folder.path());
        group.limit(&DEFAULT_LIMITS).unwrap();
        for (name, value) in [
            ("memory.max", "1073741824"),
            ("memory.swap.max", "0"),
            ("memory.oom.group", "1"),
            ("pids.max", "64"),
        ] {
            assert_eq!(fs::read_to_string(file(name)).unwrap(), value, "{name}");
        }
        fs::remove_file(file("memory.swap.max")).unwrap();
        group.limit(&DEFAULT_LIMITS).expect("not every kernel swaps");
        fs::remove_file(file("memory.max")).unwrap();
        let error = group.limit(&DEFAULT_LIMITS).unwrap_err().to_string();
        assert!(error.contains("/memory.max: No such file"), "{error}");
    }

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
        assert_eq!(ControlGroup { folders }.members().unwrap(), HashSet::from([5]));
    }
}
