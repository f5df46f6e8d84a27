//! A bot as the referee sees it: the referee sends it lines and receives lines from it.

use std::time::{Duration, Instant};

use crate::event::{Event, Usage};
use crate::limits::Limits;

/// How often a wait for a bot checks for an interrupt, for its usage, and for an end that no descriptor reports.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct TimedEvent {
    pub at: Instant,
    pub event: Event,
}

impl TimedEvent {
    pub fn now(event: Event) -> Self {
        Self { at: Instant::now(), event }
    }
}

/// The program that plays against the judge.
pub trait Bot {
    /// Sends bytes without blocking. That the bot has closed its stdin shows only when its answer is due.
    fn send(&mut self, bytes: &[u8]);

    /// Returns the events that have already happened, without waiting.
    fn drain(&mut self) -> Vec<TimedEvent> {
        Vec::new()
    }

    /// Waits for at least one event: an action of the bot, or a limit. The wall limit is for this wait alone.
    fn wait(&mut self, limits: &Limits) -> Vec<TimedEvent>;

    /// Returns an event with the usage of the bot so far, or with the reason why it is unknown.
    fn used(&mut self) -> TimedEvent {
        TimedEvent::now(Event::Used(Usage::default()))
    }

    /// Waits at most `grace` for the bot to end, and then ends the bot and everything that it started.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent>;
}

/// The contexts of an error of a pipe, and of a measurement.
pub(super) const UNREADABLE: &str = "the judge cannot read from the bot";
pub(super) const UNMEASURED: &str =
    "the judge cannot measure what the bot uses, and so cannot enforce its limits";

/// Returns the event of a program with which the judge cannot go on.
pub(super) fn failed(error: &anyhow::Error) -> TimedEvent {
    TimedEvent::now(Event::Failed { why: format!("{error:#}") })
}
