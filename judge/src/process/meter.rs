//! What all processes of a bot together use and do at a moment: by its control group where it has one, and by
//! what /proc tells of each.

use std::time::{Duration, Instant};

use anyhow::Context;

use super::cpu_account::CpuAccount;
use super::reaper;
use super::shared_memory::SharedMemory;
use super::snapshot::{self, ProcessState};
use super::tree::Look;
use crate::process::cgroup::ControlGroup;
use crate::referee::event::Usage;
use crate::referee::limits::Limits;

/// Several processes that hold less than that together need no look at what they share, in bytes.
const MUCH: u64 = 64 << 20;

/// How long one look may go through the pages of processes: half the time between two.
const SLICE: Duration = Duration::from_millis(10);

/// How long the launcher may take to join the bot's control group before it counts as outside. If it needs
/// longer, /proc is looked at as well, which does no harm.
const JOIN_TIMEOUT: Duration = Duration::from_millis(100);

/// Measures one bot, from its start to its end.
#[derive(Debug)]
pub(super) struct Meter {
    group: Option<ControlGroup>,
    limits: Limits,
    cpu: CpuAccount,
    memory: SharedMemory,
    started: Instant,
    last: Instant,
    /// Whether a process has left the control group, as the system's root can.
    has_left: bool,
}

impl Meter {
    pub(super) fn new(group: Option<ControlGroup>, limits: Limits) -> Self {
        let cpu = CpuAccount::new(reaper::reaped_cpu());
        let memory = SharedMemory::default();
        let now = Instant::now();
        Self { group, limits, cpu, memory, started: now, last: now, has_left: false }
    }

    pub(super) fn group(&self) -> Option<&ControlGroup> {
        self.group.as_ref()
    }

    /// Looks at all processes; thoroughly means that it may take longer.
    ///
    /// # Errors
    ///
    /// If what they use cannot be told.
    pub(super) fn look(&mut self, thoroughly: bool) -> anyhow::Result<Option<Look>> {
        // What is reaped meanwhile would count twice, or not at all.
        let reaping = reaper::hold();
        let processes = self.processes()?;
        let reaped = reaper::reaped_cpu();
        drop(reaping);
        let since = std::mem::replace(&mut self.last, Instant::now()).elapsed();
        let cpu = self.cpu.book(&processes, reaped, since);
        let mut used = Usage { cpu: Some(cpu), memory: None, processes: Some(number(&processes)) };
        if !self.has_left && (thoroughly || self.started.elapsed() > JOIN_TIMEOUT) {
            self.has_left = self.is_outside(&processes)?;
        }
        if self.group.is_none() || self.has_left {
            used.memory = self.memory(&processes, thoroughly);
        }
        if let Some(group) = self.group_usage()? {
            used = used.max(group);
        }
        let all = |holds: fn(char) -> bool| processes.iter().all(|process| holds(process.state));
        Ok(Some(Look {
            used,
            sleeping: all(|state| matches!(state, 'S' | 'T' | 't' | 'Z' | 'X')),
            // By a signal, and by one that a tracer has caught.
            stopped: !all(|state| !matches!(state, 'T' | 't')),
            channel: processes.into_iter().rev().find_map(|process| process.channel),
        }))
    }

    /// All processes. One that moves from parent to parent while the judge looks could be missed: those of
    /// the last look are asked for themselves.
    fn processes(&self) -> anyhow::Result<Vec<ProcessState>> {
        let mut processes = snapshot::take()?;
        for (pid, start, parent) in self.cpu.seen() {
            if processes.iter().all(|process| process.pid != pid)
                && let Some((process, _)) = snapshot::read(pid, parent)?
                && process.start == start
            {
                processes.push(process);
            }
        }
        Ok(processes)
    }

    /// Whether one of the processes is not in the control group.
    fn is_outside(&self, processes: &[ProcessState]) -> anyhow::Result<bool> {
        let Some(group) = &self.group else { return Ok(false) };
        let members = group.members().context("the bot's control group cannot be read")?;
        for process in processes.iter().filter(|process| !members.contains(&process.pid)) {
            // One that has ended meanwhile is in no group.
            let now = snapshot::read(process.pid, process.parent)?;
            if now.is_some_and(|(now, _)| now.start == process.start && !now.has_ended()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The memory of all together, if it is known by now.
    fn memory(&mut self, processes: &[ProcessState], thoroughly: bool) -> Option<u64> {
        let resident: u64 = processes.iter().map(|process| process.resident).sum();
        let peak = processes.iter().map(|process| process.peak).max();
        let now = if processes.len() > 1 && resident > MUCH {
            self.memory.add_up(processes, self.limits.memory, (!thoroughly).then(|| Instant::now() + SLICE))
        } else {
            Some(resident)
        };
        now.max(peak).filter(|&memory| memory > 0)
    }

    /// What the system tells once all processes have ended and are reaped; this much is the bot's own.
    pub(super) fn end(&self, bot: Usage) -> Usage {
        // Without a group that can be read that is the account of what was reaped.
        let group = self.group_usage().ok().flatten();
        group.unwrap_or_else(|| Usage { cpu: Some(self.cpu.reaped(reaper::reaped_cpu())), ..bot })
    }

    /// What the kernel has counted. What it has refused counts as one page, or one process, beyond the limit.
    fn group_usage(&self) -> anyhow::Result<Option<Usage>> {
        let Some(group) = &self.group else { return Ok(None) };
        let used = group.usage().context("the bot's control group cannot be read")?;
        let refused = self.limits.memory + procfs::page_size();
        let memory = if used.memory_refused { used.memory.max(refused) } else { used.memory };
        let processes = used.processes_refused.then_some(self.limits.processes + 1);
        Ok(Some(Usage { cpu: Some(used.cpu), memory: Some(memory), processes }))
    }
}

/// How many processes and threads there are. One that has ended keeps its number until its parent waits for it,
/// and is not the bot's if that is the judge.
fn number(processes: &[ProcessState]) -> u64 {
    let judge = std::process::id().cast_signed();
    let counted = processes.iter().filter(|process| !process.has_ended() || process.parent != judge);
    counted.map(|process| process.threads.max(1)).sum()
}
