//! The usage and the state of a program's processes, compared with the program's limits.

pub(super) mod meter;

use std::num::NonZero;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::event::{Limit, LimitReport, Usage};
use crate::grace::Work;
use crate::limits::Limits;
use crate::warden::{Detail, Program, Snapshot};

/// Maximum CPU time that proves no work: the clocks of processes count in hundredths of a second.
const CLOCK_ERROR: Duration = Duration::from_millis(20);

/// Minimum and maximum time between two measurements. The first comes after the minimum, so that a quick program is
/// never measured while it runs.
pub(crate) const INTERVALS: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(200)];

/// Number of measurements that prove nothing: each may have found a program at work for a moment.
const FEW_MEASUREMENTS: u32 = 4;

/// Number of bytes per second by which the memory of a program can grow: the speed at which a processor clears pages.
const MEMORY_SPEED: u64 = 8 << 30;

/// Time in which a program starts a process, in bad cases. A faster program may exceed its limit between two measurements.
const START_TIME: Duration = Duration::from_millis(1);

/// A time in which a line is expected, and a program uses almost no CPU time.
#[derive(Clone, Copy)]
pub(crate) struct Quiet {
    since: Instant,
    cpu: Duration,
    measurements: u32,
    /// Number of measurements that found a process at work.
    working: u32,
}

impl Program {
    pub(crate) fn begin_game(&mut self) -> anyhow::Result<()> {
        self.used()?;
        self.earlier += self.used.cpu.unwrap_or_default();
        self.used = Usage::default();
        Ok(())
    }

    /// Restarts the quiet time at the next measurement, because the bot was sent something.
    pub(crate) fn restart_quiet_time(&mut self) {
        self.quiet = None;
    }

    /// Restarts the quiet time now: a bot that writes to stderr may use little CPU time and wait for the judge.
    pub(crate) fn restart_quiet_time_now(&mut self) {
        let cpu = self.used.cpu.unwrap_or_default();
        self.quiet = Some(Quiet { since: Instant::now(), cpu, measurements: 0, working: 0 });
    }

    pub(crate) fn used(&mut self) -> anyhow::Result<Usage> {
        self.measure(Detail::Usage)?;
        Ok(self.used)
    }

    pub(crate) fn work(&mut self) -> Option<Work> {
        let Snapshot { used, sleeping, .. } = self.measure(Detail::Threads).ok()?;
        Some(Work { cpu: used.cpu?, sleeping })
    }

    /// Adds a measurement to the maximum of this game. Returns the measurement without the usage of earlier games.
    pub(crate) fn note(&mut self, used: Usage) -> Usage {
        let used = Usage { cpu: used.cpu.map(|cpu| cpu.saturating_sub(self.earlier)), ..used };
        self.used = self.used.max(used);
        used
    }

    pub(crate) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Returns the limit that the bot has reached and the state of its processes, if a measurement is due and shows such a
    /// limit. `waited` is the length of the wait so far.
    pub(crate) fn check(&mut self, waited: Duration, limits: &Limits) -> anyhow::Result<Option<LimitReport>> {
        let is_late = waited >= limits.wall;
        if !is_late && !self.is_due() {
            return Ok(None);
        }
        let started = Instant::now();
        let Snapshot { used, sleeping, .. } = self.measure(Detail::Usage)?;
        let quiet = self.quiet_time(used, sleeping, waited);
        // The measurement of many large processes takes long.
        self.next = Instant::now() + interval(used, quiet, limits).max(started.elapsed());
        let limit = match used.exceeded(limits) {
            Some(report) => report.limit,
            None if is_late => Limit::Wall,
            None if quiet >= limits.idle => Limit::Idle,
            None => return Ok(None),
        };
        let Snapshot { used: used_now, sleeping, stopped, channel, .. } = self.measure(Detail::Threads)?;
        if limit == Limit::Idle && !sleeping {
            // A thread works, or waits for a processor.
            self.quiet = None;
            return Ok(None);
        }
        let used = used.max(used_now);
        Ok(Some(LimitReport { used, sleeping, stopped, quiet, channel, ..LimitReport::new(limit) }))
    }

    /// Returns how long the bot has used almost no CPU time, up to this measurement.
    fn quiet_time(&mut self, used: Usage, sleeping: bool, waited: Duration) -> Duration {
        let now = Instant::now();
        let Some(cpu) = used.cpu else { return Duration::ZERO };
        let begin = |since| Quiet { since, cpu, measurements: 0, working: 0 };
        let quiet = self.quiet.get_or_insert_with(|| begin(now.checked_sub(waited).unwrap_or(now)));
        quiet.measurements += 1;
        quiet.working += u32::from(!sleeping);
        let length = now.saturating_duration_since(quiet.since);
        let has_computed = cpu.saturating_sub(quiet.cpu) > CLOCK_ERROR.max(length / 10);
        // The CPU time of short-lived children that nobody waits for is lost, but each measurement finds one of them.
        let has_children_at_work =
            quiet.measurements > FEW_MEASUREMENTS && quiet.working > quiet.measurements / 2;
        if has_computed || has_children_at_work {
            self.quiet = Some(begin(now));
            return Duration::ZERO;
        }
        length
    }
}

/// Returns the time after which a program with this usage can have reached a limit at the earliest.
fn interval(used: Usage, quiet: Duration, limits: &Limits) -> Duration {
    static PROCESSORS: LazyLock<u32> = LazyLock::new(|| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        u32::try_from(processors).unwrap_or(u32::MAX)
    });
    let cpu = limits.cpu.saturating_sub(used.cpu.unwrap_or_default()) / *PROCESSORS;
    let memory = limits.memory.saturating_sub(used.memory.unwrap_or_default());
    let memory = Duration::from_millis(memory / (MEMORY_SPEED / 1000));
    // A control group counts the processes itself.
    let processes = used.processes.map_or(Duration::MAX, |processes| {
        let left = limits.processes.saturating_sub(processes);
        START_TIME.saturating_mul(u32::try_from(left).unwrap_or(u32::MAX))
    });
    let [min, max] = INTERVALS;
    // A program that is idle already may have to wait for the other one.
    let idle = limits.idle.checked_sub(quiet).filter(|left| !left.is_zero()).unwrap_or(max);
    cpu.min(memory).min(processes).min(idle).clamp(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::DEFAULT_LIMITS;

    #[test]
    fn the_next_measurement_comes_before_a_limit_can_be_reached() {
        let ms = Duration::from_millis;
        let (wall, idle) = (ms(60_000), ms(10_000));
        let limits = Limits { wall, idle, memory: 1 << 40, processes: 1000, ..DEFAULT_LIMITS };
        let used = |cpu| Usage { cpu: Some(ms(cpu)), memory: Some(1 << 20), processes: Some(1) };
        assert_eq!(interval(used(0), ms(0), &limits), ms(200));
        assert_eq!(interval(used(1990), ms(0), &limits), ms(20));
        assert!(interval(used(1800), ms(0), &limits) <= ms(200));
        assert_eq!(interval(used(0), ms(9950), &limits), ms(50));
        assert_eq!(interval(used(0), ms(20_000), &limits), ms(200));
        assert_eq!(interval(Usage { processes: Some(960), ..used(0) }, ms(0), &limits), ms(40));
        let small = Limits { memory: 1 << 28, ..limits };
        assert_eq!(interval(used(0), ms(0), &small), ms(31));
    }
}
