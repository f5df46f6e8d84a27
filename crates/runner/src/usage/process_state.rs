//! The state of single processes, read from `/proc`, and the memory that several processes share.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::Context;
use procfs::process::{Process, Task};
use procfs::{ProcError, ProcResult};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use crate::descendants::tree::{self, unless_gone};

/// Number of attempts to read a process that exists but cannot be read: it may be about to become another program or
/// to end.
const ATTEMPTS: usize = 3;

#[derive(Debug)]
pub(super) struct ProcessState {
    pub(super) pid: i32,
    /// The thread whose state represents the process: the first thread, or another one if the first has ended.
    pub(super) tid: i32,
    /// The start of the process, in ticks since the start of the system. The process number and the start together
    /// identify a process uniquely.
    pub(super) start: u64,
    pub(super) parent: i32,
    pub(super) state: char,
    pub(super) threads: u64,
    /// CPU time of the process itself.
    pub(super) own: Duration,
    /// CPU time of the processes that it has waited for.
    pub(super) waited: Duration,
    /// Bytes in RAM and swap now, including pages that other processes share.
    pub(super) memory: u64,
    /// Peak number of bytes in RAM.
    pub(super) peak: u64,
    /// Bytes of the page tables now.
    pub(super) page_tables: u64,
}

#[derive(Debug)]
pub(super) struct ThreadState {
    pub(super) state: char,
    /// The kernel function in which the thread sleeps, if it is known.
    pub(super) channel: Option<String>,
}

