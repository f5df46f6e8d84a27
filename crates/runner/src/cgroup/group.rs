//! The control group of a warden and its programs: its limits, and the usage of each program.

use std::cell::Cell;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, io, thread};

use anyhow::Context;

use crate::cgroup::folder::{GroupFolders, Version, processes, with_path, write};
use crate::cgroup::meter::{GroupUsage, UsageFiles};
use crate::cgroup::place::Place;
use crate::event::Usage;
use crate::janitor;
use crate::limits::Limits;
use crate::warden::WARDEN_PROCESSES;

/// A control group. Dropping this value removes the group, whose processes must have ended.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    folders: OwnFolders,
    files: UsageFiles,
    limits: Limits,
    /// The usage before the current program, and the memory that the group then had.
    before: Cell<GroupUsage>,
    /// The usage when it was last read.
    last: Cell<GroupUsage>,
}

/// The room for the warden in the group's memory, in bytes, besides what it uses when it is ready.
const MEMORY_RESERVE: u64 = 1 << 20;

impl ControlGroup {
    pub(crate) fn new(place: &Place, limits: &Limits) -> io::Result<Self> {
        let folders = OwnFolders::make(place.folders().below(&new_name()))?;
        let files = UsageFiles::open(&folders)?;
        let processes = limits.processes.saturating_add(1).max(WARDEN_PROCESSES);
        write(&folders.pids.path.join("pids.max"), &processes.to_string())?;
        Ok(Self { folders, files, limits: *limits, before: Cell::default(), last: Cell::default() })
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
        let optional = |name: &str, value: &str| match write(&memory.path.join(name), value) {
            // Some kernels do not count swapped memory, or do not have the file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            written => written,
        };
        match memory.version {
            Version::One => {
                write(&memory.path.join("memory.limit_in_bytes"), &limit.to_string())?;
                optional("memory.memsw.limit_in_bytes", &limit.to_string())
            }
            Version::Two => {
                write(&memory.path.join("memory.max"), &limit.to_string())?;
                optional("memory.swap.max", "0")
            }
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
        let refused = self.limits.memory.saturating_add(procfs::page_size());
        let is_refused = now.memory_refused > before.memory_refused;
        let has_excess = now.processes_refused > before.processes_refused;
        Ok(Usage {
            cpu: Some(now.cpu.saturating_sub(before.cpu)),
            memory: Some(if is_refused { peak.max(refused) } else { peak.min(self.limits.memory) }),
            processes: has_excess.then_some(self.limits.processes.saturating_add(1)),
        })
    }

    /// Returns whether the group has another process than the warden.
    pub(crate) fn has_program(&self) -> anyhow::Result<bool> {
        let listed = processes(&self.folders.memory.path);
        Ok(listed.context("the processes of the bot's control group cannot be listed")?.len() > 1)
    }
}

/// The folders of a group that the judge has made. Dropping this value removes them.
#[derive(Debug)]
struct OwnFolders {
    folders: GroupFolders,
    _removal: janitor::Registration,
}

impl OwnFolders {
    fn make(folders: GroupFolders) -> io::Result<Self> {
        // Register the folders before making them, so that they are removed even if the judge ends in between.
        let removal = janitor::Registration::new(folders.paths())?;
        let own = Self { folders, _removal: removal };
        for folder in own.paths() {
            fs::create_dir(folder).map_err(|error| with_path(folder, &error))?;
        }
        Ok(own)
    }
}

impl Deref for OwnFolders {
    type Target = GroupFolders;

    fn deref(&self) -> &GroupFolders {
        &self.folders
    }
}

impl Drop for OwnFolders {
    fn drop(&mut self) {
        self.folders.paths().for_each(remove);
    }
}

/// Maximum time for which a group is waited for whose last process has just ended.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(1);

fn remove(folder: &Path) {
    let deadline = Instant::now() + REMOVAL_TIMEOUT;
    while let Err(error) = fs::remove_dir(folder)
        && error.kind() == io::ErrorKind::ResourceBusy
        && Instant::now() < deadline
    {
        thread::sleep(Duration::from_micros(200));
    }
}

/// Returns the name of a new group. The time distinguishes it from a group that a judge with the same process number
/// has left, after both it and its janitor were killed.
pub(super) fn new_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_micros();
    format!("zeroxor-{}-{now:x}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
