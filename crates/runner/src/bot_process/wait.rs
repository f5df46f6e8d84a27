//! The wait for a bot's line, within its limits.

use std::time::{Duration, Instant};

use super::Process;
use crate::bot::{POLL_INTERVAL, TimedEvent, WaitLimits, unmeasured, unreadable};
use crate::event::{Bytes, Event, Limit, LimitReport};
use crate::interrupt::interrupted;

impl Process {
    /// Waits for at least one event: an action of the bot, or a limit that the bot reaches.
    pub(super) fn await_event(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        let started = Instant::now();
        let mut events = Vec::new();
        // Check the usage first, so that it is measured even if the bot always answers at once. `check_wait` checks the
        // times later.
        let usage_limits = WaitLimits { wall: Duration::MAX, idle: Duration::MAX, ..*wait_limits };
        match self.watch.check(Duration::ZERO, &usage_limits) {
            Ok(report) => events.extend(report.map(|report| self.report(report))),
            Err(error) => events.push(unmeasured(&error).into()),
        }
        while events.is_empty() {
            // Measure the time before reading the pipes: a line is late only if it is missing after the limit.
            let waited = started.elapsed();
            let left = wait_limits.wall.saturating_sub(waited).min(POLL_INTERVAL);
            if let Err(error) = self.pump(left, &mut events) {
                events.push(unreadable(&error).into());
            }
            if has_news(&events) {
                return events;
            }
            if !events.is_empty() {
                self.watch.restart_quiet_time_now();
            }
            if self.lines.is_too_long() {
                events.push(self.report(LimitReport::new(Limit::Line)));
            } else {
                events.extend(self.check_wait(waited, wait_limits));
            }
        }
        events
    }

    /// Makes the event of a limit, with the bytes that the bot has not read, and those that it has not finished.
    fn report(&self, report: LimitReport) -> TimedEvent {
        let unfinished = Bytes(self.lines.unfinished().to_vec());
        TimedEvent::now(Event::Limit(LimitReport { unread: self.pipes.unread(), unfinished, ..report }))
    }

    /// Returns the events that end the wait, after a read of the pipes that found no line.
    fn check_wait(&mut self, waited: Duration, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        if interrupted() {
            return vec![TimedEvent::now(Event::Interrupted)];
        }
        let report = match self.watch.check(waited, wait_limits) {
            Ok(Some(report)) => report,
            Ok(None) => return Vec::new(),
            Err(error) => return vec![unmeasured(&error).into()],
        };
        let mut events = Vec::new();
        // The bot may have printed its line while the judge did not run.
        if matches!(report.limit, Limit::Idle | Limit::Wall)
            && let Err(error) = self.pump(Duration::ZERO, &mut events)
        {
            events.push(unreadable(&error).into());
        }
        let is_at_work = !events.is_empty() && report.limit == Limit::Idle;
        if !has_news(&events) && !is_at_work {
            events.push(self.report(report));
        }
        events
    }
}

/// Checks for an event other than output on stderr.
fn has_news(events: &[TimedEvent]) -> bool {
    events.iter().any(|timed| !matches!(timed.event, Event::Stderr(_)))
}
