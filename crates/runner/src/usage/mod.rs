//! The usage and the state of a bot's processes, compared with the bot's limits.

#[cfg(target_os = "linux")]
mod cpu_account;
#[cfg_attr(not(target_os = "linux"), path = "unsupported.rs")]
pub(super) mod meter;
#[cfg(target_os = "linux")]
mod process_state;

use std::time::{Duration, Instant};

use crate::bot::{POLL_INTERVAL, WaitLimits};
use crate::bot_tree::{BotTree, EndUsage, ProcSnapshot};
use crate::event::{Limit, Usage};

/// Maximum CPU time that does not prove that a bot is working: the clocks of processes count in hundredths of a
/// second.
const CLOCK_ERROR: Duration = Duration::from_millis(20);

/// A limit that the bot has reached, and the state of the bot at that moment.
pub(crate) struct ReachedLimit {
    pub(crate) limit: Limit,
    pub(crate) snapshot: ProcSnapshot,
    /// How long the bot has been quiet.
    pub(crate) quiet: Duration,
}

/// Watches the bot's processes by snapshots at fixed intervals.
pub(crate) struct LimitWatch {
    tree: Box<dyn BotTree>,
    /// When the next snapshot is due.
    next: Instant,
    /// The start of the quiet time, and the CPU time at the start. During the quiet time a line is expected, and the
    /// processes use almost no CPU time.
    quiet: Option<(Instant, Duration)>,
    /// The maximum usage seen since the game began.
    used: Usage,
    /// The CPU time of earlier games, if there were any.
    earlier: Option<Duration>,
}

impl LimitWatch {
    pub(crate) fn new(tree: Box<dyn BotTree>) -> Self {
        Self {
            tree,
            next: Instant::now() + POLL_INTERVAL,
            quiet: None,
            used: Usage::default(),
            earlier: None,
        }
    }

    pub(crate) fn tree(&self) -> &dyn BotTree {
        self.tree.as_ref()
    }

    pub(crate) fn tree_mut(&mut self) -> &mut dyn BotTree {
        self.tree.as_mut()
    }

    /// Begins another game: its usage counts from now on.
    pub(crate) fn begin_game(&mut self) -> anyhow::Result<()> {
        self.used()?;
        self.earlier = Some(self.earlier.unwrap_or_default() + self.used.cpu.unwrap_or_default());
        self.used = Usage::default();
        Ok(())
    }

    /// Restarts the quiet time at the next snapshot, because the bot was sent something.
    pub(crate) fn restart_quiet_time(&mut self) {
        self.quiet = None;
    }

    /// Excludes a delay of the judge itself from the quiet time: such a delay says nothing about the bot.
    pub(crate) fn exclude_delay(&mut self, by: Duration) {
        if let Some((since, _)) = &mut self.quiet {
            *since += by;
        }
    }

    /// Measures the bot. Returns the maximum usage seen since the game began.
    pub(crate) fn used(&mut self) -> anyhow::Result<Usage> {
        self.measure()?;
        Ok(self.used)
    }

    /// Takes a snapshot of the processes and their threads now.
    pub(crate) fn snapshot_now(&mut self) -> anyhow::Result<ProcSnapshot> {
        let snapshot = self.take_snapshot(false)?;
        self.tree.look_at_threads(snapshot)
    }

    /// Measures the usage, whether a snapshot is due or not.
    fn measure(&mut self) -> anyhow::Result<()> {
        match self.tree.used_by_group()? {
            Some(used) => {
                self.note(used);
                Ok(())
            }
            None => self.take_snapshot(true).map(drop),
        }
    }

    /// Adds a measurement to the maximum of this game. Returns the measurement without the usage of earlier games.
    fn note(&mut self, used: Usage) -> Usage {
        let earlier = self.earlier.unwrap_or_default();
        let used = Usage { cpu: used.cpu.map(|cpu| cpu.saturating_sub(earlier)), ..used };
        self.used = self.used.max(used);
        used
    }

    /// Ends and reaps the bot and everything that it started. Returns their usage.
    ///
    /// If the bot has played a single game, the CPU time is that of the ended processes, which is exact to the
    /// microsecond. If it has played several games, the CPU time is that of the measurements.
    pub(crate) fn end(&mut self) -> Usage {
        let EndUsage { seen, total } = self.tree.end();
        self.note(seen);
        let cpu = total.cpu.filter(|_| self.earlier.is_none());
        self.used = self.used.max(Usage { cpu, ..total });
        self.used
    }

