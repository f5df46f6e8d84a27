//! Delays of the judge itself: the judge had no processor, or a signal stopped it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::time::{ClockId, clock_gettime};
use signal_hook::consts::SIGCONT;

use crate::event::Delay;

/// Maximum lateness of a wake-up that does not count as a delay.
const WAKE_LATENCY: Duration = Duration::from_millis(1);

/// Minimum length of a delay, or of the sum of several delays, that is recorded.
const MIN_RECORDED: Duration = Duration::from_millis(10);

/// Maximum CPU time of a piece of work, such as a snapshot, during which a delay of the judge counts. A snapshot that
/// needs more CPU time is slow because the bot has many processes. None of the time of this snapshot is a delay,
/// because otherwise the bot could extend its own time limit many times.
const MAX_WORK: Duration = Duration::from_millis(5);

/// Maximum age of the last reading of the CPU time. The CPU time is not read at every poll, because reading it is the
/// slowest part of a wait for a quick bot.
const MAX_READING_AGE: Duration = Duration::from_millis(1);

/// Measures the delays of the judge: the time between two polls of the bot's pipes, minus the intended wait and the CPU
/// time of the judge.
pub(super) struct DelayMonitor {
    /// When the judge last polled the pipes.
    last_poll: Instant,
    /// The last reading of the CPU time, made at `last_poll` or shortly before.
    reading: Moment,
    /// The delays that are not recorded yet.
    pending: Duration,
    /// The CPU time that the bot's host has used so far.
    host_cpu: Duration,
}

/// A moment, and the CPU time that this thread and the bot's host together have used until then.
#[derive(Clone, Copy)]
struct Moment {
    at: Instant,
    cpu: Duration,
}

impl Moment {
    fn now(host_cpu: Duration) -> Self {
        Self { at: Instant::now(), cpu: thread_cpu() + host_cpu }
    }
}

impl DelayMonitor {
    pub(super) fn new() -> Self {
        let host_cpu = Duration::ZERO;
        let reading = Moment::now(host_cpu);
        Self { last_poll: reading.at, reading, pending: Duration::ZERO, host_cpu }
    }

    /// Restarts the measurement: from now on the bot's line is expected.
    pub(super) fn restart(&mut self) {
        self.note_poll(Instant::now());
    }

    /// Notes that the judge has polled the pipes at the time `at`.
    fn note_poll(&mut self, at: Instant) {
        self.last_poll = at;
        if at.saturating_duration_since(self.reading.at) >= MAX_READING_AGE {
            self.reading = Moment::now(self.host_cpu);
        }
    }

    /// Returns the sum of the delays up to now, if it is large enough to be recorded. The judge must have just polled
    /// the pipes with the timeout `timeout`.
    pub(super) fn take_delay(&mut self, timeout: Duration) -> Option<Delay> {
        let now = Instant::now();
        if now.saturating_duration_since(self.last_poll) > timeout + WAKE_LATENCY {
            return self.take_delay_at(Moment::now(self.host_cpu), timeout);
        }
        self.note_poll(now);
        self.take_pending()
    }

    fn take_delay_at(&mut self, now: Moment, timeout: Duration) -> Option<Delay> {
        let since_poll = now.at.saturating_duration_since(self.last_poll);
        let worked = now.cpu.saturating_sub(self.reading.cpu);
        (self.last_poll, self.reading) = (now.at, now);
        let late = since_poll.saturating_sub(timeout).saturating_sub(worked);
        if late > WAKE_LATENCY {
            self.pending += late;
        }
        self.take_pending()
    }

    /// Returns the sum of the pending delays, if it is large enough to be recorded, and resets the sum.
    fn take_pending(&mut self) -> Option<Delay> {
        let by = Some(self.pending).filter(|&pending| pending >= MIN_RECORDED)?;
        self.pending = Duration::ZERO;
        Some(Delay { by })
    }

