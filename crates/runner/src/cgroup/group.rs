//! The control group of one bot: its limits, the way a process joins it, and its reuse for another bot.

use std::collections::HashSet;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use itertools::Itertools;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;

use crate::cgroup::folder::{GroupFolders, KeptFile, Version, processes, with_path, write};
use crate::cgroup::meter::{GroupMeter, UsageFiles};
use crate::cgroup::place::{self, Place};
use crate::cgroup::removal;
use crate::limits::Limits;

/// The folders of all groups that this judge has made and not removed yet.
static GROUPS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A control group. Dropping this value ends the group's processes and removes the group.
#[derive(Debug)]
pub struct ControlGroup {
    folders: Folders,
    meter: GroupMeter,
}

/// Folders that are removed when this value is dropped.
#[derive(Debug)]
struct Folders(GroupFolders);

impl ControlGroup {
    /// Makes an empty group with the limits on memory and on processes.
    pub(crate) fn new(place: &Place, limits: &Limits) -> io::Result<Self> {
        let folders = Folders(place.folders().below(&removal::new_name()?));
        for folder in folders.0.paths() {
            // Note the folder before making it, so that it is removed even if the judge ends in between.
            groups().push(folder.to_owned());
            fs::create_dir(folder).map_err(|error| with_path(folder, &error))?;
        }
        write_limits(&folders.0, limits)?;
        let meter = GroupMeter::new(UsageFiles::open(&folders.0)?);
        Ok(Self { folders, meter })
    }

    /// Returns the group for another bot with the same limits; `None` if the group cannot be reused. All processes of
    /// the last bot must have ended.
    pub(crate) fn reset(self, limits: &Limits) -> Option<Self> {
        prepare_reuse(&self.folders.0).ok().filter(|&is_reusable| is_reusable)?;
        write_limits(&self.folders.0, limits).ok()?;
        Some(Self { meter: self.meter.reset()?, ..self })
    }

    /// Makes the process of this command join the group before the process becomes the program.
    ///
    /// # Errors
    ///
    /// If the group's name contains a NUL.
    pub(crate) fn attach(&self, command: &mut Command) -> io::Result<()> {
        join_before_exec(command, self.folders.0.paths(), None)
    }

    /// Checks that a process can join the group, without starting a program, which takes longer.
    ///
    /// # Errors
    ///
    /// If a process cannot join the group.
    pub(crate) fn try_join(&self) -> io::Result<()> {
        try_join(self.folders.0.paths())
    }

    /// Returns the meter for the usage of the group's processes.
    pub(crate) fn meter(&self) -> &GroupMeter {
        &self.meter
    }

    /// Returns the processes that are in all folders of the group.
    pub(crate) fn members(&self) -> io::Result<HashSet<i32>> {
        self.folders.0.members()
    }

    /// Forbids new processes in the group and kills all present ones.
    pub(crate) fn kill(&self) {
        removal::kill(&self.folders.0.pids.path);
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in self.0.paths() {
            removal::end(folder);
            groups().retain(|group| group != folder);
        }
    }
}

fn groups() -> MutexGuard<'static, Vec<PathBuf>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends and removes all groups of this judge, which is about to exit. Also ends and removes the groups of judge
/// processes that have ended, such as the hosts and workers of this judge.
pub fn end_all() {
    let folders = std::mem::take(&mut *groups());
    for folder in folders {
        removal::end(&folder);
    }
    place::remove_stale();
}

