//! The meter of a program: takes snapshots of all its processes from `/proc`. On systems other than Linux, which report
//! nothing about a running process, a snapshot shows nothing.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::cpu_account::CpuAccount;
use super::process_state::{self, ProcessState, SharedMemory};
use crate::activity::Activity;
use crate::event::Usage;
use crate::warden::Snapshot;

/// Maximum memory, in bytes, up to which a shared page may count once for each process that shares it.
const SHARING_THRESHOLD: u64 = 64 << 20;

/// Maximum time for which one snapshot adds up the pages of processes.
const SUM_TIMEOUT: Duration = Duration::from_millis(10);

const WARDEN: i32 = 0;

/// Measures the processes of a program, which are all descendants of this process.
#[derive(Debug)]
pub(crate) struct Meter {
    cpu: CpuAccount,
    memory: SharedMemory,
    /// The largest memory of all snapshots, in bytes.
    pub(crate) peak: Option<u64>,
    last: Instant,
}

impl Meter {
    /// Returns the meter of a program that is about to start. `reaped` is the CPU time of the children reaped so far.
    pub(crate) fn new(reaped: Duration) -> Self {
        let memory = SharedMemory::default();
        Self { cpu: CpuAccount::new(reaped), memory, peak: None, last: Instant::now() }
    }

    /// A complete snapshot always has the sum of the memory, which may take longer to compute.
    pub(crate) fn take_snapshot(
        &mut self,
        is_complete: bool,
        reaped: impl Fn() -> Duration,
    ) -> anyhow::Result<Snapshot> {
        if !cfg!(target_os = "linux") {
            return Ok(Snapshot::default());
        }
        let processes = self.processes()?;
        let since = std::mem::replace(&mut self.last, Instant::now()).elapsed();
        let reaped = reaped();
        let memory = self.memory(&processes, is_complete);
        self.peak = self.peak.max(memory);
        let mut snapshot = Snapshot {
            used: Usage { cpu: None, memory, processes: Some(count(&processes)) },
            sleeping: processes.iter().all(|process| is_asleep(process.state)),
            // State T means stopped by a signal, and state t means stopped by a tracer.
            stopped: processes.iter().any(|process| matches!(process.state, 'T' | 't')),
            ..Snapshot::default()
        };
        snapshot.used.cpu = Some(self.cpu.update(processes, reaped, since));
        Ok(snapshot)
    }

    /// Adds the state of each thread to a snapshot, which takes longer. The first thread of a process may sleep while
    /// another one computes or waits for a processor.
    pub(crate) fn look_at_threads(&self, snapshot: &mut Snapshot) {
        let threads = self.cpu.seen().flat_map(|process| process_state::threads(process.pid));
        let (states, channels): (Vec<char>, Vec<Option<String>>) = threads.unzip();
        snapshot.sleeping &= states.into_iter().all(is_asleep);
        snapshot.channel = channels.into_iter().flatten().min_by_key(|channel| Activity::of(Some(channel)));
    }

    /// Returns the states of all processes. `read_all` could miss a process that gets another parent in the
    /// meantime, so the processes of the last snapshot are also read by their numbers.
    fn processes(&self) -> anyhow::Result<Vec<ProcessState>> {
        let mut processes = process_state::read_all()?;
        let found: HashSet<i32> = processes.iter().map(|process| process.pid).collect();
        for last in self.cpu.seen().filter(|process| !found.contains(&process.pid)) {
            if let Some((process, _)) = process_state::read(last.pid, last.parent)?
                && process.start == last.start
            {
                processes.push(process);
            }
        }
        Ok(processes)
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
