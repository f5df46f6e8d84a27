//! Control groups: the kernel itself counts and limits the usage of a warden and its programs.
//!
//! A group is about a dozen small files in kernel folders. This module reads and writes these files itself, because
//! the existing crates depend on D-Bus and on a whole container runtime.
//!
//! Both versions of the interface work, even side by side: version 2 keeps all resources in one folder, version 1 has
//! a tree of folders for each resource.

mod place;

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use itertools::Itertools;
use rustix::param::page_size;

use self::place::find_place;
use crate::event::Usage;
use crate::janitor::{OwnFolder, new_name};
use crate::limits::Limits;
use crate::proc::{self, with_path};
use crate::warden::Confinement;

/// A control group. Dropping this value removes the group, whose processes must have ended.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    files: GroupFiles,
    limits: Limits,
    /// The usage before the current program, and the memory that the group then had.
    before: Cell<GroupUsage>,
    last: Cell<GroupUsage>,
    _own_folders: Vec<OwnFolder>,
}

/// The room for the warden in the group's memory, in bytes, besides what it uses when it is ready.
const MEMORY_RESERVE: u64 = 1 << 20;

impl ControlGroup {
    pub(crate) fn new(confinement: &Confinement) -> anyhow::Result<Self> {
        let name = new_name("zeroxor");
        let folders = find_place()?.map(|folder| folder.join(&name));
        let own_folders = folders.iter().unique().map(|folder| OwnFolder::make(folder));
        let own_folders = own_folders.collect::<io::Result<_>>()?;
        let files = GroupFiles::open(folders)?;
        write(&files.folders[1].join("pids.max"), &confinement.processes(0).to_string())?;
        let [before, last] = [files.read()?; 2].map(Cell::new);
        Ok(Self { files, limits: confinement.limits, before, last, _own_folders: own_folders })
    }

    pub(crate) fn add(&self, process: u32) -> io::Result<()> {
        let mut folders = self.files.folders.iter().unique();
        folders.try_for_each(|folder| write(&folder.join("cgroup.procs"), &process.to_string()))
    }

    /// Limits the memory. The warden must be ready: what it has used until now does not count for the first program.
    pub(crate) fn limit_memory(&self) -> io::Result<()> {
        let ready = self.files.read()?;
        self.last.set(ready);
        let limit = self.limits.memory.saturating_add(ready.memory).saturating_add(MEMORY_RESERVE);
        let [of_memory, of_swap] = &self.files.memory_limits;
        write(of_memory, &limit.to_string())?;
        // Version 1 limits memory and swapped memory together.
        let swap = if of_swap.ends_with("memory.swap.max") { 0 } else { limit };
        match write(of_swap, &swap.to_string()) {
            // Some kernels do not count swapped memory, or do not have the file.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(()),
            written => written,
        }
    }

    /// Begins to count for another program.
    pub(crate) fn begin(&self) -> io::Result<()> {
        self.files.peak.as_ref().map_or(Ok(()), reset)?;
        self.before.set(GroupUsage { memory: self.files.memory.number("")?, ..self.last.get() });
        Ok(())
    }

    /// Returns the usage of the current program as the kernel has counted it, together with the small usage of the
    /// warden. If the kernel refused memory, the memory counts as one page above the limit. If it refused processes,
    /// their number counts as one above the limit.
    pub(crate) fn used(&self) -> anyhow::Result<Usage> {
        let now = self.files.read().context("the bot's control group cannot be read")?;
        let before = self.before.get();
        self.last.set(now);
        let peak = now.peak.saturating_sub(before.memory);
        let refused = self.limits.memory.saturating_add(page_size() as u64);
        let is_refused = now.memory_refused > before.memory_refused;
        let has_excess = now.processes_refused > before.processes_refused;
        Ok(Usage {
            cpu: Some(now.cpu.saturating_sub(before.cpu)),
            memory: Some(if is_refused { peak.max(refused) } else { peak.min(self.limits.memory) }),
            processes: has_excess.then_some(self.limits.processes.saturating_add(1)),
        })
    }

    /// Returns whether the memory of each program is exact, not only its value at the last measurement.
    pub(crate) fn knows_peak(&self) -> bool {
        self.files.peak.is_some()
    }

    /// Returns whether the kernel has ended a process because the memory was used up.
    pub(crate) fn has_used_up_memory(&self) -> bool {
        self.used().is_ok_and(|used| used.memory > Some(self.limits.memory))
    }

    /// Returns whether the group has another process than the warden.
    pub(crate) fn has_program(&self) -> anyhow::Result<bool> {
        let listed = self.files.processes.text();
        Ok(listed.context("the processes of the bot's control group cannot be listed")?.lines().count() > 1)
    }
}

/// The usage so far of the processes of a group, including those that have ended.
#[derive(Clone, Copy, Debug, Default)]
struct GroupUsage {
    cpu: Duration,
    /// The memory now, in bytes.
    memory: u64,
    /// The peak of the memory since the last reset, in bytes. If the kernel cannot reset it, the memory now.
    peak: u64,
    /// How often the kernel had to end a process because the group's memory was used up.
    memory_refused: u64,
    /// How often a process or thread could not be started because of the limit on their number.
    processes_refused: u64,
}

/// The folders of a group: for the memory, the number of processes, and the CPU time. With version 2 all three are the same.
type GroupFolders = [PathBuf; 3];

