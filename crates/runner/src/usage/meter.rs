//! The meter of a program: takes snapshots of all its processes from `/proc`, and adds up their CPU time, including that
//! of processes that end between two snapshots. On systems other than Linux, which report nothing about a running process,
//! a snapshot shows nothing.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::{Duration, Instant};

use anyhow::Context;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use rustix::io::Errno;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, test_kill_process};

use crate::activity::Activity;
use crate::event::Usage;
use crate::proc;
use crate::warden::Snapshot;

/// Maximum memory, in bytes, up to which a shared page may count once for each process that shares it.
const SHARING_THRESHOLD: u64 = 64 << 20;

/// Maximum time for which one snapshot adds up the pages of processes.
const SUM_TIMEOUT: Duration = Duration::from_millis(10);

/// The parent of a child of this process.
const WARDEN: i32 = 0;

#[derive(Debug)]
pub(crate) struct Meter {
    /// The CPU time of the children that were reaped before the program's start.
    reaped_before: Duration,
    /// The first process of the program's own namespace. It does not count, and its children count like those of this
    /// process.
    pub(crate) init: Option<Pid>,
    cpu: CpuAccount,
    memory: SharedMemory,
    /// The maximum of all snapshots.
    pub(crate) used: Usage,
    last: Instant,
}

impl Meter {
    /// Returns the meter of a program that is about to start.
    pub(crate) fn new() -> Self {
        let (cpu, memory, used) = Default::default();
        Self {
            reaped_before: cpu_of(UsageWho::RUSAGE_CHILDREN),
            init: None,
            cpu,
            memory,
            used,
            last: Instant::now(),
        }
    }

    /// Returns the CPU time of the reaped processes of the program, and of those that they had waited for.
    pub(crate) fn reaped(&self) -> Duration {
        let init = self.init.and_then(|init| ProcessState::read_stat(&format!("/proc/{init}")).ok());
        let by_init = init.unwrap_or_default().waited;
        cpu_of(UsageWho::RUSAGE_CHILDREN).saturating_sub(self.reaped_before) + by_init
    }

    /// A complete snapshot always has the sum of the memory, which may take longer to compute.
    pub(crate) fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<Snapshot> {
        if !cfg!(target_os = "linux") {
            return Ok(Snapshot::default());
        }
        let processes = self.processes()?;
        let since = std::mem::replace(&mut self.last, Instant::now()).elapsed();
        let memory = self.memory(&processes, is_complete);
        let processes_and_threads = Some(count(&processes));
        let sleeping = processes.iter().all(|process| is_asleep(process.state));
        // State T means stopped by a signal, and state t means stopped by a tracer.
        let stopped = processes.iter().any(|process| matches!(process.state, 'T' | 't'));
        let cpu = Some(self.cpu.update(processes, self.reaped(), since));
        let used = Usage { cpu, memory, processes: processes_and_threads };
        self.used = self.used.max(used);
        Ok(Snapshot { used, sleeping, stopped, ..Snapshot::default() })
    }

    /// Adds the state of each thread to a snapshot, which takes longer. The first thread of a process may sleep while
    /// another one computes or waits for a processor.
    pub(crate) fn look_at_threads(&self, snapshot: &mut Snapshot) {
        let processes = self.cpu.seen.values();
        let threads = processes.flat_map(|process| proc::threads(process.pid).unwrap_or_default());
        let mut channels = Vec::new();
        for thread in threads {
            let Ok(ProcessState { state, .. }) = ProcessState::read_stat(&thread) else { continue };
            snapshot.sleeping &= is_asleep(state);
            let channel = proc::read(&format!("{thread}/wchan")).ok().flatten();
            channels.extend(channel.filter(|name| state == 'S' && !matches!(name.as_str(), "" | "0")));
        }
        snapshot.channel = channels.into_iter().min_by_key(|channel| Activity::of(Some(channel)));
    }

