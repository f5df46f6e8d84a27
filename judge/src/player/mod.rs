//! Who plays: bots as processes, and the built-in opponents.

use std::time::{Duration, Instant};

use crate::event::Event;

#[cfg(target_os = "linux")]
mod cpu_account;
mod delay;
#[cfg(target_os = "linux")]
pub(crate) mod kill;
mod lines;
pub(crate) mod listener;
#[cfg_attr(not(target_os = "linux"), path = "no_meter.rs")]
mod meter;
pub(crate) mod opponent;
mod pipes;
pub(crate) mod process;
#[cfg(target_os = "linux")]
pub(crate) mod reaper;
#[cfg(target_os = "linux")]
mod shared_memory;
#[cfg(target_os = "linux")]
mod snapshot;
pub(crate) mod start;
pub(crate) mod streams;
pub(crate) mod tree;
mod watch;

/// Something that has come from a bot or happened to it.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) at: Instant,
    pub(crate) event: Event,
}

impl Heard {
    /// It happens now.
    pub(crate) fn now(event: Event) -> Self {
        Self { at: Instant::now(), event }
    }
}

/// How long to wait for a line, and how much the bot may have used by then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub(crate) wall: Duration,
    pub(crate) idle: Duration,
    pub(crate) cpu: Duration,
    pub(crate) memory: u64,
    pub(crate) processes: u64,
}

/// The far end of a conversation.
pub(crate) trait Bot {
    /// Another game begins; what is used is counted from here.
    fn begin(&mut self);

    /// Sends bytes. It never blocks; a bot that has hung up is found out when its answer is due.
    fn say(&mut self, bytes: &[u8]);

    /// What has come already, without waiting.
    fn overhear(&mut self) -> Vec<Heard>;

    /// Waits until something comes, or a limit is reached: at least one event.
    fn listen(&mut self, patience: &Patience) -> Vec<Heard>;

    /// What it has used so far.
    fn used(&mut self) -> Heard;

    /// Waits for the bot to end, `grace` at most, then ends it and all that it started.
    fn end(&mut self, grace: Duration) -> Vec<Heard>;
}
