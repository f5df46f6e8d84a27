//! Bots as processes: their pipes, what they use, their limits, and their end.

use std::time::{Duration, Instant};

use crate::referee::event::Event;

pub(crate) mod bot_process;
pub(crate) mod cgroup;
#[cfg(target_os = "linux")]
mod cpu_account;
mod delay;
pub(crate) mod interrupt;
#[cfg(target_os = "linux")]
mod judge_processes;
#[cfg(target_os = "linux")]
pub(crate) mod kill;
mod lines;
pub(crate) mod listener;
#[cfg_attr(not(target_os = "linux"), path = "no_meter.rs")]
mod meter;
mod pipes;
#[cfg(target_os = "linux")]
pub(crate) mod reaper;
pub(crate) mod sandbox;
#[cfg(target_os = "linux")]
mod shared_memory;
pub(crate) mod signals;
#[cfg(target_os = "linux")]
mod snapshot;
pub(crate) mod start;
pub(crate) mod stop;
pub(crate) mod streams;
#[cfg(target_os = "linux")]
pub(crate) mod supervisor;
pub(crate) mod threads;
pub(crate) mod tree;
mod watch;

/// Something that has come from a bot or happened to it.
#[derive(Debug)]
pub(crate) struct TimedEvent {
    pub(crate) at: Instant,
    pub(crate) event: Event,
}

impl TimedEvent {
    /// It happens now.
    pub(crate) fn now(event: Event) -> Self {
        Self { at: Instant::now(), event }
    }
}

/// How long to wait for a line, and how much the bot may have used by then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitLimits {
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
    fn send(&mut self, bytes: &[u8]);

    /// What has come already, without waiting.
    fn drain(&mut self) -> Vec<TimedEvent>;

    /// Waits until something comes, or a limit is reached: at least one event.
    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent>;

    /// What it has used so far.
    fn used(&mut self) -> TimedEvent;

    /// Waits for the bot to end, `grace` at most, then ends it and all that it started.
    fn end(&mut self, grace: Duration) -> Vec<TimedEvent>;
}