    /// Returns the state of each descendant of this process, without duplicates. If a process exists and cannot be read, the usage of the bot is unknown.
    fn processes(&self) -> anyhow::Result<Vec<ProcessState>> {
        let mut own = proc::children("self").context("the judge's own children cannot be listed")?;
        if let Some(init) = self.init.map(Pid::as_raw_pid) {
            own.retain(|&child| child != init);
            own.extend(proc::children(init).unwrap_or_default());
        }
        let mut found = Vec::new();
        let mut waiting: Vec<(i32, i32)> = own.into_iter().map(|child| (child, WARDEN)).collect();
        // A process that gets another parent during the walk is listed by both parents.
        let mut listed: HashSet<i32> = waiting.iter().map(|&(child, _)| child).collect();
        while let Some((pid, parent)) = waiting.pop() {
            if let Some((state, children)) = read(pid, parent)? {
                let new = children.into_iter().filter(|&child| listed.insert(child));
                waiting.extend(new.map(|child| (child, pid)));
                found.push(state);
            }
        }
        // Or it is listed by none, so the processes of the last snapshot are also read by their numbers.
        for last in self.cpu.seen.values().filter(|process| !listed.contains(&process.pid)) {
            let present = read(last.pid, last.parent)?.map(|(process, _)| process);
            found.extend(present.filter(|process| process.start == last.start));
        }
        Ok(found)
    }

    /// Returns the memory of all processes together; `None` if the sum is not complete yet.
    fn memory(&mut self, processes: &[ProcessState], is_complete: bool) -> Option<u64> {
        let memory: u64 = processes.iter().map(|process| process.memory).sum();
        let page_tables: u64 = processes.iter().map(|process| process.page_tables).sum();
        let peak = processes.iter().map(|process| process.peak).max();
        let now = if processes.len() > 1 && memory > SHARING_THRESHOLD {
            self.memory.add_up(processes, (!is_complete).then(|| Instant::now() + SUM_TIMEOUT))
        } else {
            Some(memory)
        };
        now.map(|now| now + page_tables).max(peak).filter(|&memory| memory > 0)
    }
}

/// Checks whether a process or thread in this state sleeps, is stopped, or has ended.
fn is_asleep(state: char) -> bool {
    matches!(state, 'S' | 'T' | 't' | 'Z' | 'X')
}

/// Counts the processes and threads. An ended process keeps its number until its parent waits for it, so it counts,
/// unless its parent is the warden.
fn count(processes: &[ProcessState]) -> u64 {
    let counted = processes.iter().filter(|process| !process.has_ended() || process.parent != WARDEN);
    counted.map(|process| process.threads.max(1)).sum()
}

/// Number of attempts to read a process that exists: it may be about to become another program or to end.
const ATTEMPTS: usize = 3;

/// Maximum difference between the CPU time of ended children and the time that the kernel credits their parent with, if
/// no time is lost. The kernel rounds the credited time down to whole ticks, separately for user and system time.
const ROUNDING_ERROR: Duration = Duration::from_millis(20);

/// A process at its last snapshot. Its CPU times never decrease.
#[derive(Debug, Default, PartialEq, Eq)]
struct ProcessState {
    pid: i32,
    /// In ticks since the start of the system. The number and the start together identify a process.
    start: u64,
    parent: i32,
    threads: u64,
    /// CPU time of the process itself.
    own: Duration,
    /// CPU time of the processes that it has waited for.
    waited: Duration,
    /// What `waited` would be if it had waited for all its children that are known to have ended.
    owed: Duration,
    /// The folder of the thread that represents the process: the first thread, or another one if the first has ended.
    /// The fields below are those of this thread.
    folder: String,
    state: char,
    /// Bytes in RAM and swap now, including pages that other processes share.
    memory: u64,
    /// Peak number of bytes in RAM.
    peak: u64,
    /// Bytes of the page tables now.
    page_tables: u64,
}

