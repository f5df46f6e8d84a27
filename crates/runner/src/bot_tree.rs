//! The interface by which a game measures and ends the processes of a bot.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::event::{Exit, Usage};

/// The usage of a bot's processes at their end.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct EndUsage {
    /// The usage in the last measurement before the end.
    pub(super) seen: Usage,
    /// The usage that the system has counted.
    pub(super) total: Usage,
}

/// The first process of a bot and all processes that it has started.
pub(super) trait BotTree {
    /// Returns a descriptor that becomes readable once the first process has ended, if the system has one.
    fn exit_fd(&self) -> Option<&OwnedFd>;

    /// Returns how the first process ended, or `None` if it still runs. Does not reap the process, so its number stays
    /// reserved.
    fn exit(&mut self) -> io::Result<Option<Exit>>;

    /// Checks whether the processes have a control group.
    fn has_group(&self) -> bool;

    /// Returns the usage of the control group; `None` if a snapshot is needed instead.
    ///
    /// # Errors
    ///
    /// If the usage cannot be read.
    fn used_by_group(&mut self) -> anyhow::Result<Option<Usage>>;

    /// Takes a snapshot of all processes. A complete snapshot always has the sum of their memory, which may take longer
    /// to compute.
    ///
    /// # Errors
    ///
    /// If the usage of the processes cannot be read.
    fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<ProcSnapshot>;

    /// Adds the state of each thread to a snapshot, which takes longer.
    ///
    /// # Errors
    ///
    /// If the processes cannot be read.
    fn look_at_threads(&mut self, snapshot: ProcSnapshot) -> anyhow::Result<ProcSnapshot>;

    /// Ends and reaps all processes.
    fn end(&mut self) -> EndUsage;

    /// Returns the CPU time that the bot's host has used so far to answer the judge; zero without a host.
    fn host_cpu(&self) -> Duration;
}

/// The state of all processes of a bot at one moment. The default means that nothing is known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ProcSnapshot {
    pub(crate) used: Usage,
    /// Whether all processes sleep or are stopped.
    pub(crate) sleeping: bool,
    /// Whether a signal has stopped one of the processes.
    pub(crate) stopped: bool,
    /// The kernel function in which a thread sleeps, if it is known. For several threads: the most informative one.
    pub(crate) channel: Option<String>,
}
