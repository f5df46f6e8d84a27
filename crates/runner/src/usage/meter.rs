//! The meter of a program: takes snapshots of all its processes from `/proc`, and adds up their CPU time, including that
//! of processes that end between two snapshots. On systems other than Linux, which report nothing about a running process,
//! a snapshot shows nothing.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::{Duration, Instant};

use anyhow::Context;
use itertools::Itertools;
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

/// Number of attempts to read a process that exists: it may be about to become another program or to end.
const ATTEMPTS: usize = 3;

/// Maximum difference between the CPU time of ended children and the time that the kernel credits their parent with, if
/// no time is lost. The kernel rounds the credited time down to whole ticks, separately for user and system time.
const ROUNDING_ERROR: Duration = Duration::from_millis(20);

/// The number of a process, and when it started, in ticks since the start of the system. A number may be used again.
type ProcessId = (i32, u64);

/// The parent of a child of this process.
const WARDEN: ProcessId = (0, 0);

#[derive(Debug)]
pub(crate) struct Meter {
    /// The CPU time of the children that were reaped before the program's start.
    reaped_before: Duration,
    /// The first process of the program's own namespace. It does not count, and its children count like those of this
    /// process.
    pub(crate) init: Option<Pid>,
    /// The processes in the last snapshot.
    seen: HashMap<ProcessId, LiveProcess>,
    /// The lost CPU time of processes that have ended themselves.
    lost: Duration,
    /// The maximum of all snapshots.
    pub(crate) used: Usage,
    last: Instant,
}

impl Meter {
    /// Returns the meter of a program that is about to start.
    pub(crate) fn new() -> Self {
        let (seen, lost, used) = Default::default();
        let reaped_before = cpu_of(UsageWho::RUSAGE_CHILDREN);
        Self { reaped_before, init: None, seen, lost, used, last: Instant::now() }
    }

    /// Returns the CPU time of the reaped processes of the program, and of those that they had waited for.
    pub(crate) fn reaped(&self) -> Duration {
        let init = self.init.and_then(|init| LiveProcess::read_stat(&format!("/proc/{init}")).ok());
        let by_init = init.unwrap_or_default().waited;
        cpu_of(UsageWho::RUSAGE_CHILDREN).saturating_sub(self.reaped_before) + by_init
    }

    pub(crate) fn take_snapshot(&mut self) -> anyhow::Result<Snapshot> {
        if !cfg!(target_os = "linux") {
            return Ok(Snapshot::default());
        }
        let processes = self.processes()?;
        let since = std::mem::replace(&mut self.last, Instant::now()).elapsed();
        let mut states = processes.iter().flat_map(|process| process.states.chars());
        // State T means stopped by a signal, and state t means stopped by a tracer.
        let stopped = states.clone().any(|state| matches!(state, 'T' | 't'));
        let sleeping = states.all(|state| matches!(state, 'S' | 'T' | 't' | 'Z' | 'X'));
        let channels = processes.iter().flat_map(|process| &process.channels);
        let channel = channels.min_by_key(|channel| Activity::of(Some(channel))).cloned();
        let (memory, count) = (memory(&processes), processes.iter().map(LiveProcess::count).sum());
        let cpu = self.add(processes, self.reaped(), since);
        let used = Usage { cpu: Some(cpu), memory, processes: Some(count) };
        self.used = self.used.max(used);
        Ok(Snapshot { used, sleeping, stopped, channel, ..Snapshot::default() })
    }