#[derive(Debug)]
struct GroupFiles {
    folders: GroupFolders,
    cpu: GroupFile,
    /// The line of the CPU time in its file, and the number of nanoseconds of its unit.
    cpu_unit: (&'static str, u64),
    memory: GroupFile,
    /// The file that has the line `oom_kill`.
    memory_events: GroupFile,
    pids_events: GroupFile,
    processes: GroupFile,
    /// The files with the limits on memory, and on memory that is swapped.
    memory_limits: [PathBuf; 2],
    /// The file with the peak of the memory, if a write to it resets the peak. Version 2 allows that since Linux 6.12, and
    /// resets the peak only for this open file.
    peak: Option<File>,
}

impl GroupFiles {
    fn open(folders: GroupFolders) -> io::Result<Self> {
        let [memory, pids, cpu] = &folders;
        let names = if memory.join("memory.current").exists() {
            ["current", "peak", "events", "max", "swap.max"]
        } else {
            ["usage_in_bytes", "max_usage_in_bytes", "oom_control", "limit_in_bytes", "memsw.limit_in_bytes"]
        };
        let [now, peak, events, limit, swap_limit] = names.map(|name| memory.join(format!("memory.{name}")));
        let (of_cpu, cpu_unit) = if cpu.join("cpuacct.usage").exists() {
            ("cpuacct.usage", ("", 1))
        } else {
            ("cpu.stat", ("usage_usec ", 1000))
        };
        let peak = OpenOptions::new().read(true).write(true).open(peak).ok();
        Ok(Self {
            cpu: GroupFile::open(cpu.join(of_cpu))?,
            cpu_unit,
            memory: GroupFile::open(now)?,
            memory_events: GroupFile::open(events)?,
            pids_events: GroupFile::open(pids.join("pids.events"))?,
            processes: GroupFile::open(memory.join("cgroup.procs"))?,
            memory_limits: [limit, swap_limit],
            // Root can open the file for writing even where no write to it succeeds.
            peak: peak.filter(|peak| reset(peak).is_ok()),
            folders,
        })
    }

    fn read(&self) -> io::Result<GroupUsage> {
        let (line, unit) = self.cpu_unit;
        let memory = self.memory.number("")?;
        Ok(GroupUsage {
            cpu: Duration::from_nanos(self.cpu.number(line)?.saturating_mul(unit)),
            memory,
            peak: self.peak.as_ref().map_or(Ok(memory), read_peak)?,
            memory_refused: self.memory_events.number("oom_kill ")?,
            processes_refused: self.pids_events.number("max ")?,
        })
    }
}

/// An open file of a group. Games read these files so often that opening them would take half of the time.
#[derive(Debug)]
struct GroupFile {
    path: PathBuf,
    file: File,
}

impl GroupFile {
    fn open(path: PathBuf) -> io::Result<Self> {
        let file = File::open(&path).map_err(|error| with_path(&path, &error))?;
        Ok(Self { path, file })
    }

    /// Returns the beginning of the content.
    fn text(&self) -> io::Result<String> {
        let mut content = [0; 4096];
        let length = self.file.read_at(&mut content, 0).map_err(|error| with_path(&self.path, &error))?;
        Ok(String::from_utf8_lossy(&content[..length]).into_owned())
    }

    /// Returns the number after `name` on its line. With an empty name, it is the whole content.
    fn number(&self, name: &str) -> io::Result<u64> {
        let text = self.text()?;
        let number = proc::value(&text, name).and_then(|value| value.parse().ok());
        number.ok_or_else(|| io::Error::other(format!("{}: unexpected {text:?}", self.path.display())))
    }
}

fn read_peak(peak: &File) -> io::Result<u64> {
    let mut content = [0; 64];
    let length = peak.read_at(&mut content, 0)?;
    String::from_utf8_lossy(&content[..length]).trim().parse().map_err(io::Error::other)
}

fn reset(peak: &File) -> io::Result<()> {
    peak.write_all_at(b"0", 0)
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_files_of_version_2() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n");
        write("memory.current", "4096\n");
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 0\noom_kill 0\noom_group_kill 0\n");
        write("pids.events", "max 0\n");
        write("cgroup.procs", "");
        let folders = [(); 3].map(|()| folder.path().to_owned());
        let files = GroupFiles::open(folders.clone()).unwrap();
        let first = files.read().unwrap();
        assert_eq!((first.cpu, first.memory, first.peak), (Duration::from_micros(1500), 4096, 4096));
        assert_eq!((first.memory_refused, first.processes_refused), (0, 0));
        // Even root cannot write to this file, as to `memory.peak` before Linux 6.12.
        symlink("/proc/sys/kernel/ngroups_max", folder.path().join("memory.peak")).unwrap();
        let files = GroupFiles::open(folders.clone()).unwrap();
        assert_eq!((files.read().unwrap().peak, files.peak.is_some()), (4096, false));
        fs::remove_file(folder.path().join("memory.peak")).unwrap();
        write("memory.peak", "");
        let files = GroupFiles::open(folders).unwrap();
        assert!(files.peak.is_some());
        write("memory.peak", "8192\n");
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 1\n");
        write("pids.events", "max 2\n");
        let used = files.read().unwrap();
        assert_eq!((used.peak, used.memory_refused, used.processes_refused), (8192, 1, 2));
        write("cpu.stat", "usage_usec many\n");
        let error = files.read().unwrap_err().to_string();
        assert!(error.contains("cpu.stat: unexpected \"usage_usec many"), "{error}");
    }
}
