//! The control group of one bot.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use itertools::Itertools;
use rustix::process::{Pid, Signal, kill_process};

use super::place::{Parent, Place, Version};
use super::stale;
use crate::referee::limits::Limits;

/// How long the judge tries to end and remove a group.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(1);

/// The folders of all groups that this judge has made and not yet removed.
static GROUPS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A group, one folder for each resource. It is ended and removed when it is dropped.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    memory: Parent,
    pids: Parent,
    cpu: Parent,
}

/// What the processes of a group have used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupUsage {
    pub(crate) cpu: Duration,
    /// The peak, in bytes.
    pub(crate) memory: u64,
    /// Whether the kernel had to end a process for want of memory.
    pub(crate) memory_refused: bool,
    /// Whether a process or thread could not be started for the limit on their number.
    pub(crate) processes_refused: bool,
}

impl ControlGroup {
    /// An empty group with the limits on memory and on processes.
    pub(crate) fn new(place: &Place, limits: &Limits) -> io::Result<Self> {
        let name = stale::name()?;
        let own = |parent: &Parent| Parent { path: parent.path.join(&name), ..parent.clone() };
        let group = Self { memory: own(&place.memory), pids: own(&place.pids), cpu: own(&place.cpu) };
        for folder in group.folders() {
            fs::create_dir(&folder).map_err(|error| named(&folder, &error))?;
            groups().push(folder);
        }
        group.limit(limits)?;
        Ok(group)
    }

    fn limit(&self, limits: &Limits) -> io::Result<()> {
        let memory = limits.memory.to_string();
        let optional = |name: &str, value: &str| match write(&self.memory.path.join(name), value) {
            // Not every kernel counts what is swapped out, or has the file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            written => written,
        };
        match self.memory.version {
            Version::One => {
                write(&self.memory.path.join("memory.limit_in_bytes"), &memory)?;
                optional("memory.memsw.limit_in_bytes", &memory)?;
            }
            Version::Two => {
                write(&self.memory.path.join("memory.max"), &memory)?;
                optional("memory.swap.max", "0")?;
                optional("memory.oom.group", "1")?;
            }
        }
        write(&self.pids.path.join("pids.max"), &limits.processes.to_string())
    }

    /// The folders that a process joins, each once.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        [&self.memory, &self.pids, &self.cpu].into_iter().map(|folder| folder.path.clone()).unique().collect()
    }

    /// What its processes have used so far, those that have ended among them.
    pub(crate) fn usage(&self) -> io::Result<GroupUsage> {
        let cpu = match self.cpu.version {
            Version::One => Duration::from_nanos(number(&self.cpu.path.join("cpuacct.usage"))?),
            Version::Two => Duration::from_micros(entry(&self.cpu.path.join("cpu.stat"), "usage_usec")?),
        };
        let (memory, memory_refused) = match self.memory.version {
            Version::One => (
                number(&self.memory.path.join("memory.max_usage_in_bytes"))?,
                entry(&self.memory.path.join("memory.oom_control"), "oom_kill")? > 0,
            ),
            Version::Two => {
                // Linux 5.19 is the first that keeps the peak.
                let peak = number(&self.memory.path.join("memory.peak"));
                let peak = peak.or_else(|_| number(&self.memory.path.join("memory.current")))?;
                (peak, entry(&self.memory.path.join("memory.events"), "oom_kill")? > 0)
            }
        };
        let processes_refused = entry(&self.pids.path.join("pids.events"), "max")? > 0;
        Ok(GroupUsage { cpu, memory, memory_refused, processes_refused })
    }

    /// The processes that are in all of its folders.
    pub(crate) fn members(&self) -> io::Result<Vec<i32>> {
        let mut folders = self.folders().into_iter();
        let mut members = folders.next().map_or_else(|| Ok(Vec::new()), |folder| processes(&folder))?;
        for folder in folders {
            let also = processes(&folder)?;
            members.retain(|member| also.contains(member));
        }
        Ok(members)
    }

    /// Ends all its processes; nothing is left that could start others.
    pub(crate) fn kill(&self) {
        kill(&self.pids.path);
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        for folder in self.folders() {
            end(&folder);
            groups().retain(|group| *group != folder);
        }
    }
}

fn groups() -> impl std::ops::DerefMut<Target = Vec<PathBuf>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Moves this process, which must be a single thread, into a group's folder.
pub(crate) fn join(folder: &Path) -> io::Result<()> {
    // 0 is the writing process.
    write(&folder.join("cgroup.procs"), "0")
}

/// Ends and removes all groups of this judge, which is about to exit.
pub(crate) fn end_all() {
    let folders = std::mem::take(&mut *groups());
    for folder in folders {
        end(&folder);
    }
}

