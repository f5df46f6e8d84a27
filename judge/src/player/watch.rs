//! A watch on what a bot uses and on whether it does anything.

use std::time::{Duration, Instant};

use super::Patience;
use super::tree::{self, Look};
use crate::event::{Limit, Usage};

/// How often a wait looks up from the pipes: for Ctrl-C, for what the bot uses, and where no descriptor tells
/// it, for the exit.
pub(super) const GLANCE: Duration = Duration::from_millis(20);

/// CPU time that tells nothing: the clocks of processes count in hundredths of a second.
const TICKS: Duration = Duration::from_millis(20);

/// What is known of the bot's processes, from looking at them now and then.
#[derive(Default)]
pub(super) struct Watch {
    /// When it is time to look again.
    next: Option<Instant>,
    /// Since when, and from which CPU time on, they have done next to nothing while a line was due.
    quiet: Option<(Instant, Duration)>,
    /// The most that was seen in use since the game began, and the CPU time that was used in games before.
    used: Usage,
    earlier: Option<Duration>,
}

impl Watch {
    /// Another game begins; what is used is counted from here.
    pub(super) fn begin(&mut self) {
        self.refresh();
        self.earlier = Some(self.earlier.unwrap_or_default() + self.used.cpu.unwrap_or_default());
        self.used = Usage::default();
    }

    /// The bot has been told something, and may be quiet from now on.
    pub(super) fn wake(&mut self) {
        self.quiet = None;
    }

    /// What was seen in use since the game began, looked at again if that was long ago.
    pub(super) fn used(&mut self) -> Usage {
        self.refresh();
        self.used
    }

    /// What the system tells of all processes together once they have ended. To the microsecond for all
    /// games; of one among several the looks know more.
    pub(super) fn end(&mut self, total: Usage) -> Usage {
        let cpu = total.cpu.filter(|_| self.earlier.is_none()).or(self.used.cpu);
        self.used = Usage { cpu, memory: self.used.memory.max(total.memory) };
        self.used
    }

    fn is_stale(&self) -> bool {
        self.next.is_none_or(|next| Instant::now() >= next)
    }

    fn refresh(&mut self) {
        if self.is_stale() {
            self.look();
        }
    }

    fn look(&mut self) -> Option<Look> {
        let started = Instant::now();
        let look = tree::look();
        // Looking at many processes takes long; it must not take all the time.
        self.next = Some(Instant::now() + GLANCE.max(started.elapsed() * 10));
        let mut look = look?;
        look.used.cpu = look.used.cpu.map(|cpu| cpu.saturating_sub(self.earlier.unwrap_or_default()));
        self.used = self.used.max(look.used);
        Some(look)
    }

    /// Whether a limit is reached in a wait of that length, if it is time to look, and what was seen and for
    /// how long the bot has been quiet.
    pub(super) fn limit(&mut self, waited: Duration, patience: &Patience) -> Option<(Limit, Look, Duration)> {
        let late = waited >= patience.wall;
        if !late && !self.is_stale() {
            return None;
        }
        let look = self.look().unwrap_or_default();
        let quiet = self.quiet_for(&look, waited);
        let limit = if late {
            Limit::Wall
        } else if look.used.cpu > Some(patience.cpu) {
            Limit::Cpu
        } else if look.used.memory > Some(patience.memory) {
            Limit::Memory
        } else if quiet >= patience.idle {
            Limit::Idle
        } else {
            return None;
        };
        Some((limit, look, quiet))
    }

    /// For how long the bot has slept and used next to no CPU, up to this look.
    fn quiet_for(&mut self, look: &Look, waited: Duration) -> Duration {
        let now = Instant::now();
        let Some(cpu) = look.used.cpu else { return Duration::ZERO };
        let (since, from) = *self.quiet.get_or_insert((now.checked_sub(waited).unwrap_or(now), cpu));
        let quiet = now.saturating_duration_since(since);
        if !look.sleeping || cpu.saturating_sub(from) > TICKS.max(quiet / 10) {
            self.quiet = Some((now, cpu));
            return Duration::ZERO;
        }
        quiet
    }
}
