//! A bot as the referee sees it: the referee sends it lines and receives lines from it.

use std::io;
use std::time::{Duration, Instant};

use crate::event::{Event, Failure};

/// How often a wait for a bot checks for an interrupt, for the bot's usage, and for the bot's end if no descriptor
/// reports it.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An event and the time at which it happened.
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

/// The limits that end a wait: the waiting time, the idle time, and the bot's usage. `memory` is in bytes.
#[derive(Clone, Copy, Debug)]
pub struct WaitLimits {
    pub wall: Duration,
    pub idle: Duration,
    pub cpu: Duration,
    pub memory: u64,
    pub processes: u64,
}

/// The program that plays against the judge.
pub trait Bot {
    /// Begins another game: its usage counts from now on.
    fn begin_game(&mut self);

    /// Sends bytes without blocking. If the bot has closed its stdin, the judge notices only when the bot's answer is
    /// due.
    fn send(&mut self, bytes: &[u8]);

    /// Returns the events that have already happened, without waiting.
    fn drain(&mut self) -> Vec<TimedEvent>;

    /// Waits for at least one event: an action of the bot, or a limit that the bot reaches.
    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent>;

    /// Returns an event with the usage of the bot so far, or with the reason why it is unknown.
    fn used(&mut self) -> TimedEvent;

    /// Waits at most `grace` for the bot to end, and then ends the bot and everything that it started.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent>;
}

pub(super) fn unmeasured(error: &anyhow::Error) -> Failure {
    let why =
        format!("the judge cannot measure what the bot uses, and so cannot enforce its limits: {error:#}");
    Failure { why }
}

pub(super) fn unreadable(error: &io::Error) -> Failure {
    Failure { why: format!("the judge cannot read from the bot: {error}") }
}

impl From<Failure> for TimedEvent {
    fn from(failure: Failure) -> Self {
        Self::now(Event::Failed(failure))
    }
}