impl ProcessState {
    /// Checks whether the process has ended and only its number is left.
    fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    /// Returns a lower bound on the CPU time of ended children that the process has not waited for.
    ///
    /// The kernel credits a process with all the time of the children that it has waited for. If the ended children
    /// are known to have used more, the process ignores their end, and the kernel forgets their time.
    fn lost(&self) -> Duration {
        let uncredited = self.owed.saturating_sub(self.waited);
        if uncredited > ROUNDING_ERROR { uncredited } else { Duration::ZERO }
    }

    /// Adds the CPU time of an ended child that was in the last snapshot, `since` ago.
    ///
    /// Once some CPU time is known to be lost, a child that was computing is charged with the whole time `since`. This
    /// compensates for the children that live between two snapshots and are never seen.
    fn add_ended(&mut self, child: &Self, since: Duration) {
        let total = child.own + child.waited;
        let is_by_clock = child.state == 'R' && !self.lost().is_zero();
        self.owed += if is_by_clock { total.max(since) } else { total };
    }

    /// Reads the file `stat` of a process or thread, which does not have all fields.
    fn read_stat(folder: &str) -> io::Result<Self> {
        let path = format!("{folder}/stat");
        let text =
            proc::read(&path)?.ok_or_else(|| io::Error::other(format!("{folder} is missing or hidden")))?;
        Self::parse(&text).ok_or_else(|| io::Error::other(format!("{path}: unexpected {text:?}")))
    }

    fn parse(stat: &str) -> Option<Self> {
        // The name in parentheses may have blanks and parentheses. It is the second field, and the state is the third.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let time = |ticks: u64| Duration::from_millis(ticks.saturating_mul(1000) / clock_ticks_per_second());
        Some(Self {
            state: fields.first()?.chars().next()?,
            own: time(number(14)? + number(15)?),
            waited: time(number(16)? + number(17)?),
            threads: number(20)?,
            start: number(22)?,
            ..Self::default()
        })
    }
}

/// The CPU time of all processes of a program, including ended processes.
#[derive(Debug, Default)]
struct CpuAccount {
    /// The processes in the last snapshot.
    seen: HashMap<i32, ProcessState>,
    /// The lost CPU time of processes that have ended themselves.
    lost: Duration,
}

impl CpuAccount {
    /// Adds a snapshot, taken `since` after the last one. `reaped` is the CPU time of the processes of the program that
    /// the warden has waited for. Returns the CPU time of all processes of the program so far.
    fn update(&mut self, now: Vec<ProcessState>, reaped: Duration, since: Duration) -> Duration {
        let mut before = std::mem::take(&mut self.seen);
        for mut process in now {
            process.owed = process.waited;
            // With another start, it has taken the number of an ended process.
            let is_known = before.get(&process.pid).is_some_and(|known| known.start == process.start);
            if is_known && let Some(known) = before.remove(&process.pid) {
                process.owed = known.owed;
                // The kernel may report less CPU time for a process that is about to end.
                process.own = process.own.max(known.own);
                process.waited = process.waited.max(known.waited);
            }
            self.seen.insert(process.pid, process);
        }
        for child in before.into_values() {
            self.lost += child.lost();
            // If the parent has ended as well, no data shows who has waited for the child.
            if let Some(parent) = self.seen.get_mut(&child.parent) {
                parent.add_ended(&child, since);
            }
        }
        let present = self.seen.values().map(|process| process.own + process.waited + process.lost());
        present.sum::<Duration>() + self.lost + reaped
    }
}

/// Returns the CPU time of this process, or of all its reaped children and of those that they had waited for. It is exact
/// to the microsecond, unlike the times in `/proc`.
pub(crate) fn cpu_of(who: UsageWho) -> Duration {
    let time = |time: TimeVal| Duration::from_micros(u64::try_from(time.num_microseconds()).unwrap_or(0));
    getrusage(who).map_or(Duration::ZERO, |usage| time(usage.user_time()) + time(usage.system_time()))
}

