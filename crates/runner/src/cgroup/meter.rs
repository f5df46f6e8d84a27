//! The usage of the processes of a control group, as the kernel counts it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::Duration;

use super::GroupFolders;
use crate::proc::{self, with_path};

/// The usage so far of the processes of a group, including those that have ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupUsage {
    pub(super) cpu: Duration,
    /// The memory now, in bytes.
    pub(super) memory: u64,
    /// The peak of the memory since the last reset, in bytes.
    pub(super) peak: u64,
    /// How often the kernel had to end a process because the group's memory was used up.
    pub(super) memory_refused: u64,
    /// How often a process or thread could not be started because of the limit on their number.
    pub(super) processes_refused: u64,
}

const KEPT_LENGTH: usize = 1024;

/// A file that is kept open because it is read several times in each game.
#[derive(Debug)]
struct KeptFile {
    path: PathBuf,
    file: File,
}

impl KeptFile {
    fn open(path: PathBuf, is_writable: bool) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(is_writable).open(&path);
        let file = file.map_err(|error| with_path(&path, &error))?;
        Ok(Self { path, file })
    }

    /// Reads the number after `name` on its line. With an empty name, it is the whole content of the file.
    fn number(&self, name: &str) -> io::Result<u64> {
        let mut text = [0; KEPT_LENGTH];
        let length = self.file.read_at(&mut text, 0).map_err(|error| with_path(&self.path, &error))?;
        let text = String::from_utf8_lossy(&text[..length]);
        let number = proc::value(&text, name).and_then(|value| value.parse().ok());
        number.ok_or_else(|| io::Error::other(format!("{}: unexpected {text:?}", self.path.display())))
    }
}

#[derive(Debug)]
pub(super) struct UsageFiles {
    /// The file with the CPU time, its line, and the number of nanoseconds of its unit.
    cpu: (KeptFile, &'static str, u64),
    memory: KeptFile,
    /// The file with the peak, which a write resets. Version 2 has it since Linux 5.19, and resets it since 6.12.
    peak: Option<KeptFile>,
    /// The file that contains the line `oom_kill`.
    memory_events: KeptFile,
    pids_events: KeptFile,
}

impl UsageFiles {
    pub(super) fn open(folders: &GroupFolders) -> io::Result<Self> {
        let GroupFolders { memory, pids, cpu } = folders;
        let (of_cpu, line, unit) = if cpu.join("cpuacct.usage").exists() {
            ("cpuacct.usage", "", 1)
        } else {
            ("cpu.stat", "usage_usec ", 1000)
        };
        let [now, peak, events] = if memory.join("memory.usage_in_bytes").exists() {
            ["memory.usage_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control"]
        } else {
            ["memory.current", "memory.peak", "memory.events"]
        };
        Ok(Self {
            cpu: (KeptFile::open(cpu.join(of_cpu), false)?, line, unit),
            memory: KeptFile::open(memory.join(now), false)?,
            peak: KeptFile::open(memory.join(peak), true).ok(),
            memory_events: KeptFile::open(memory.join(events), false)?,
            pids_events: KeptFile::open(pids.join("pids.events"), false)?,
        })
    }

    /// Resets the peak, if the kernel can. Returns the `last` usage with the present memory and peak.
    pub(super) fn reset_peak(&self, last: GroupUsage) -> io::Result<GroupUsage> {
        let _ = self.peak.as_ref().map(|peak| peak.file.write_at(b"0", 0));
        let memory = self.memory.number("")?;
        Ok(GroupUsage { memory, peak: self.peak(memory)?, ..last })
    }

    /// Returns the peak of the memory, or the memory now where the kernel does not keep the peak.
    fn peak(&self, memory: u64) -> io::Result<u64> {
        self.peak.as_ref().map_or(Ok(memory), |peak| peak.number(""))
    }

    pub(super) fn read(&self) -> io::Result<GroupUsage> {
        let (cpu, line, unit) = &self.cpu;
        let memory = self.memory.number("")?;
        Ok(GroupUsage {
            cpu: Duration::from_nanos(cpu.number(line)?.saturating_mul(*unit)),
            memory,
            peak: self.peak(memory)?,
            memory_refused: self.memory_events.number("oom_kill ")?,
            processes_refused: self.pids_events.number("max ")?,
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
        assert_eq!((first.cpu, first.memory, first.peak), (Duration::from_micros(1500), 4096, 4096));
        assert_eq!((first.memory_refused, first.processes_refused), (0, 0));
        write("memory.peak", "8192\n");
        let files = UsageFiles::open(&folders).unwrap();
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 1\n");
        write("pids.events", "max 2\n");
        let used = files.read().unwrap();
        assert_eq!((used.peak, used.memory_refused, used.processes_refused), (8192, 1, 2));
        write("cpu.stat", "usage_usec many\n");
        let error = files.read().unwrap_err().to_string();
        assert!(error.contains("cpu.stat: unexpected \"usage_usec many"), "{error}");
    }
}
