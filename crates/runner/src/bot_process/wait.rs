//! The wait for a bot's line, within its limits.

use std::time::{Duration, Instant};

use super::Process;
use crate::bot::{POLL_INTERVAL, TimedEvent, WaitLimits};
use crate::bot::{unmeasured, unreadable};
use crate::event::{Bytes, Event, Limit, LimitReport};
use crate::interrupt::interrupted;
use crate::usage::ReachedLimit;

impl Process {
    /// Waits for at least one event: an action of the bot, or a limit that the bot reaches.
    pub(super) fn await_event(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        let started = Instant::now();
        let mut events = Vec::new();
        // Check the usage first, so that it is measured even if the bot always answers at once. `check_wait` checks the
        // times later.
        let usage_limits = WaitLimits { wall: Duration::MAX, idle: Duration::MAX, ..*wait_limits };
        events.extend(self.check_limits(Duration::ZERO, &usage_limits));
        while events.is_empty() {
            // Measure the time before reading the pipes: a line is late only if it is missing after the limit.
            let waited = started.elapsed();
            let left = wait_limits.wall.saturating_sub(waited).min(POLL_INTERVAL);
            if let Err(error) = self.pump(left, &mut events) {
                events.push(unreadable(&error));
            }
            if has_news(&events) {
                return events;
            }
            if !events.is_empty() {
                self.watch.restart_quiet_time_now();
            }
            if self.pipes.is_line_too_long() {
                let (snapshot, quiet) = Default::default();
                events.push(self.report(ReachedLimit { limit: Limit::Line, snapshot, quiet }));
            } else {
                events.extend(self.check_wait(waited, wait_limits));
            }
        }
        events
    }

    /// Returns the event of a limit that the bot has reached, if a check is due and finds one. `waited` is the length
    /// of the wait so far.
    fn check_limits(&mut self, waited: Duration, wait_limits: &WaitLimits) -> Option<TimedEvent> {
        match self.watch.check(waited, wait_limits) {
            Ok(reached) => reached.map(|reached| self.report(reached)),
            Err(error) => Some(unmeasured(&error)),
        }
    }

    /// Makes the event of a limit, with the state of the bot.
    fn report(&self, ReachedLimit { limit, snapshot, quiet }: ReachedLimit) -> TimedEvent {
        TimedEvent::now(Event::Limit(LimitReport {
            limit,
            used: snapshot.used,
            sleeping: snapshot.sleeping,
            stopped: snapshot.stopped,
            quiet,
            channel: snapshot.channel,
            unread: self.pipes.unread(),
            unfinished: Bytes(self.pipes.fragment().to_vec()),
        }))
    }

    /// Returns the events that end the wait, after a read of the pipes that found no line.
    fn check_wait(&mut self, waited: Duration, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        if interrupted() {
            return vec![TimedEvent::now(Event::Interrupted)];
        }
        let Some(reached) = self.check_limits(waited, wait_limits) else { return Vec::new() };
        let mut events = Vec::new();
        // The bot may have printed its line while the judge did not run.
        if is_timeout(&reached)
            && let Err(error) = self.pump(Duration::ZERO, &mut events)
        {
            events.push(unreadable(&error));
        }
        let is_at_work = !events.is_empty() && is_idle(&reached);
        if !has_news(&events) && !is_at_work {
            events.push(reached);
        }
        events
    }
}

/// Checks for an event other than output on stderr.
fn has_news(events: &[TimedEvent]) -> bool {
    events.iter().any(|timed| !matches!(timed.event, Event::Stderr(_)))
}

fn is_idle(timed: &TimedEvent) -> bool {
    matches!(&timed.event, Event::Limit(LimitReport { limit: Limit::Idle, .. }))
}

/// Checks whether the event is the wall limit or the idle limit.
fn is_timeout(timed: &TimedEvent) -> bool {
    is_idle(timed) || matches!(&timed.event, Event::Limit(LimitReport { limit: Limit::Wall, .. }))
}
