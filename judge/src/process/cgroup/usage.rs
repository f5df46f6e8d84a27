//! What the processes of a control group have used, as the kernel counts it.

use std::io;
use std::time::Duration;

use super::files::{entry, number};
use super::folder::{GroupFolders, Version};

/// What the processes of a group have used so far, those that have ended among them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupUsage {
    pub(crate) cpu: Duration,
    /// The peak, in bytes.
    pub(crate) memory: u64,
    /// Whether the kernel had to end a process because the group's memory was used up.
    pub(crate) memory_refused: bool,
    /// Whether a process or thread could not be started because of the limit on their number.
    pub(crate) processes_refused: bool,
}

impl GroupUsage {
    /// What these folders show.
    pub(super) fn read(folders: &GroupFolders) -> io::Result<Self> {
        let GroupFolders { memory, pids, cpu } = folders;
        let cpu = match cpu.version {
            Version::One => Duration::from_nanos(number(&cpu.path.join("cpuacct.usage"))?),
            Version::Two => Duration::from_micros(entry(&cpu.path.join("cpu.stat"), "usage_usec")?),
        };
        let (memory, memory_refused) = match memory.version {
            Version::One => (
                number(&memory.path.join("memory.max_usage_in_bytes"))?,
                entry(&memory.path.join("memory.oom_control"), "oom_kill")? > 0,
            ),
            Version::Two => {
                // Linux 5.19 is the first that keeps the peak.
                let peak = number(&memory.path.join("memory.peak"));
                let peak = peak.or_else(|_| number(&memory.path.join("memory.current")))?;
                (peak, entry(&memory.path.join("memory.events"), "oom_kill")? > 0)
            }
        };
        let processes_refused = entry(&pids.path.join("pids.events"), "max")? > 0;
        Ok(Self { cpu, memory, memory_refused, processes_refused })
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
        let used = GroupUsage::read(&folders).unwrap();
        assert_eq!((used.cpu, used.memory), (Duration::from_micros(1500), 4096));
        assert!(!used.memory_refused && !used.processes_refused);
        write("memory.peak", "8192\n");
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 1\n");
        write("pids.events", "max 2\n");
        let used = GroupUsage::read(&folders).unwrap();
        assert!(used.memory == 8192 && used.memory_refused && used.processes_refused);
        write("cpu.stat", "usage_usec many\n");
        let error = GroupUsage::read(&folders).unwrap_err().to_string();
        assert!(error.contains("cpu.stat: unexpected \"usage_usec many"), "{error}");
    }
}