/// Returns the state of a process and its children; `None` if the process no longer exists.
fn read(pid: i32, parent: i32) -> anyhow::Result<Option<(ProcessState, Vec<i32>)>> {
    let exists = || Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH));
    let mut attempts = ATTEMPTS;
    loop {
        match try_read(pid, parent) {
            Ok(found) => return Ok(Some(found)),
            Err(_) if !exists() => return Ok(None),
            Err(_) if attempts > 1 => attempts -= 1,
            Err(error) => return Err(error).with_context(|| format!("process {pid} cannot be read")),
        }
    }
}

fn try_read(pid: i32, parent: i32) -> io::Result<(ProcessState, Vec<i32>)> {
    let stat = ProcessState::read_stat(&format!("/proc/{pid}"))?;
    // `schedstat`, if the kernel supports it, is exact to the nanosecond, but counts only the first thread.
    let first = proc::read(&format!("/proc/{pid}/schedstat")).ok().flatten();
    let first = first.and_then(|times| times.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    let (own, folder) = (stat.own.max(first.unwrap_or_default()), format!("/proc/{pid}/task/{pid}"));
    let mut state = ProcessState { pid, parent, own, folder, ..stat };
    // A process whose first thread has ended looks like an ended process. Its other threads hold its memory.
    if state.state == 'Z' && state.threads > 1 {
        for folder in proc::threads(pid)? {
            let Ok(thread) = ProcessState::read_stat(&folder) else { continue };
            if !thread.has_ended() && (state.has_ended() || thread.state != 'S') {
                (state.folder, state.state) = (folder, thread.state);
            }
        }
    }
    // A process or thread that has ended has no memory, and no lines about it.
    let status = proc::read(&format!("{}/status", state.folder))?.unwrap_or_default();
    let bytes = |name| bytes(&status, name).unwrap_or(0);
    state.memory = bytes("VmRSS:") + bytes("VmSwap:");
    state.peak = bytes("VmHWM:");
    state.page_tables = bytes("VmPTE:");
    Ok((state, proc::children(pid)?))
}

/// The sum of the memory of several processes, a few at a time, because the kernel walks all pages of each.
#[derive(Debug, Default)]
struct SharedMemory {
    /// The folder and the memory of each process that is not added yet.
    waiting: Vec<(String, u64)>,
    sum: u64,
}

impl SharedMemory {
    /// Continues the unfinished sum, or starts one of `processes`, until the time `until`. Returns a complete sum.
    fn add_up(&mut self, processes: &[ProcessState], until: Option<Instant>) -> Option<u64> {
        if self.waiting.is_empty() {
            self.sum = 0;
            let present = processes.iter().filter(|process| process.memory > 0);
            self.waiting.extend(present.map(|process| (process.folder.clone(), process.memory)));
        }
        while let Some((folder, memory)) = self.waiting.pop() {
            self.sum += proportional(&folder, memory);
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        self.waiting.is_empty().then_some(self.sum)
    }
}

/// Returns the memory of a process, in which a page that n processes share counts as a page divided by n. If the judge
/// may not read this memory, for example because the process has made itself unreadable, returns `memory`.
fn proportional(folder: &str, memory: u64) -> u64 {
    match proc::read(&format!("{folder}/smaps_rollup")) {
        Ok(Some(text)) => proportional_in(&text).unwrap_or(memory),
        Ok(None) => 0,
        Err(_) => memory,
    }
}

fn proportional_in(text: &str) -> Option<u64> {
    // On a kernel without swap the second line is missing.
    bytes(text, "Pss:")?.checked_add(bytes(text, "SwapPss:").unwrap_or(0))
}

/// Returns the size after `name` on its line, which is in KiB there, in bytes.
fn bytes(text: &str, name: &str) -> Option<u64> {
    proc::value(text, name)?.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_swap_counts() {
        let rollup =
            "Rss:                2000 kB\nPss:                 700 kB\nPss_Anon:            600 kB\n";
        assert_eq!(proportional_in(rollup), Some(700 * 1024));
        let swapped = format!("{rollup}Swap:                900 kB\nSwapPss:             300 kB\n");
        assert_eq!(proportional_in(&swapped), Some(1000 * 1024));
        assert_eq!(proportional_in(""), None);
    }

    #[test]
    fn the_name_of_a_process_has_any_bytes() {
        let numbers = "1 2 2 0 -1 4194304 97 0 0 0 150 50 30 20 20 0 3 0 77 9 5 18446744073709551615 1 1";
        let stat = ProcessState::parse(&format!("12 (a) R (b\n) S {numbers}\n")).unwrap();
        let ms = |ticks: u64| Duration::from_millis(ticks * 1000 / clock_ticks_per_second());
        let expected = ProcessState {
            state: 'S',
            own: ms(200),
            waited: ms(50),
            threads: 3,
            start: 77,
            ..ProcessState::default()
        };
        assert_eq!(stat, expected);
        assert_eq!(ProcessState::parse("12 (bot) S 1 2"), None);
    }

    const INTERVAL: Duration = Duration::from_millis(20);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Makes a running process that has used `own` milliseconds of CPU time, and has waited for children that have used
    /// `waited` milliseconds.
    fn process(pid: i32, parent: i32, own: u64, waited: u64) -> ProcessState {
        let (own, waited) = (ms(own), ms(waited));
        ProcessState { pid, parent, own, waited, start: 7, state: 'R', ..ProcessState::default() }
    }

    #[test]
    fn awaited_children_count_once() {
        let mut cpu = CpuAccount::default();
        let mut update = |now: Vec<ProcessState>, waited| cpu.update(now, ms(waited), INTERVAL);
        assert_eq!(update(vec![process(1, 0, 10, 0)], 0), ms(10));
        assert_eq!(update(vec![process(1, 0, 10, 0), process(2, 1, 300, 0)], 0), ms(310));
        assert_eq!(update(vec![process(1, 0, 20, 310)], 0), ms(330), "its parent has waited");
        assert_eq!(update(vec![], 340), ms(340), "the warden has waited");
    }

    #[test]
    fn children_that_nobody_awaits_count_as_seen() {
        let mut cpu = CpuAccount::default();
        cpu.update(vec![process(1, 0, 10, 0), process(2, 1, 300, 0)], ms(0), INTERVAL);
        assert_eq!(cpu.update(vec![process(1, 0, 10, 0)], ms(0), INTERVAL), ms(310));
        // Now that CPU time is known to be lost, each child counts with the whole interval, and not with the 2 ms that
        // it had used when it was seen.
        for child in 3..13 {
            cpu.update(vec![process(1, 0, 10, 0), process(child, 1, 2, 0)], ms(0), INTERVAL);
        }
        assert_eq!(cpu.update(vec![process(1, 0, 10, 0)], ms(0), INTERVAL), ms(310) + 10 * INTERVAL);
        // The loss remains after the end of the parent.
        assert_eq!(cpu.update(vec![], ms(10), INTERVAL), ms(310) + 10 * INTERVAL);
    }

    #[test]
    fn rounding_is_no_loss() {
        let mut cpu = CpuAccount::default();
        cpu.update(vec![process(1, 0, 10, 0), process(2, 1, 19, 0)], ms(0), INTERVAL);
        assert_eq!(cpu.update(vec![process(1, 0, 10, 0)], ms(0), INTERVAL), ms(10));
    }

    #[test]
    fn a_reused_number_is_another_process() {
        let mut cpu = CpuAccount::default();
        cpu.update(vec![process(1, 0, 0, 0), process(2, 1, 300, 0)], ms(0), INTERVAL);
        let other = ProcessState { start: 8, ..process(2, 1, 5, 0) };
        assert_eq!(cpu.update(vec![process(1, 0, 0, 0), other], ms(0), INTERVAL), ms(305));
    }
}