/// Sets the limits that all processes of the group share.
fn write_limits(folders: &GroupFolders, limits: &Limits) -> io::Result<()> {
    let GroupFolders { memory, pids, .. } = folders;
    let bytes = limits.memory.to_string();
    let optional = |name: &str, value: &str| match write(&memory.path.join(name), value) {
        // Some kernels do not count swapped memory, or do not have the file.
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

/// Maximum memory, in bytes, that a bot may leave in a reused group: pages of files, and memory that the kernel
/// reserves. The next bot in the group has less memory by this amount.
const LEFT_MEMORY_LIMIT: u64 = 1 << 20;

/// Number of links to a folder without subfolders: its name, and its own entry `.`.
const LINKS_WITHOUT_GROUPS: u64 = 2;

/// Resets the peak of the group's memory. Returns whether the group can be reused: it has no processes, no groups below
/// it, and little memory. Groups are reused because making and removing one takes longer than a short game.
///
/// A group of version 2 cannot be reused, because the kernel keeps its peak.
fn prepare_reuse(folders: &GroupFolders) -> io::Result<bool> {
    let memory = &folders.memory;
    if memory.version == Version::Two {
        return Ok(false);
    }
    for folder in folders.paths() {
        if fs::metadata(folder)?.nlink() != LINKS_WITHOUT_GROUPS || !processes(folder)?.is_empty() {
            return Ok(false);
        }
    }
    write(&memory.path.join("memory.max_usage_in_bytes"), "0")?;
    let left = KeptFile::open(memory.path.join("memory.usage_in_bytes"))?.number()?;
    Ok(left <= LEFT_MEMORY_LIMIT)
}

/// Makes the process of this command join the group with these folders before it becomes the program. If `end` is
/// given, the process fails with this error instead of becoming the program.
///
/// The alternative without `unsafe` is a launcher: the judge's own program is started a second time, joins the group
/// and becomes the bot. The launcher takes half as long as a short game, see `docs/performance.md`.
///
/// # Errors
///
/// If a folder's name contains a NUL.
fn join_before_exec<'a>(
    command: &mut Command,
    folders: impl Iterator<Item = &'a Path>,
    end: Option<Errno>,
) -> io::Result<()> {
    let list = |folder: &Path| CString::new(folder.join("cgroup.procs").as_os_str().as_bytes());
    let lists: Vec<CString> = folders.map(list).try_collect()?;
    let join = move || {
        lists.iter().try_for_each(join)?;
        end.map_or(Ok(()), |end| Err(end.into()))
    };
    // SAFETY: Between fork and exec, a process that had other threads may only call async-signal-safe functions.
    // `join` makes system calls, and neither allocates nor locks: its paths are made before the fork, and its errors
    // are numbers.
    #[allow(unsafe_code, reason = "there is no safe way to run code between fork and exec")]
    unsafe {
        command.pre_exec(join);
    }
    Ok(())
}

/// Starts a process that joins the group with these folders, and ends before it would become a program.
fn try_join<'a>(folders: impl Iterator<Item = &'a Path>) -> io::Result<()> {
    const JOINED: Errno = Errno::CANCELED;
    let mut trial = Command::new("/");
    join_before_exec(&mut trial, folders, Some(JOINED))?;
    match trial.status() {
        Err(error) if Errno::from_io_error(&error) == Some(JOINED) => Ok(()),
        other => other.map(drop),
    }
}

/// Writes the calling process into the list of a group's processes.
fn join(list: &CString) -> io::Result<()> {
    let list = open(list.as_c_str(), OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    // 0 means the process that writes.
    rustix::io::write(&list, b"0")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::limits::DEFAULT_LIMITS;

    use super::*;

    #[test]
    fn a_process_tries_to_join() {
        let folder = tempfile::tempdir().unwrap();
        let try_join = || try_join([folder.path()].into_iter());
        assert_eq!(try_join().unwrap_err().kind(), io::ErrorKind::NotFound);
        let list = folder.path().join("cgroup.procs");
        fs::write(&list, "").unwrap();
        try_join().unwrap();
        assert_eq!(fs::read_to_string(list).unwrap(), "0");
    }

    #[test]
    fn limit_files_of_version_2() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"] {
            fs::write(file(name), "").unwrap();
        }
        let folders = GroupFolders::version_2(folder.path().to_owned());
        write_limits(&folders, &DEFAULT_LIMITS).unwrap();
        for (name, value) in [
            ("memory.max", "1073741824"),
            ("memory.swap.max", "0"),
            ("memory.oom.group", "1"),
            ("pids.max", "64"),
        ] {
            assert_eq!(fs::read_to_string(file(name)).unwrap(), value, "{name}");
        }
        fs::remove_file(file("memory.swap.max")).unwrap();
        write_limits(&folders, &DEFAULT_LIMITS).expect("not every kernel swaps");
        fs::remove_file(file("memory.max")).unwrap();
        let error = write_limits(&folders, &DEFAULT_LIMITS).unwrap_err().to_string();
        assert!(error.contains("/memory.max: No such file"), "{error}");
    }
}