/// Ends the processes of a group and of those below it, and removes them all, if that can be done.
pub(super) fn end(folder: &Path) {
    let deadline = Instant::now() + REMOVAL_TIMEOUT;
    loop {
        kill(folder);
        for below in below(folder) {
            end(&below);
        }
        match fs::remove_dir(folder) {
            // Some process has yet to go.
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_micros(200));
            }
            _ => return,
        }
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

/// Forbids new processes, so that those that are listed are all, and ends them.
fn kill(folder: &Path) {
    let _ = write(&folder.join("pids.max"), "0");
    // Version 2 as of Linux 5.14 ends all at once, also of groups below.
    if write(&folder.join("cgroup.kill"), "1").is_ok() {
        return;
    }
    let listed = processes(folder).unwrap_or_default();
    for process in listed.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(process, Signal::KILL);
    }
}

fn processes(folder: &Path) -> io::Result<Vec<i32>> {
    let listed = read(&folder.join("cgroup.procs"))?;
    Ok(listed.lines().filter_map(|line| line.parse().ok()).collect())
}

/// Writes a file that is there.
pub(super) fn write(file: &Path, value: &str) -> io::Result<()> {
    let written =
        OpenOptions::new().write(true).open(file).and_then(|mut open| open.write_all(value.as_bytes()));
    written.map_err(|error| named(file, &error))
}

fn read(file: &Path) -> io::Result<String> {
    fs::read_to_string(file).map_err(|error| named(file, &error))
}

/// An error and the file it is about.
fn named(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

fn number(file: &Path) -> io::Result<u64> {
    let text = read(file)?;
    text.trim().parse().map_err(|_| malformed(file, &text))
}

/// The number behind a name, of a file that has a line for each.
fn entry(file: &Path, name: &str) -> io::Result<u64> {
    let text = read(file)?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.and_then(|value| value.trim().parse().ok()).ok_or_else(|| malformed(file, &text))
}

fn malformed(file: &Path, text: &str) -> io::Error {
    io::Error::other(format!("{}: unexpected {text:?}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    use super::*;
    use crate::referee::limits::DEFAULT_LIMITS;

    /// A group of version 2 without a kernel behind it.
    fn group(folder: &Path) -> ControlGroup {
        let all = Parent { version: Version::Two, path: folder.to_owned() };
        ControlGroup { memory: all.clone(), pids: all.clone(), cpu: all }
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
    fn the_usage_in_words_of_version_2() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n");
        write("memory.current", "4096\n");
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 0\noom_kill 0\noom_group_kill 0\n");
        write("pids.events", "max 0\n");
        write("cgroup.procs", "3\n5\n");
        let group = group(folder.path());
        let used = group.usage().unwrap();
        assert_eq!((used.cpu, used.memory), (Duration::from_micros(1500), 4096));
        assert!(!used.memory_refused && !used.processes_refused);
        assert_eq!(group.members().unwrap(), [3, 5]);
        write("memory.peak", "8192\n");
        write("memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 1\n");
        write("pids.events", "max 2\n");
        let used = group.usage().unwrap();
        assert!(used.memory == 8192 && used.memory_refused && used.processes_refused);
        write("cpu.stat", "usage_usec many\n");
        assert!(group.usage().unwrap_err().to_string().contains("cpu.stat: unexpected \"usage_usec many"));
    }

    /// A real group of version 2 needs no controller to be ended.
    #[test]
    fn a_group_of_version_2_ends() {
        let mounts = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].map(Path::new);
        let mount = mounts.into_iter().find(|mount| mount.join("cgroup.controllers").exists());
        let folder = mount.and_then(|mount| Some(mount.join(stale::name().ok()?)));
        let Some(folder) = folder.filter(|folder| fs::create_dir(folder).is_ok()) else {
            eprintln!("SKIPPED: no control group of version 2 can be made here");
            return;
        };
        fs::create_dir(folder.join("below")).unwrap();
        // Each sleeper is its shell's child, and the shell tells of its end: the reaper of another test's bot may take a
        // child of this process at any time.
        let script = "sleep 100 & echo $!; wait $!; echo $?";
        let sleepers = [&folder, &folder.join("below")].map(|group| {
            let mut shell = Command::new("sh");
            let shell = shell.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut shell = shell.spawn().unwrap();
            let mut said = BufReader::new(shell.stdout.take().unwrap());
            let mut sleeper = String::new();
            said.read_line(&mut sleeper).unwrap();
            write(&group.join("cgroup.procs"), sleeper.trim_end()).unwrap();
            (shell, said)
        });
        assert!(entry(&folder.join("cpu.stat"), "usage_usec").is_ok());
        kill(&folder);
        for (mut shell, mut said) in sleepers {
            let mut status = String::new();
            said.read_to_string(&mut status).unwrap();
            assert_eq!(status, "137\n", "killed by signal 9");
            // It may be reaped already.
            let _ = shell.wait();
        }
        end(&folder);
        assert!(!folder.exists());
    }
}