    /// Returns each descendant of this process, without duplicates. If a process exists and cannot be read, the usage of the
    /// bot is unknown.
    fn processes(&self) -> anyhow::Result<Vec<LiveProcess>> {
        let mut own = proc::children("self").context("the judge's own children cannot be listed")?;
        if let Some(init) = self.init.map(Pid::as_raw_pid) {
            own.retain(|&child| child != init);
            own.extend(proc::children(init).unwrap_or_default());
        }
        // A process that gets another parent during the walk may be listed by none, so those of the last snapshot are read
        // by their numbers at the end. Or it is listed by both parents.
        let last = self.seen.values().map(|process| (process.id.0, process.parent, Some(process.id)));
        let mut waiting: Vec<_> = last.chain(own.into_iter().map(|child| (child, WARDEN, None))).collect();
        let (mut found, mut listed) = (Vec::new(), HashSet::new());
        while let Some((number, parent, last)) = waiting.pop() {
            if listed.insert(number)
                && let Some((process, children)) = read(number, parent)?
                && last.is_none_or(|last| last == process.id)
            {
                waiting.extend(children.into_iter().map(|child| (child, process.id, None)));
                found.push(process);
            }
        }
        Ok(found)
    }

    /// Adds a snapshot, taken `since` after the last one. `reaped` is the CPU time of the processes of the program that
    /// the warden has waited for. Returns the CPU time of all processes of the program so far.
    fn add(&mut self, now: Vec<LiveProcess>, reaped: Duration, since: Duration) -> Duration {
        let mut before = std::mem::take(&mut self.seen);
        for mut process in now {
            process.owed = process.waited;
            if let Some(known) = before.remove(&process.id) {
                process.owed = known.owed;
                // The kernel may report less CPU time for a process that is about to end.
                process.own = process.own.max(known.own);
                process.waited = process.waited.max(known.waited);
            }
            self.seen.insert(process.id, process);
        }
        for child in before.into_values() {
            self.lost += child.lost();
            // If the parent has ended as well, no data shows who has waited for the child.
            let Some(parent) = self.seen.get_mut(&child.parent) else { continue };
            let used = child.own + child.waited;
            // Once some CPU time is known to be lost, a child that was computing is charged with the whole time. This
            // compensates for the children that live between two snapshots and are never seen.
            let is_by_clock = child.states.contains('R') && !parent.lost().is_zero();
            parent.owed += if is_by_clock { used.max(since) } else { used };
        }
        let present = self.seen.values().map(|process| process.own + process.waited + process.lost());
        present.sum::<Duration>() + self.lost + reaped
    }
}

/// Returns the memory of all processes together. That of several large processes counts a page that n of them share as a
/// page divided by n, which takes long, because the kernel walks all pages.
fn memory(processes: &[LiveProcess]) -> Option<u64> {
    let sum = |of: fn(&LiveProcess) -> u64| processes.iter().map(of).sum::<u64>();
    let mut now = sum(|process| process.memory);
    if processes.len() > 1 && now > SHARING_THRESHOLD {
        now = sum(LiveProcess::proportional_memory);
    }
    let peak = processes.iter().map(|process| process.peak).max();
    Some(now + sum(|process| process.page_tables)).max(peak).filter(|&memory| memory > 0)
}

/// A process at its last snapshot. Its CPU times never decrease.
#[derive(Debug, Default, PartialEq, Eq)]
struct LiveProcess {
    id: ProcessId,
    parent: ProcessId,
    /// The state of each thread, a letter as in `/proc`.
    states: String,
    /// The kernel function in which each sleeping thread sleeps, if it is known.
    channels: Vec<String>,
    /// The folder of a thread that has not ended; `None` if the process has ended and only its number is left. The first
    /// thread may have ended before others, which then hold the memory.
    living: Option<String>,
    /// CPU time of the process itself.
    own: Duration,
    /// CPU time of the processes that it has waited for.
    waited: Duration,
    /// What `waited` would be if it had waited for all its children that are known to have ended.
    owed: Duration,
    /// Bytes in RAM and swap now, including pages that other processes share.
    memory: u64,
    /// Peak number of bytes in RAM.
    peak: u64,
    /// Bytes of the page tables now.
    page_tables: u64,
}

impl LiveProcess {
    /// Counts the process and its other threads. An ended process keeps its number until its parent waits for it, so it
    /// counts, unless its parent is the warden.
    fn count(&self) -> u64 {
        if self.living.is_some() || self.parent != WARDEN { self.states.len() as u64 } else { 0 }
    }

