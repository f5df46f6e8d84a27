//! How long a bot may take to end by itself.

use std::time::{Duration, Instant};

/// The first look at a bot. Most bots have ended before, so that looking at them costs nothing.
const FIRST_LOOK: Duration = Duration::from_millis(20);

/// Maximum factor by which the time is extended, as for a [repeated game](crate::limits::Limits::for_repeat).
const MAX_FACTOR: u32 = 4;

/// What a running bot does at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    pub cpu: Duration,
    /// Whether all processes sleep or are stopped.
    pub sleeping: bool,
}

/// The grace time of a bot. A bot that still computes at its end, but had less CPU time than that because the machine
/// was busy, may go on until it has had as much.
#[derive(Debug)]
pub struct GraceTime {
    length: Duration,
    begun: Instant,
    /// The CPU time used before the first look.
    cpu_before: Option<Duration>,
}

impl GraceTime {
    pub fn new(length: Duration, begun: Instant) -> Self {
        Self { length, begun, cpu_before: None }
    }

    /// Returns whether the time is over. `look` returns what the bot does, or `None` if that cannot be measured.
    pub fn is_over(&mut self, now: Instant, look: impl FnOnce() -> Option<Work>) -> bool {
        let passed = now.saturating_duration_since(self.begun);
        let is_late = passed >= self.length;
        let Some(cpu_before) = self.cpu_before else {
            if !is_late && passed >= FIRST_LOOK {
                self.cpu_before = look().map(|work| work.cpu);
            }
            return is_late;
        };
        let had_time = |work: Work| work.sleeping || work.cpu.saturating_sub(cpu_before) >= self.length;
        is_late && (passed >= self.length.saturating_mul(MAX_FACTOR) || look().is_none_or(had_time))
    }
}
