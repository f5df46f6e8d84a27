//! The usage of the processes of a control group, as the kernel counts it. The process that makes a group can send the
//! open files of the group to another process, which can then read the usage as well.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::Duration;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::cgroup::folder::{GroupFolders, KeptFile, Version};
use crate::event::Usage;
use crate::limits::Limits;

/// Measures the usage of the processes of a group.
#[derive(Debug)]
pub(crate) struct GroupMeter {
    files: UsageFiles,
    /// The usage of earlier bots in the same group.
    earlier: GroupUsage,
}

/// The data from which another process makes an equal meter, together with the open files.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct GroupMeterState {
    version: Version,
    earlier: GroupUsage,
}

impl GroupMeter {
    pub(super) fn new(files: UsageFiles) -> Self {
        Self { files, earlier: GroupUsage::default() }
    }

    /// Returns the meter for the next bot in the same group; `None` if the group cannot be read.
    pub(super) fn reset(self) -> Option<Self> {
        let earlier = self.files.read().ok()?;
        Some(Self { earlier, ..self })
    }

    /// Returns the usage that the kernel has counted. If the kernel refused memory, the memory counts as one page above
    /// the limit. If it refused processes, their number counts as one above the limit.
    ///
    /// # Errors
    ///
    /// If the usage cannot be read.
    pub(crate) fn used(&self, limits: &Limits) -> anyhow::Result<Usage> {
        let used = self.files.read().context("the bot's control group cannot be read")?.since(self.earlier);
        let refused = limits.memory.saturating_add(procfs::page_size());
        let memory = if used.memory_refused > 0 { used.memory.max(refused) } else { used.memory };
        let processes = (used.processes_refused > 0).then_some(limits.processes.saturating_add(1));
        Ok(Usage { cpu: Some(used.cpu), memory: Some(memory), processes })
    }

    /// Returns the parts from which another process makes an equal meter.
    pub(crate) fn parts(&self) -> (GroupMeterState, Vec<BorrowedFd<'_>>) {
        let (version, fds) = self.files.parts();
        (GroupMeterState { version, earlier: self.earlier }, fds)
    }

    /// Makes a meter from its parts; `None` if a file is missing.
    pub(crate) fn from_parts(state: GroupMeterState, fds: impl Iterator<Item = OwnedFd>) -> Option<Self> {
        Some(Self { files: UsageFiles::from_parts(state.version, fds)?, earlier: state.earlier })
    }
}

/// The usage so far of the processes of a group, including those that have ended.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct GroupUsage {
    pub(super) cpu: Duration,
    /// The peak of the memory, in bytes.
    pub(super) memory: u64,
    /// How often the kernel had to end a process because the group's memory was used up.
    pub(super) memory_refused: u64,
    /// How often a process or thread could not be started because of the limit on their number.
    pub(super) processes_refused: u64,
}

impl GroupUsage {
    /// Returns the usage since `earlier`.
    pub(super) fn since(self, earlier: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(earlier.cpu),
            memory: self.memory.saturating_sub(earlier.memory),
            memory_refused: self.memory_refused.saturating_sub(earlier.memory_refused),
            processes_refused: self.processes_refused.saturating_sub(earlier.processes_refused),
        }
    }
}

/// The files that show the usage of a group.
#[derive(Debug)]
pub(super) struct UsageFiles {
    cpu: (Version, KeptFile),
    memory: KeptFile,
    /// The file that contains the line `oom_kill`.
    memory_events: KeptFile,
    pids_events: KeptFile,
}

impl UsageFiles {
    pub(super) fn open(folders: &GroupFolders) -> io::Result<Self> {
        let GroupFolders { memory, pids, cpu } = folders;
        let of_cpu = match cpu.version {
            Version::One => "cpuacct.usage",
            Version::Two => "cpu.stat",
        };
        let (of_memory, memory_events) = match memory.version {
            Version::One => {
                (KeptFile::open(memory.path.join("memory.max_usage_in_bytes"))?, "memory.oom_control")
            }
            Version::Two => {
                // Linux before 5.19 does not keep the peak.
                let peak = KeptFile::open(memory.path.join("memory.peak"));
                let peak = peak.or_else(|_| KeptFile::open(memory.path.join("memory.current")))?;
                (peak, "memory.events")
            }
        };
        Ok(Self {
            cpu: (cpu.version, KeptFile::open(cpu.path.join(of_cpu))?),
            memory: of_memory,
            memory_events: KeptFile::open(memory.path.join(memory_events))?,
            pids_events: KeptFile::open(pids.path.join("pids.events"))?,
        })
    }

    /// Returns the files, and the version that another process needs to read them.
    pub(super) fn parts(&self) -> (Version, Vec<BorrowedFd<'_>>) {
        let files = [&self.cpu.1, &self.memory, &self.memory_events, &self.pids_events];
        (self.cpu.0, files.map(KeptFile::fd).to_vec())
    }

    /// Makes `UsageFiles` from files that another process has opened; `None` if a file is missing.
    pub(super) fn from_parts(version: Version, mut fds: impl Iterator<Item = OwnedFd>) -> Option<Self> {
        let mut file = || fds.next().map(KeptFile::received);
        Some(Self { cpu: (version, file()?), memory: file()?, memory_events: file()?, pids_events: file()? })
    }

    /// Reads the usage of the group since it was made.
    pub(super) fn read(&self) -> io::Result<GroupUsage> {
        let cpu = match &self.cpu {
            (Version::One, file) => Duration::from_nanos(file.number()?),
            (Version::Two, file) => Duration::from_micros(file.entry("usage_usec")?),
        };
        Ok(GroupUsage {
            cpu,
            memory: self.memory.number()?,
            memory_refused: self.memory_events.entry("oom_kill")?,
            processes_refused: self.pids_events.entry("max")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_files_of_version_2() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n");
        write("memory.current", "4096\n");
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 0\noom_kill 0\noom_group_kill 0\n");
        write("pids.events", "max 0\n");
        let folders = GroupFolders::version_2(folder.path().to_owned());
        let files = UsageFiles::open(&folders).unwrap();
        let first = files.read().unwrap();
        assert_eq!((first.cpu, first.memory), (Duration::from_micros(1500), 4096));
        assert_eq!((first.memory_refused, first.processes_refused), (0, 0));
        write("memory.peak", "8192\n");
        let files = UsageFiles::open(&folders).unwrap();
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 1\n");
        write("pids.events", "max 2\n");
        write("cpu.stat", "usage_usec 1800\nuser_usec 1000\nsystem_usec 800\n");
        let used = files.read().unwrap();
        assert_eq!((used.memory, used.memory_refused, used.processes_refused), (8192, 1, 2));
        let since = used.since(first);
        assert_eq!((since.cpu, since.memory), (Duration::from_micros(300), 4096));
        assert_eq!((since.memory_refused, since.processes_refused), (1, 2));
        write("cpu.stat", "usage_usec many\n");
        let error = files.read().unwrap_err().to_string();
        assert!(error.contains("cpu.stat: unexpected \"usage_usec many"), "{error}");
    }
}
