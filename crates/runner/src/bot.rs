//! A bot as the referee sees it: something that is sent lines and that lines come from.

use std::io;
use std::time::{Duration, Instant};

use crate::event::{Event, Failure};

/// How often a wait for a bot checks for more than its streams: for an interrupt, for what the bot uses, and for its
/// end if no descriptor shows that.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An event and the time at which it happened.
#[derive(Debug)]
pub struct TimedEvent {
    pub at: Instant,
    pub event: Event,
}

impl TimedEvent {
    /// An event that happens now.
    pub fn now(event: Event) -> Self {
        Self { at: Instant::now(), event }
    }
}

/// How long to wait for a line, and how much the bot may have used by then.
#[derive(Clone, Copy, Debug)]
pub struct WaitLimits {
    pub wall: Duration,
    pub idle: Duration,
    pub cpu: Duration,
    pub memory: u64,
    pub processes: u64,
}

/// The far end of a conversation.
pub trait Bot {
    /// Begins another game: what is used is counted from here.
    fn begin_game(&mut self);

    /// Sends bytes. It never blocks. If the bot has closed its stdin, that is noticed when its answer is due.
    fn send(&mut self, bytes: &[u8]);

    /// Takes the events that are there already, without waiting.
    fn drain(&mut self) -> Vec<TimedEvent>;

    /// Waits for at least one event: something that the bot does, or a limit that it reaches.
    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent>;

    /// What the bot has used so far.
    fn used(&mut self) -> TimedEvent;

    /// Waits for the bot to end, `grace` at most, then ends it and everything that it started.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent>;
}

/// Why a game cannot be played or continued.
pub(super) const UNMEASURED: &str =
    "the judge cannot see what the bot uses, and so cannot hold it to its limits";

/// The event of a bot whose processes cannot be read.
pub(super) fn unmeasured(error: &anyhow::Error) -> TimedEvent {
    failed(format!("{UNMEASURED}: {error:#}"))
}

/// The event of a bot whose streams cannot be read.
pub(super) fn unreadable(error: &io::Error) -> TimedEvent {
    failed(format!("the judge cannot read from the bot: {error}"))
}

fn failed(why: String) -> TimedEvent {
    TimedEvent::now(Event::Failed(Failure { why }))
}