    /// Runs `work` on the bot's processes. `work` returns its result and the CPU time that the bot's host has used for
    /// the result. If the work needs more CPU time than [`MAX_WORK`], none of its time is a delay.
    pub(super) fn work<T>(&mut self, work: impl FnOnce() -> (T, Duration)) -> T {
        let start = Instant::now();
        let (result, host_cpu) = work();
        self.host_cpu += host_cpu;
        if start.elapsed() > MAX_WORK {
            self.exclude(start, Moment::now(self.host_cpu));
        }
        result
    }

    fn exclude(&mut self, start: Instant, end: Moment) {
        let (wall, cpu) = (end.at.saturating_duration_since(start), end.cpu.saturating_sub(self.reading.cpu));
        if cpu > MAX_WORK {
            self.last_poll += wall;
            self.reading = Moment { at: self.reading.at + wall, cpu: self.reading.cpu + cpu };
        }
    }
}

/// Returns the CPU time of this thread.
pub(super) fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(time.tv_sec.unsigned_abs());
    seconds + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}

/// A flag that SIGCONT sets. SIGCONT shows that the judge was stopped before: a program cannot catch the stop itself.
static CONTINUED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// How often the judge was found to have been stopped.
static STOPS: AtomicUsize = AtomicUsize::new(0);

/// Counts stops from now on. Later calls do nothing.
///
/// # Errors
///
/// If the system refuses the signal handler.
pub(crate) fn watch_stops() -> anyhow::Result<()> {
    if CONTINUED.get().is_none() {
        let continued: Arc<AtomicBool> = Arc::default();
        signal_hook::flag::register(SIGCONT, Arc::clone(&continued)).context("cannot listen for SIGCONT")?;
        CONTINUED.get_or_init(|| continued);
    }
    Ok(())
}

/// Counts a stop of another judge process on which a game may depend.
pub(crate) fn note_stop() {
    STOPS.fetch_add(1, Ordering::SeqCst);
}

/// Returns how often the judge was found to have been stopped. Each game compares this number with the number at its
/// start.
pub fn count_stops() -> usize {
    if CONTINUED.get().is_some_and(|continued| continued.swap(false, Ordering::SeqCst)) {
        STOPS.fetch_add(1, Ordering::SeqCst);
    }
    STOPS.load(Ordering::SeqCst)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Returns a monitor that has just polled the pipes, and a function of `wall` and `work`. The function returns the
    /// moment that is `wall` milliseconds later, with `work` milliseconds of CPU time used.
    fn monitor() -> (DelayMonitor, impl Fn(u64, u64) -> Moment) {
        let monitor = DelayMonitor::new();
        let Moment { at, cpu } = monitor.reading;
        (monitor, move |wall, work| Moment { at: at + ms(wall), cpu: cpu + ms(work) })
    }

    #[test]
    fn a_wait_and_work_are_no_delay() {
        let (mut monitor, after) = monitor();
        assert_eq!(monitor.take_delay_at(after(20, 0), ms(20)), None);
        assert_eq!(monitor.take_delay_at(after(70, 50), ms(0)), None, "50 ms of work");
        assert_eq!(monitor.take_delay_at(after(100, 50), ms(20)), Some(Delay { by: ms(10) }));
    }

    #[test]
    fn small_delays_add_up() {
        let (mut monitor, after) = monitor();
        for turn in 1..5 {
            assert_eq!(monitor.take_delay_at(after(2 * turn, 0), ms(0)), None);
        }
        assert_eq!(monitor.take_delay_at(after(10, 0), ms(0)), Some(Delay { by: ms(10) }));
        for turn in 1..100 {
            assert_eq!(monitor.take_delay_at(after(10 + turn, 0), ms(0)), None, "the system's own latency");
        }
    }

    /// Checks that the bot gains no time while the judge waits for a processor during a snapshot of many processes.
    #[test]
    fn slow_work_is_no_delay() {
        for (work, delay) in [(6, None), (5, Some(Delay { by: ms(95) }))] {
            let (mut monitor, after) = monitor();
            monitor.exclude(after(1, 0).at, after(101, work));
            assert_eq!(monitor.take_delay_at(after(101, work), ms(1)), delay);
        }
    }
}