    /// Returns a lower bound on the CPU time of ended children that the process has not waited for.
    ///
    /// The kernel credits a process with all the time of the children that it has waited for. If the ended children
    /// are known to have used more, the process ignores their end, and the kernel forgets their time.
    fn lost(&self) -> Duration {
        let uncredited = self.owed.saturating_sub(self.waited);
        if uncredited > ROUNDING_ERROR { uncredited } else { Duration::ZERO }
    }

    /// Returns the memory, in which a page that n processes share counts as a page divided by n. If the judge may not read
    /// this memory, for example because the process has made itself unreadable, returns `memory`.
    fn proportional_memory(&self) -> u64 {
        let Some(folder) = &self.living else { return 0 };
        match proc::read(&format!("{folder}/smaps_rollup")) {
            Ok(Some(text)) => proportional_in(&text).unwrap_or(self.memory),
            Ok(None) => 0,
            Err(_) => self.memory,
        }
    }

    /// Reads the file `stat` of a process or thread.
    fn read_stat(folder: &str) -> io::Result<Self> {
        let path = format!("{folder}/stat");
        let text =
            proc::read(&path)?.ok_or_else(|| io::Error::other(format!("{folder} is missing or hidden")))?;
        Self::parse(&text).ok_or_else(|| io::Error::other(format!("{path}: unexpected {text:?}")))
    }

    fn parse(stat: &str) -> Option<Self> {
        // The name in parentheses may have blanks and parentheses. It is the second field, and the state is the third.
        let (number, rest) = (stat.split(' ').next()?, stat.rsplit_once(") ")?.1);
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let field = |place: usize| fields.get(place - 3)?.parse::<u64>().ok();
        let time = |ticks: u64| Duration::from_millis(ticks.saturating_mul(1000) / clock_ticks_per_second());
        Some(Self {
            id: (number.parse().ok()?, field(22)?),
            states: (*fields.first()?).to_owned(),
            own: time(field(14)? + field(15)?),
            waited: time(field(16)? + field(17)?),
            ..Self::default()
        })
    }
}

/// Returns the CPU time of this process, or of all its reaped children and of those that they had waited for. It is exact
/// to the microsecond, unlike the times in `/proc`.
pub(crate) fn cpu_of(who: UsageWho) -> Duration {
    let time = |time: TimeVal| Duration::from_micros(u64::try_from(time.num_microseconds()).unwrap_or(0));
    getrusage(who).map_or(Duration::ZERO, |usage| time(usage.user_time()) + time(usage.system_time()))
}

/// Returns a process and its children; `None` if the process no longer exists.
fn read(number: i32, parent: ProcessId) -> anyhow::Result<Option<(LiveProcess, Vec<i32>)>> {
    let attempts = (0..ATTEMPTS).map(|_| try_read(number, parent));
    let found = attempts.find_or_last(Result::is_ok).transpose();
    let exists = || Pid::from_raw(number).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH));
    if found.is_err() && !exists() {
        return Ok(None);
    }
    found.with_context(|| format!("process {number} cannot be read"))
}

