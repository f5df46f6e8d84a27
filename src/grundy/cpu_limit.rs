//! A limit on CPU time, and the clocks that measure it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A time by which all must be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuLimit {
    pub(super) most: Duration,
    /// What the clock told when the time began, once it has.
    pub(super) start: Option<Duration>,
    pub(super) clock: Clock,
}

/// Returns the CPU time so far, counted from any moment.
pub(super) type Clock = fn() -> Duration;

impl CpuLimit {
    /// A limit of `most` from now on.
    pub(super) fn new(most: Duration, clock: Clock) -> Self {
        Self { most, start: Some(clock()), clock }
    }

    /// As much time, from the next table on: to read the clock takes longer than most replies.
    pub(super) fn restarted(self) -> Self {
        Self { start: None, ..self }
    }

    /// This limit with its time beginning now, unless it has begun.
    pub(super) fn started(self) -> Self {
        Self { start: Some(self.start.unwrap_or_else(self.clock)), ..self }
    }
}

impl PartialEq for CpuLimit {
    fn eq(&self, other: &Self) -> bool {
        (self.most, self.start) == (other.most, other.start)
    }
}

impl Eq for CpuLimit {}

/// The CPU time that this process has taken so far, all its threads together; if the system does not report it, the time
/// since the first call.
pub(super) fn cpu_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    of_process().unwrap_or_else(|| FIRST.get_or_init(Instant::now).elapsed())
}

/// User and system time, the 14th and the 15th word of /proc/self/stat, in hundredths of a second. The second word is
/// the program's name, in parentheses, and may have blanks.
#[cfg(target_os = "linux")]
fn of_process() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut words = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || words.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * ticks()?.checked_add(ticks()?)?))
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Option<Duration> {
    None
}
