//! The CPU time of all processes of a bot, including those that end between two snapshots.

use std::collections::HashMap;
use std::time::Duration;

use super::meter::ProcessState;

/// Maximum difference between the CPU time of ended children and the time that the kernel credits their parent with, if
/// no time is lost. The kernel rounds the credited time down to whole ticks, separately for user and system time.
const ROUNDING_ERROR: Duration = Duration::from_millis(20);

#[derive(Debug)]
struct Account {
    /// The process as last seen. Its CPU times never decrease.
    process: ProcessState,
    /// The value of `process.waited` when the process was first seen.
    waited_first: Duration,
    /// CPU time of the ended children, as last seen.
    gone: Duration,
}

impl Account {
    /// Returns a lower bound on the CPU time of ended children that the process has not waited for.
    ///
    /// The kernel credits a process with all the time of the children that it has waited for. If the ended children
    /// are known to have used more, the process ignores their end, and the kernel forgets their time.
    fn lost(&self) -> Duration {
        let uncredited = self.gone.saturating_sub(self.process.waited.saturating_sub(self.waited_first));
        if uncredited > ROUNDING_ERROR { uncredited } else { Duration::ZERO }
    }

    /// Adds the CPU time of an ended child that was in the last snapshot, `since` ago.
    ///
    /// Once some CPU time is known to be lost, a child that was computing is charged with the whole time `since`. This
    /// compensates for the children that live between two snapshots and are never seen.
    fn add_gone(&mut self, child: &Self, since: Duration) {
        let total = child.process.own + child.process.waited;
        let is_by_clock = child.process.state == 'R' && !self.lost().is_zero();
        self.gone += if is_by_clock { total.max(since) } else { total };
    }
}

/// The CPU time of all processes of a bot, including ended processes.
#[derive(Debug, Default)]
pub(super) struct CpuAccount {
    seen: HashMap<i32, Account>,
    /// The lost CPU time of processes that have ended themselves.
    lost: Duration,
}

impl CpuAccount {
    /// Returns the processes in the last snapshot.
    pub(super) fn seen(&self) -> impl Iterator<Item = &ProcessState> {
        self.seen.values().map(|account| &account.process)
    }

    /// Adds a snapshot, taken `since` after the last one. `waited` is the CPU time of the processes of the bot that
    /// the warden has waited for. Returns the CPU time of all processes of the bot so far.
    pub(super) fn update(&mut self, now: Vec<ProcessState>, waited: Duration, since: Duration) -> Duration {
        let mut before = std::mem::take(&mut self.seen);
        for mut process in now {
            // With another start, it has taken the number of an ended process.
            let is_known = before.get(&process.pid).is_some_and(|known| known.process.start == process.start);
            let known = if is_known { before.remove(&process.pid) } else { None };
            let (mut waited_first, mut gone) = (process.waited, Duration::ZERO);
            if let Some(known) = known {
                (waited_first, gone) = (known.waited_first, known.gone);
                // The kernel may report less CPU time for a process that is about to end.
                process.own = process.own.max(known.process.own);
                process.waited = process.waited.max(known.process.waited);
            }
            self.seen.insert(process.pid, Account { process, waited_first, gone });
        }
        for child in before.into_values() {
            self.lost += child.lost();
            // If the parent has ended as well, no data shows who has waited for the child.
            if let Some(parent) = self.seen.get_mut(&child.process.parent) {
                parent.add_gone(&child, since);
            }
        }
        let lost = self.seen.values().map(Account::lost).sum::<Duration>() + self.lost;
        let alive = self.seen().map(|process| process.own + process.waited).sum::<Duration>();
        alive + lost + waited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let update =
            |cpu: &mut CpuAccount, now: Vec<ProcessState>, waited| cpu.update(now, ms(waited), INTERVAL);
        assert_eq!(update(&mut cpu, vec![process(1, 0, 10, 0)], 0), ms(10));
        assert_eq!(update(&mut cpu, vec![process(1, 0, 10, 0), process(2, 1, 300, 0)], 0), ms(310));
        assert_eq!(update(&mut cpu, vec![process(1, 0, 20, 310)], 0), ms(330), "its parent has waited");
        assert_eq!(update(&mut cpu, vec![], 340), ms(340), "the warden has waited");
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
        assert_eq!(
            cpu.update(vec![], ms(10), INTERVAL),
            ms(310) + 10 * INTERVAL,
            "the loss remains after the end of the parent"
        );
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