fn try_read(number: i32, parent: ProcessId) -> io::Result<(LiveProcess, Vec<i32>)> {
    let stat = LiveProcess::read_stat(&format!("/proc/{number}"))?;
    // `schedstat`, if the kernel supports it, is exact to the nanosecond, but counts only the first thread.
    let first = proc::read(&format!("/proc/{number}/schedstat")).ok().flatten();
    let first = first.and_then(|times| times.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    let own = stat.own.max(first.unwrap_or_default());
    let mut process = LiveProcess { parent, own, states: String::new(), ..stat };
    for folder in proc::threads(number)? {
        // A thread may end after it was listed.
        let Ok(LiveProcess { states: state, .. }) = LiveProcess::read_stat(&folder) else { continue };
        if state == "S" {
            let channel = proc::read(&format!("{folder}/wchan")).ok().flatten();
            process.channels.extend(channel.filter(|name| !matches!(name.as_str(), "" | "0")));
        }
        if !matches!(state.as_str(), "Z" | "X") {
            process.living.get_or_insert(folder);
        }
        process.states += &state;
    }
    if let Some(folder) = &process.living {
        // A thread that has just ended has no memory, and no lines about it.
        let status = proc::read(&format!("{folder}/status"))?.unwrap_or_default();
        let bytes = |name| bytes(&status, name).unwrap_or(0);
        process.memory = bytes("VmRSS:") + bytes("VmSwap:");
        process.peak = bytes("VmHWM:");
        process.page_tables = bytes("VmPTE:");
    }
    Ok((process, proc::children(number)?))
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
        let stat = LiveProcess::parse(&format!("12 (a) R (b\n) S {numbers}\n")).unwrap();
        let ticks = |ticks: u64| Duration::from_millis(ticks * 1000 / clock_ticks_per_second());
        let (id, states, own, waited) = ((12, 77), "S".to_owned(), ticks(200), ticks(50));
        assert_eq!(stat, LiveProcess { id, states, own, waited, ..LiveProcess::default() });
        assert_eq!(LiveProcess::parse("12 (bot) S 1 2"), None);
    }

    const INTERVAL: Duration = Duration::from_millis(20);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Makes a running process that has used `own` milliseconds of CPU time, and has waited for children that have used
    /// `waited` milliseconds.
    fn process(number: i32, parent: i32, own: u64, waited: u64) -> LiveProcess {
        let parent = if parent == 0 { WARDEN } else { (parent, 7) };
        let (own, waited) = (ms(own), ms(waited));
        LiveProcess { id: (number, 7), parent, states: "R".to_owned(), own, waited, ..LiveProcess::default() }
    }

    #[test]
    fn awaited_children_count_once() {
        let mut meter = Meter::new();
        let mut add = |now: Vec<LiveProcess>, reaped| meter.add(now, ms(reaped), INTERVAL);
        assert_eq!(add(vec![process(1, 0, 10, 0)], 0), ms(10));
        assert_eq!(add(vec![process(1, 0, 10, 0), process(2, 1, 300, 0)], 0), ms(310));
        assert_eq!(add(vec![process(1, 0, 20, 310)], 0), ms(330), "its parent has waited");
        assert_eq!(add(vec![], 340), ms(340), "the warden has waited");
    }

    #[test]
    fn children_that_nobody_awaits_count_as_seen() {
        let mut meter = Meter::new();
        meter.add(vec![process(1, 0, 10, 0), process(2, 1, 300, 0)], ms(0), INTERVAL);
        assert_eq!(meter.add(vec![process(1, 0, 10, 0)], ms(0), INTERVAL), ms(310));
        // Now that CPU time is known to be lost, each child counts with the whole interval, and not with the 2 ms that
        // it had used when it was seen.
        for child in 3..13 {
            meter.add(vec![process(1, 0, 10, 0), process(child, 1, 2, 0)], ms(0), INTERVAL);
        }
        assert_eq!(meter.add(vec![process(1, 0, 10, 0)], ms(0), INTERVAL), ms(310) + 10 * INTERVAL);
        // The loss remains after the end of the parent.
        assert_eq!(meter.add(vec![], ms(10), INTERVAL), ms(310) + 10 * INTERVAL);
    }

    #[test]
    fn rounding_is_no_loss() {
        let mut meter = Meter::new();
        meter.add(vec![process(1, 0, 10, 0), process(2, 1, 19, 0)], ms(0), INTERVAL);
        assert_eq!(meter.add(vec![process(1, 0, 10, 0)], ms(0), INTERVAL), ms(10));
    }

    #[test]
    fn a_reused_number_is_another_process() {
        let mut meter = Meter::new();
        meter.add(vec![process(1, 0, 0, 0), process(2, 1, 300, 0)], ms(0), INTERVAL);
        let other = LiveProcess { id: (2, 8), ..process(2, 1, 5, 0) };
        assert_eq!(meter.add(vec![process(1, 0, 0, 0), other], ms(0), INTERVAL), ms(305));
    }
}