impl ProcessState {
    /// Checks whether the process has ended and only its number is left.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

/// Returns the state of each descendant of this process, without duplicates. The parent of a child of this process is 0.
///
/// # Errors
///
/// If a process exists and cannot be read, because the bot's usage is then unknown.
pub(super) fn read_all() -> anyhow::Result<Vec<ProcessState>> {
    let own = tree::own_children().context("the judge's own children cannot be listed")?;
    let mut found = Vec::new();
    let mut waiting: Vec<(i32, i32)> = own.into_iter().map(|child| (child, 0)).collect();
    // A process that gets another parent during the walk is listed by both parents.
    let mut listed: HashSet<i32> = waiting.iter().map(|&(child, _)| child).collect();
    while let Some((pid, parent)) = waiting.pop() {
        if let Some((state, children)) = read(pid, parent)? {
            let new = children.into_iter().filter(|&child| listed.insert(child));
            waiting.extend(new.map(|child| (child, pid)));
            found.push(state);
        }
    }
    Ok(found)
}

/// Returns the state of a process and its children; `None` if the process no longer exists.
pub(super) fn read(pid: i32, parent: i32) -> anyhow::Result<Option<(ProcessState, Vec<i32>)>> {
    let mut attempts = ATTEMPTS;
    loop {
        match try_read(pid, parent) {
            Ok(found) => return Ok(Some(found)),
            Err(_) if !exists(pid) => return Ok(None),
            Err(_) if attempts > 1 => attempts -= 1,
            Err(error) => return Err(with_path(error).context(format!("process {pid} cannot be read"))),
        }
    }
}

fn exists(pid: i32) -> bool {
    Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

fn try_read(pid: i32, parent: i32) -> ProcResult<(ProcessState, Vec<i32>)> {
    let process = Process::new(pid)?;
    let stat = process.stat()?;
    let own = from_ticks(stat.utime + stat.stime);
    // `schedstat`, if the kernel supports it, is exact to the nanosecond, but counts only the first thread.
    let first =
        process.schedstat().map_or(Duration::ZERO, |stat| Duration::from_nanos(stat.sum_exec_runtime));
    let status = StatusMemory::read(pid, pid)?;
    let mut state = ProcessState {
        pid,
        tid: pid,
        start: stat.starttime,
        parent,
        state: stat.state,
        threads: u64::try_from(stat.num_threads).unwrap_or(0),
        own: own.max(first),
        waited: from_ticks(u64::try_from(stat.cutime + stat.cstime).unwrap_or(0)),
        memory: stat.rss * procfs::page_size() + status.swap,
        peak: status.peak,
        page_tables: status.page_tables,
    };
    let children = tree::children(pid)?;
    // A process whose first thread has ended looks like an ended process. Its other threads hold its memory.
    if stat.state == 'Z' && stat.num_threads > 1 {
        read_other_threads(&process, &mut state)?;
    }
    Ok((state, children))
}

/// Completes the state of a process whose first thread has ended, from the states of the other threads.
fn read_other_threads(process: &Process, state: &mut ProcessState) -> ProcResult<()> {
    for task in process.tasks()? {
        let Some(task) = unless_gone(task)?.filter(|task| task.tid != process.pid) else { continue };
        let Some(thread) = unless_gone(task.stat())? else { continue };
        let is_alive = !matches!(thread.state, 'Z' | 'X');
        if is_alive && (state.has_ended() || thread.state != 'S') {
            state.tid = task.tid;
            state.state = thread.state;
            if let Some(status) = unless_gone(StatusMemory::read(process.pid, task.tid))? {
                state.memory = thread.rss * procfs::page_size() + status.swap;
                state.peak = status.peak;
                state.page_tables = status.page_tables;
            }
        }
    }
    Ok(())
}

/// Returns the states of the readable threads of a process; there are none if the process has ended.
pub(super) fn threads(pid: i32) -> Vec<ThreadState> {
    let tasks = Process::new(pid).and_then(|process| process.tasks()).into_iter().flatten();
    let read = |task: ProcResult<Task>| {
        let task = task.ok()?;
        let state = task.stat().ok()?.state;
        let channel = fs::read_to_string(format!("/proc/{pid}/task/{}/wchan", task.tid)).ok();
        let channel = channel.filter(|name| state == 'S' && !matches!(name.as_str(), "" | "0"));
        Some(ThreadState { state, channel })
    };
    tasks.filter_map(read).collect()
}

/// The memory in the file `status` of a thread, in bytes. A process that has ended has none.
#[derive(Debug, Default, PartialEq, Eq)]
struct StatusMemory {
    swap: u64,
    peak: u64,
    page_tables: u64,
}

impl StatusMemory {
    /// Reads three of the sixty lines: procfs parses all of them, which takes longer than everything else.
    fn read(pid: i32, tid: i32) -> ProcResult<Self> {
        let path = PathBuf::from(format!("/proc/{pid}/task/{tid}/status"));
        match fs::read(&path) {
            Ok(text) => Ok(Self::parse(&String::from_utf8_lossy(&text))),
            Err(error) if is_gone(&error) => Err(ProcError::NotFound(Some(path))),
            Err(error) => Err(ProcError::Io(error, Some(path))),
        }
    }

    fn parse(text: &str) -> Self {
        let mut memory = Self::default();
        for line in text.lines() {
            let Some((name, value)) = line.strip_prefix("Vm").and_then(|line| line.split_once(':')) else {
                continue;
            };
            let field = match name {
                "Swap" => &mut memory.swap,
                "HWM" => &mut memory.peak,
                "PTE" => &mut memory.page_tables,
                _ => continue,
            };
            *field = value.trim().trim_end_matches(" kB").parse().unwrap_or(0) * 1024;
        }
        memory
    }
}

fn from_ticks(ticks: u64) -> Duration {
    Duration::from_millis(ticks.saturating_mul(1000) / procfs::ticks_per_second().max(1))
}

/// Adds the path of the file to an error.
fn with_path(error: ProcError) -> anyhow::Error {
    match error {
        ProcError::Io(error, Some(path)) => anyhow::anyhow!("{}: {error}", path.display()),
        ProcError::NotFound(Some(path)) => anyhow::anyhow!("{} is missing or hidden", path.display()),
        ProcError::PermissionDenied(Some(path)) => anyhow::anyhow!("{}: permission denied", path.display()),
        other => other.into(),
    }
}

/// The sum of the memory of several processes. The sum is computed a few processes at a time, because the kernel walks
/// all pages of each process.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    /// The number, thread and memory of each process that is not added yet.
    waiting: Vec<(i32, i32, u64)>,
    sum: u64,
}

impl SharedMemory {
    /// Continues the unfinished sum, or starts a new sum of `processes`, until the time `until`. Returns the sum once
    /// it is complete.
    pub(super) fn add_up(&mut self, processes: &[ProcessState], until: Option<Instant>) -> Option<u64> {
        if self.waiting.is_empty() {
            self.sum = 0;
            let present = processes.iter().filter(|process| process.memory > 0);
            self.waiting.extend(present.map(|process| (process.pid, process.tid, process.memory)));
        }
        while let Some((pid, tid, memory)) = self.waiting.pop() {
            self.sum += proportional(pid, tid, memory);
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        self.waiting.is_empty().then_some(self.sum)
    }
}

/// Returns the memory of a process, in which a page that n processes share counts as a page divided by n. If the judge
/// may not read this memory, for example because the process has made itself unreadable, returns `memory`.
fn proportional(pid: i32, tid: i32, memory: u64) -> u64 {
    match std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/smaps_rollup")) {
        Ok(text) => parse_pss(&text).unwrap_or(memory),
        Err(error) if is_gone(&error) => 0,
        Err(_) => memory,
    }
}

fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || Errno::from_io_error(error) == Some(Errno::SRCH)
}

/// Parses the proportional memory in RAM and swap, in bytes.
fn parse_pss(text: &str) -> Option<u64> {
    let kib = |name| {
        let kib = text.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix("kB"))?;
        kib.trim().parse::<u64>().ok()
    };
    // On a kernel without swap the second line is missing.
    kib("Pss:")?.checked_add(kib("SwapPss:").unwrap_or(0))?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_swap_counts() {
        let rollup =
            "Rss:                2000 kB\nPss:                 700 kB\nPss_Anon:            600 kB\n";
        assert_eq!(parse_pss(rollup), Some(700 * 1024));
        let swapped = format!("{rollup}Swap:                900 kB\nSwapPss:             300 kB\n");
        assert_eq!(parse_pss(&swapped), Some(1000 * 1024));
        assert_eq!(parse_pss(""), None);
    }

    #[test]
    fn the_memory_of_a_status() {
        let text = "Name:\tbot\nVmPeak:\t  9000 kB\nVmHWM:\t  800 kB\nVmRSS:\t  700 kB\nVmPTE:\t   44 kB\nVmSwap:\t       5 kB\n";
        let expected = StatusMemory { swap: 5 << 10, peak: 800 << 10, page_tables: 44 << 10 };
        assert_eq!(StatusMemory::parse(text), expected);
        assert_eq!(StatusMemory::parse("Name:\tzombie\n"), StatusMemory::default());
    }
}
