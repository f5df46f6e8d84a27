//! Control groups: the kernel itself counts and limits the usage of a warden and its programs.
//!
//! A group is about a dozen small files in kernel folders. This module reads and writes these files itself, because
//! the existing crates depend on D-Bus and on a whole container runtime.
//!
//! Both versions of the interface work, even side by side: version 2 keeps all resources in one folder, version 1 has
//! a tree of folders for each resource.

mod meter;
mod place;

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use anyhow::Context;
use itertools::Itertools;
use rustix::param::page_size;

use self::meter::{GroupUsage, UsageFiles};
use self::place::find_place;
use crate::event::Usage;
use crate::janitor::OwnFolders;
use crate::limits::Limits;
use crate::proc::with_path;
use crate::warden::WARDEN_PROCESSES;

/// A control group. Dropping this value removes the group, whose processes must have ended.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    folders: GroupFolders,
    files: UsageFiles,
    limits: Limits,
    /// The usage before the current program, and the memory that the group then had.
    before: Cell<GroupUsage>,
    last: Cell<GroupUsage>,
    _own_folders: OwnFolders,
}

/// The room for the warden in the group's memory, in bytes, besides what it uses when it is ready.
const MEMORY_RESERVE: u64 = 1 << 20;

impl ControlGroup {
    pub(crate) fn new(limits: &Limits) -> anyhow::Result<Self> {
        let folders = find_place()?.below(&new_name());
        let own_folders = OwnFolders::make(folders.paths())?;
        let files = UsageFiles::open(&folders)?;
        let processes = limits.processes.saturating_add(1).max(WARDEN_PROCESSES);
        write(&folders.pids.join("pids.max"), &processes.to_string())?;
        let (before, last) = Default::default();
        Ok(Self { folders, files, limits: *limits, before, last, _own_folders: own_folders })
    }

    pub(crate) fn add(&self, process: u32) -> io::Result<()> {
        let mut folders = self.folders.paths();
        folders.try_for_each(|folder| write(&folder.join("cgroup.procs"), &process.to_string()))
    }

    /// Limits the memory. The warden must be ready: what it uses now does not count.
    pub(crate) fn limit_memory(&self) -> io::Result<()> {
        let memory = &self.folders.memory;
        let limit =
            self.limits.memory.saturating_add(self.files.read()?.memory).saturating_add(MEMORY_RESERVE);
        let is_version_2 = memory.join("memory.max").exists();
        let (of_memory, of_swap, swap) = if is_version_2 {
            ("memory.max", "memory.swap.max", 0)
        } else {
            ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", limit)
        };
        write(&memory.join(of_memory), &limit.to_string())?;
        match write(&memory.join(of_swap), &swap.to_string()) {
            // Some kernels do not count swapped memory, or do not have the file.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(()),
            written => written,
        }
    }

    pub(crate) fn begin(&self) -> io::Result<()> {
        self.before.set(self.files.reset_peak(self.last.get())?);
        Ok(())
    }

    /// Returns the usage of the current program as the kernel has counted it, together with the small usage of the
    /// warden. If the kernel refused memory, the memory counts as one page above the limit. If it refused processes,
    /// their number counts as one above the limit.
    pub(crate) fn used(&self) -> anyhow::Result<Usage> {
        let now = self.files.read().context("the bot's control group cannot be read")?;
        let before = self.before.get();
        self.last.set(now);
        // Without a reset, the peak may be that of an earlier program.
        let peak = if now.peak > before.peak { now.peak } else { now.memory };
        let peak = peak.saturating_sub(before.memory);
        let refused = self.limits.memory.saturating_add(page_size() as u64);
        let is_refused = now.memory_refused > before.memory_refused;
        let has_excess = now.processes_refused > before.processes_refused;
        Ok(Usage {
            cpu: Some(now.cpu.saturating_sub(before.cpu)),
            memory: Some(if is_refused { peak.max(refused) } else { peak.min(self.limits.memory) }),
            processes: has_excess.then_some(self.limits.processes.saturating_add(1)),
        })
    }

    /// Returns whether the kernel has ended a process because the memory was used up.
    pub(crate) fn has_used_up_memory(&self) -> bool {
        self.used().is_ok_and(|used| used.memory > Some(self.limits.memory))
    }

    /// Returns whether the group has another process than the warden.
    pub(crate) fn has_program(&self) -> anyhow::Result<bool> {
        let listed = processes(&self.folders.memory);
        Ok(listed.context("the processes of the bot's control group cannot be listed")?.len() > 1)
    }
}

/// The folders of a group, one for each resource. With version 2 all three are the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GroupFolders {
    memory: PathBuf,
    pids: PathBuf,
    cpu: PathBuf,
}

impl GroupFolders {
    fn version_2(path: PathBuf) -> Self {
        Self { memory: path.clone(), pids: path.clone(), cpu: path }
    }

    fn below(&self, name: &str) -> Self {
        Self { memory: self.memory.join(name), pids: self.pids.join(name), cpu: self.cpu.join(name) }
    }

    /// Returns each folder once.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.memory, &self.pids, &self.cpu].into_iter().map(PathBuf::as_path).unique()
    }
}

fn write(file: &Path, value: &str) -> io::Result<()> {
    let written =
        OpenOptions::new().write(true).open(file).and_then(|mut open| open.write_all(value.as_bytes()));
    written.map_err(|error| with_path(file, &error))
}

fn processes(folder: &Path) -> io::Result<Vec<i32>> {
    let file = folder.join("cgroup.procs");
    let listed = fs::read_to_string(&file).map_err(|error| with_path(&file, &error))?;
    Ok(listed.lines().filter_map(|line| line.parse().ok()).collect())
}

/// Returns the name of a new group. The time distinguishes it from a group that a judge with the same process number
/// has left, after both it and its janitor were killed.
fn new_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_micros();
    format!("zeroxor-{}-{now:x}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