    /// Takes a snapshot and sets the time of the next one. Snapshots are due at fixed times, however long a snapshot
    /// takes. If a snapshot takes longer than the interval, the next one is due at once. A snapshot before its time
    /// does not change the schedule.
    fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<ProcSnapshot> {
        if let Some(late) = Instant::now().checked_duration_since(self.next) {
            let missed = u32::try_from(late.as_nanos() / POLL_INTERVAL.as_nanos()).unwrap_or(u32::MAX);
            self.next += POLL_INTERVAL * missed.saturating_add(1);
        }
        let mut snapshot = self.tree.take_snapshot(is_complete)?;
        snapshot.used = self.note(snapshot.used);
        Ok(snapshot)
    }

    /// Returns the limit that the bot has reached, if a snapshot is due and shows such a limit. `waited` is the length
    /// of the wait so far.
    pub(crate) fn check(
        &mut self,
        waited: Duration,
        wait_limits: &WaitLimits,
    ) -> anyhow::Result<Option<ReachedLimit>> {
        let is_late = waited >= wait_limits.wall;
        if !is_late && Instant::now() < self.next {
            return Ok(None);
        }
        let mut snapshot = self.take_snapshot(false)?;
        let quiet = self.quiet_time(&snapshot, waited);
        let limit = if snapshot.used.cpu > Some(wait_limits.cpu) {
            Limit::Cpu
        } else if is_late {
            Limit::Wall
        } else if snapshot.used.memory > Some(wait_limits.memory) {
            Limit::Memory
        } else if snapshot.used.processes > Some(wait_limits.processes) {
            Limit::Processes
        } else if quiet >= wait_limits.idle {
            Limit::Idle
        } else {
            return Ok(None);
        };
        if matches!(limit, Limit::Wall | Limit::Idle) {
            snapshot = self.tree.look_at_threads(snapshot)?;
        }
        if limit == Limit::Idle && !snapshot.sleeping {
            // A thread other than the first works, or waits for a processor.
            self.quiet = None;
            return Ok(None);
        }
        Ok(Some(ReachedLimit { limit, snapshot, quiet }))
    }

    /// Returns how long the bot has slept and used almost no CPU time, up to this snapshot.
    fn quiet_time(&mut self, snapshot: &ProcSnapshot, waited: Duration) -> Duration {
        let now = Instant::now();
        let Some(cpu) = snapshot.used.cpu else { return Duration::ZERO };
        let (since, from) = *self.quiet.get_or_insert((now.checked_sub(waited).unwrap_or(now), cpu));
        let quiet = now.saturating_duration_since(since);
        if !snapshot.sleeping || cpu.saturating_sub(from) > CLOCK_ERROR.max(quiet / 10) {
            self.quiet = Some((now, cpu));
            return Duration::ZERO;
        }
        quiet
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::os::fd::OwnedFd;

    use crate::event::Exit;

    use super::*;

    /// A bot without processes.
    struct NoTree;

    impl BotTree for NoTree {
        fn exit_fd(&self) -> Option<&OwnedFd> {
            None
        }

        fn exit(&mut self) -> io::Result<Option<Exit>> {
            Ok(None)
        }

        fn has_group(&self) -> bool {
            false
        }

        fn used_by_group(&mut self) -> anyhow::Result<Option<Usage>> {
            Ok(None)
        }

        fn take_snapshot(&mut self, _is_complete: bool) -> anyhow::Result<ProcSnapshot> {
            Ok(ProcSnapshot::default())
        }

        fn look_at_threads(&mut self, snapshot: ProcSnapshot) -> anyhow::Result<ProcSnapshot> {
            Ok(snapshot)
        }

        fn end(&mut self) -> EndUsage {
            EndUsage::default()
        }

        fn host_cpu(&self) -> Duration {
            Duration::ZERO
        }
    }

    /// Checks that frequent requests for the usage do not put off the next snapshot.
    #[test]
    fn requests_do_not_put_off_snapshots() {
        let mut watch = LimitWatch::new(Box::new(NoTree));
        for _ in 0..100 {
            watch.used().unwrap();
            assert!(watch.next <= Instant::now() + POLL_INTERVAL);
        }
    }
}
