//! The meter of a bot: takes snapshots of all its processes, from its control group if it has one, and from `/proc`.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::cpu_account::CpuAccount;
use super::process_state::{self, ProcessState, ThreadState};
use crate::activity::Activity;
use crate::bot::POLL_INTERVAL;
use crate::bot_tree::ProcSnapshot;
use crate::cgroup::ControlGroup;
use crate::descendants;
use crate::descendants::reaper;
use crate::event::Usage;
use crate::limits::Limits;
use crate::usage::process_state::SharedMemory;

/// Maximum memory of all processes together, in bytes, for which a shared page may count once for each process that
/// shares it.
const SHARING_THRESHOLD: u64 = 64 << 20;

/// Maximum time for which one snapshot adds up the pages of processes: half the time between two snapshots.
const SUM_TIMEOUT: Duration = Duration::from_millis(10);

/// Measures one bot, from its start to its end.
#[derive(Debug)]
pub(crate) struct Meter {
    group: Option<ControlGroup>,
    limits: Limits,
    cpu: CpuAccount,
    memory: SharedMemory,
    /// When the last snapshot was taken. Before the first one: when the bot was about to start.
    last: Instant,
    /// Whether a process has left the control group, which the system's root can do.
    has_left: bool,
}

impl Meter {
    pub(crate) fn new(group: Option<ControlGroup>, limits: Limits) -> Self {
        let cpu = CpuAccount::new(reaper::reaped_cpu());
        let memory = SharedMemory::default();
        Self { group, limits, cpu, memory, last: Instant::now(), has_left: false }
    }

    pub(crate) fn group(&self) -> Option<&ControlGroup> {
        self.group.as_ref()
    }

    /// Returns the control group, which another bot may use from now on.
    pub(crate) fn take_group(&mut self) -> Option<ControlGroup> {
        self.group.take()
    }

    /// Returns the usage of the control group; `None` if a snapshot is needed instead. After a snapshot that found all
    /// processes in the group, no snapshot is needed for [`POLL_INTERVAL`].
    ///
    /// # Errors
    ///
    /// If the usage cannot be read.
    pub(crate) fn used_by_group(&self) -> anyhow::Result<Option<Usage>> {
        if self.has_left || self.last.elapsed() >= POLL_INTERVAL { Ok(None) } else { self.group_usage() }
    }

    /// Takes a snapshot of all processes. A complete snapshot always has the sum of their memory, which may take longer
    /// to compute.
    ///
    /// # Errors
    ///
    /// If the usage of the processes cannot be read.
    pub(crate) fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<ProcSnapshot> {
        // A process that is reaped during the snapshot would count twice, or not at all.
        let no_reaping = descendants::lock_bot();
        let processes = self.processes()?;
        let reaped = reaper::reaped_cpu();
        drop(no_reaping);
        let since = std::mem::replace(&mut self.last, Instant::now()).elapsed();
        let cpu = self.cpu.update(&processes, reaped, since);
        let mut used = Usage { cpu: Some(cpu), memory: None, processes: Some(count(&processes)) };
        self.has_left = self.has_left || self.is_outside(&processes)?;
        if self.group.is_none() || self.has_left {
            used.memory = self.memory(&processes, is_complete);
        }
        if let Some(group) = self.group_usage()? {
            used = used.max(group);
        }
        Ok(ProcSnapshot {
            used,
            sleeping: processes.iter().all(|process| is_asleep(process.state)),
            // State T means stopped by a signal, and state t means stopped by a tracer.
            stopped: processes.iter().any(|process| matches!(process.state, 'T' | 't')),
            channel: None,
        })
    }

    /// Adds the state of each thread to a snapshot, which takes longer. The first thread of a process may sleep while
    /// another one computes or waits for a processor.
    pub(crate) fn look_at_threads(&self, snapshot: &mut ProcSnapshot) -> anyhow::Result<()> {
        let processes = self.processes()?;
        let threads: Vec<ThreadState> =
            processes.iter().flat_map(|process| process_state::threads(process.pid)).collect();
        snapshot.sleeping &= threads.iter().all(|thread| is_asleep(thread.state));
        let channels = threads.into_iter().filter_map(|thread| thread.channel);
        snapshot.channel = channels.min_by_key(|channel| Activity::of(Some(channel)));
        Ok(())
    }

    /// Returns the states of all processes. `read_all` could miss a process that gets another parent in the
    /// meantime, so the processes of the last snapshot are also read by their numbers.
    fn processes(&self) -> anyhow::Result<Vec<ProcessState>> {
        let mut processes = process_state::read_all()?;
        let found: HashSet<i32> = processes.iter().map(|process| process.pid).collect();
        for (pid, start, parent) in self.cpu.seen().filter(|(pid, ..)| !found.contains(pid)) {
            if let Some((process, _)) = process_state::read(pid, parent)?
                && process.start == start
            {
                processes.push(process);
            }
        }
        Ok(processes)
    }

    /// Checks whether a process is outside the control group.
    fn is_outside(&self, processes: &[ProcessState]) -> anyhow::Result<bool> {
        let Some(group) = &self.group else { return Ok(false) };
        let members = group.members().context("the bot's control group cannot be read")?;
        for process in processes.iter().filter(|process| !members.contains(&process.pid)) {
            // A process that has ended in the meantime is in no group.
            let now = process_state::read(process.pid, process.parent)?;
            if now.is_some_and(|(now, _)| now.start == process.start && !now.has_ended()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the memory of all processes together; `None` if the sum is not complete yet.
    fn memory(&mut self, processes: &[ProcessState], is_complete: bool) -> Option<u64> {
        let memory: u64 = processes.iter().map(|process| process.memory).sum();
        let page_tables: u64 = processes.iter().map(|process| process.page_tables).sum();
        let peak = processes.iter().map(|process| process.peak).max();
        let now = if processes.len() > 1 && memory > SHARING_THRESHOLD {
            self.memory.add_up(
                processes,
                self.limits.memory,
                (!is_complete).then(|| Instant::now() + SUM_TIMEOUT),
            )
        } else {
            Some(memory)
        };
        now.map(|now| now + page_tables).max(peak).filter(|&memory| memory > 0)
    }

    /// Returns the usage of all processes after they have ended and been reaped. `bot` returns the usage of the bot's
    /// first process.
    pub(crate) fn end(&self, bot: impl FnOnce() -> Usage) -> Usage {
        // Without a readable group, the CPU time is that of all reaped processes.
        let group = self.group_usage().ok().flatten();
        group.unwrap_or_else(|| Usage { cpu: Some(self.cpu.reaped(reaper::reaped_cpu())), ..bot() })
    }

    /// Returns the usage that the kernel has counted for the group.
    fn group_usage(&self) -> anyhow::Result<Option<Usage>> {
        self.group.as_ref().map(|group| group.meter().used(&self.limits)).transpose()
    }

    /// Checks whether a process has left the control group, so that the group does not count all processes.
    pub(crate) fn has_left(&self) -> bool {
        self.has_left
    }
}

/// Checks whether a process or thread in this state sleeps, is stopped, or has ended.
fn is_asleep(state: char) -> bool {
    matches!(state, 'S' | 'T' | 't' | 'Z' | 'X')
}

/// Counts the processes and threads. An ended process keeps its number until its parent waits for it, so it counts,
/// unless its parent is the judge.
fn count(processes: &[ProcessState]) -> u64 {
    let judge = std::process::id().cast_signed();
    let counted = processes.iter().filter(|process| !process.has_ended() || process.parent != judge);
    counted.map(|process| process.threads.max(1)).sum()
}
