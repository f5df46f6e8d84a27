//! The processes of a bot, as a game measures and ends them.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::event::{Exit, Usage};

/// What the processes of a bot have used by their end.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct EndUsage {
    /// What was seen last.
    pub(super) seen: Usage,
    /// What the system has counted.
    pub(super) total: Usage,
}

/// The first process of a bot, and all that it has started.
pub(super) trait BotTree {
    /// Readable once the first process has ended, if the system has such a descriptor.
    fn exit_fd(&self) -> Option<&OwnedFd>;

    /// How the first process has ended; `None` if it has not. It is not reaped, so it keeps its number.
    fn exit(&mut self) -> io::Result<Option<Exit>>;

    /// Whether they have a control group.
    fn has_group(&self) -> bool;

    /// What the control group has used; `None` if a snapshot is needed instead.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn used_by_group(&mut self) -> anyhow::Result<Option<Usage>>;

    /// Takes a snapshot of all processes, which may take longer if it is to be complete.
    ///
    /// # Errors
    ///
    /// If what they use cannot be read.
    fn take_snapshot(&mut self, is_complete: bool) -> anyhow::Result<ProcSnapshot>;

    /// Completes a snapshot by what each thread does, which takes longer.
    ///
    /// # Errors
    ///
    /// If the processes cannot be read.
    fn look_at_threads(&mut self, snapshot: ProcSnapshot) -> anyhow::Result<ProcSnapshot>;

    /// Ends and reaps all of them.
    fn end(&mut self) -> EndUsage;

    /// The CPU time that another process has used so far to do all this for the judge.
    fn cpu_elsewhere(&self) -> Duration;
}

/// A view of all processes of a bot at one moment; without knowledge of them, the default.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ProcSnapshot {
    pub(crate) used: Usage,
    /// Whether all of them sleep or are stopped.
    pub(crate) sleeping: bool,
    /// Whether one of them is stopped by a signal.
    pub(crate) stopped: bool,
    /// The function of the kernel in which one of them sleeps, the one that says most.
    pub(crate) channel: Option<String>,
}
