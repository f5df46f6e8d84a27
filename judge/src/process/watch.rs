//! A watch on what a bot uses and on whether it does anything.

use std::time::{Duration, Instant};

use super::WaitLimits;
use super::meter::Meter;
use super::tree::Look;
use crate::process::cgroup::ControlGroup;
use crate::referee::event::{Limit, Usage};

/// How often a wait looks up from the pipes: for Ctrl-C, for what the bot uses, and where no descriptor tells
/// it, for the exit.
pub(super) const GLANCE: Duration = Duration::from_millis(20);

/// CPU time that tells nothing: the clocks of processes count in hundredths of a second.
const TICKS: Duration = Duration::from_millis(20);

/// What is known of the bot's processes, from looking at them now and then.
pub(super) struct Watch {
    meter: Meter,
    /// When it is time to look again.
    next: Instant,
    /// Since when, and from which CPU time on, they have done next to nothing while a line was due.
    quiet: Option<(Instant, Duration)>,
    /// The most that was seen in use since the game began, and the CPU time that was used in games before.
    used: Usage,
    earlier: Option<Duration>,
}

impl Watch {
    pub(super) fn new(meter: Meter) -> Self {
        Self { meter, next: Instant::now(), quiet: None, used: Usage::default(), earlier: None }
    }

    pub(super) fn group(&self) -> Option<&ControlGroup> {
        self.meter.group()
    }

    /// Another game begins; what is used is counted from here.
    pub(super) fn begin(&mut self) -> anyhow::Result<()> {
        self.look(true)?;
        self.earlier = Some(self.earlier.unwrap_or_default() + self.used.cpu.unwrap_or_default());
        self.used = Usage::default();
        Ok(())
    }

    /// The bot has been told something, and may be quiet from now on.
    pub(super) fn wake(&mut self) {
        self.quiet = None;
    }

    /// The judge itself did not run for that long: that time tells nothing of the bot.
    pub(super) fn delay(&mut self, by: Duration) {
        if let Some((since, _)) = &mut self.quiet {
            *since += by;
        }
    }

    /// What was seen in use since the game began.
    pub(super) fn used(&mut self) -> anyhow::Result<Usage> {
        self.look(true)?;
        Ok(self.used)
    }

    /// Looks now, if it is time or not.
    pub(super) fn look_now(&mut self) -> anyhow::Result<()> {
        self.look(false).map(drop)
    }

    /// What all processes together have used, once they have ended, this much the bot's own. To the microsecond for all
    /// games; of one among several the looks know more.
    pub(super) fn end(&mut self, bot: Usage) -> Usage {
        let total = self.meter.end(bot);
        let cpu = total.cpu.filter(|_| self.earlier.is_none());
        self.used = self.used.max(Usage { cpu, ..total });
        self.used
    }

    /// Looks, and settles when to look again: at fixed times, however long a look takes. One that took
    /// longer than the time between two is followed by the next at once, and one between them changes nothing.
    fn look(&mut self, thoroughly: bool) -> anyhow::Result<Look> {
        if let Some(late) = Instant::now().checked_duration_since(self.next) {
            let missed = u32::try_from(late.as_nanos() / GLANCE.as_nanos()).unwrap_or(u32::MAX);
            self.next += GLANCE * missed.saturating_add(1);
        }
        let mut look = self.meter.look(thoroughly)?.unwrap_or_default();
        look.used.cpu = look.used.cpu.map(|cpu| cpu.saturating_sub(self.earlier.unwrap_or_default()));
        self.used = self.used.max(look.used);
        Ok(look)
    }

    /// Whether a limit is reached in a wait of that length, if it is time to look, and what was seen and for
    /// how long the bot has been quiet.
    pub(super) fn limit(
        &mut self,
        waited: Duration,
        wait_limits: &WaitLimits,
    ) -> anyhow::Result<Option<(Limit, Look, Duration)>> {
        let late = waited >= wait_limits.wall;
        if !late && Instant::now() < self.next {
            return Ok(None);
        }
        let look = self.look(false)?;
        let quiet = self.quiet_for(&look, waited);
        let limit = if late {
            Limit::Wall
        } else if look.used.cpu > Some(wait_limits.cpu) {
            Limit::Cpu
        } else if look.used.memory > Some(wait_limits.memory) {
            Limit::Memory
        } else if look.used.processes > Some(wait_limits.processes) {
            Limit::Processes
        } else if quiet >= wait_limits.idle {
            Limit::Idle
        } else {
            return Ok(None);
        };
        Ok(Some((limit, look, quiet)))
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::referee::limits::DEFAULT_LIMITS;

    /// However often what is used is asked for, the next look is due when it was.
    #[test]
    fn looks_between_two_put_off_none() {
        let mut watch = Watch::new(Meter::new(None, DEFAULT_LIMITS));
        for _ in 0..100 {
            watch.used().unwrap();
            assert!(watch.next <= Instant::now() + GLANCE);
        }
    }
}
