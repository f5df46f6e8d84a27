//! Sees when the judge itself did not run: a signal stopped it, or it had no processor.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::referee::event::Delay;

/// How late the system may wake the judge; more is a delay.
const NORMAL: Duration = Duration::from_millis(1);

/// Delays are recorded when they come to this much.
const RECORDED: Duration = Duration::from_millis(10);

/// Compares how long the judge was away from the bot's pipes with how long it meant to wait for them and itself
/// was at work: a look at many processes takes time, and is no delay.
pub(super) struct DelayMonitor {
    /// When the judge was last seen to run, and the CPU time that its thread had used by then.
    latest: Instant,
    cpu: Duration,
    /// The delays that are not recorded yet.
    pending: Duration,
}

impl DelayMonitor {
    pub(super) fn new() -> Self {
        Self { latest: Instant::now(), cpu: thread_cpu(), pending: Duration::ZERO }
    }

    /// From now on the bot's line is due, and the judge is to look for it.
    pub(super) fn restart(&mut self) {
        (self.latest, self.cpu) = (Instant::now(), thread_cpu());
    }

    /// The judge has looked at the pipes, and waited for them `timeout` at most: for how much longer it was
    /// away without being at work, if that is enough to be recorded.
    pub(super) fn after(&mut self, timeout: Duration) -> Option<Delay> {
        let before = (self.latest, self.cpu);
        self.restart();
        let away = self.latest.saturating_duration_since(before.0);
        let at_work = self.cpu.saturating_sub(before.1);
        let late = away.saturating_sub(timeout).saturating_sub(at_work);
        if late > NORMAL {
            self.pending += late;
        }
        let by = Some(self.pending).filter(|&pending| pending >= RECORDED)?;
        self.pending = Duration::ZERO;
        Some(Delay { by })
    }
}

/// The CPU time of this thread.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(time.tv_sec.unsigned_abs());
    seconds + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}
