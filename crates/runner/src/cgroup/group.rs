//! The control group of a warden and its programs: its limits, and the usage of each program.

use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, thread};

use anyhow::Context;
use rustix::param::page_size;

use crate::cgroup::folder::{GroupFolders, Version, processes, with_path, write};
use crate::cgroup::meter::{GroupUsage, UsageFiles};
use crate::cgroup::place::find_place;
use crate::event::Usage;
use crate::janitor::Registration;
use crate::limits::Limits;
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
    _removal: Removal,
}

/// The room for the warden in the group's memory, in bytes, besides what it uses when it is ready.
const MEMORY_RESERVE: u64 = 1 << 20;

impl ControlGroup {
    /// Makes a group. An error says why the judge may not.
    pub(crate) fn new(limits: &Limits) -> anyhow::Result<Self> {
        let folders = find_place()?.below(&new_name());
        // Registered before they are made, so that they are removed even if the judge ends in between.
        let removal = Removal(Registration::new(folders.paths())?);
        folders
            .paths()
            .try_for_each(|folder| fs::create_dir(folder).map_err(|error| with_path(folder, &error)))?;
        let files = UsageFiles::open(&folders)?;
        let processes = limits.processes.saturating_add(1).max(WARDEN_PROCESSES);
        write(&folders.pids.path.join("pids.max"), &processes.to_string())?;
        let (before, last) = Default::default();
        Ok(Self { folders, files, limits: *limits, before, last, _removal: removal })
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
        let (of_memory, of_swap, swap) = match memory.version {
            Version::One => ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", limit),
            Version::Two => ("memory.max", "memory.swap.max", 0),
        };
        write(&memory.path.join(of_memory), &limit.to_string())?;
        match write(&memory.path.join(of_swap), &swap.to_string()) {
            // Some kernels do not count swapped memory, or do not have the file.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(()),
            written => written,
        }
    }

    /// Begins to count the usage of another program.
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
        let listed = processes(&self.folders.memory.path);
        Ok(listed.context("the processes of the bot's control group cannot be listed")?.len() > 1)
    }
}

/// The folders of a group that the judge has made. Dropping this value removes them.
#[derive(Debug)]
struct Removal(Registration);

/// Maximum time for which a group is waited for whose last process has just ended.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(1);

impl Drop for Removal {
    fn drop(&mut self) {
        let deadline = Instant::now() + REMOVAL_TIMEOUT;
        for folder in self.0.folders() {
            while let Err(error) = fs::remove_dir(folder)
                && error.kind() == ErrorKind::ResourceBusy
                && Instant::now() < deadline
            {
                thread::sleep(Duration::from_micros(200));
            }
        }
    }
}

/// Returns the name of a new group. The time distinguishes it from a group that a judge with the same process number
/// has left, after both it and its janitor were killed.
pub(super) fn new_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_micros();
    format!("zeroxor-{}-{now:x}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
