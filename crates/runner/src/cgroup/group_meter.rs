//! What reads the usage of a control group, also in another process than the one that has made the group.

use std::os::fd::{BorrowedFd, OwnedFd};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::folder::Version;
use super::usage::{GroupUsage, UsageFiles};
use crate::event::Usage;
use crate::limits::Limits;

/// What reads what the processes of a group have used.
#[derive(Debug)]
pub(crate) struct GroupMeter {
    files: UsageFiles,
    /// What bots before this one have used.
    earlier: GroupUsage,
}

/// What another process must know beside the files.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct GroupMeterState {
    version: Version,
    earlier: GroupUsage,
}

impl GroupMeter {
    pub(super) fn new(files: UsageFiles) -> Self {
        Self { files, earlier: GroupUsage::default() }
    }

    /// The meter of the next bot in the same group; `None` if the group cannot be read.
    pub(super) fn reset(self) -> Option<Self> {
        let earlier = self.files.read().ok()?;
        Some(Self { earlier, ..self })
    }

    /// What the kernel has counted. What it has refused counts as one page, or one process, beyond the limit.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn used(&self, limits: &Limits) -> anyhow::Result<Usage> {
        let used = self.files.read().context("the bot's control group cannot be read")?.since(self.earlier);
        let refused = limits.memory.saturating_add(procfs::page_size());
        let memory = if used.memory_refused > 0 { used.memory.max(refused) } else { used.memory };
        let processes = (used.processes_refused > 0).then_some(limits.processes.saturating_add(1));
        Ok(Usage { cpu: Some(used.cpu), memory: Some(memory), processes })
    }

    /// What makes this meter in another process.
    pub(crate) fn parts(&self) -> (GroupMeterState, Vec<BorrowedFd<'_>>) {
        let (version, fds) = self.files.parts();
        (GroupMeterState { version, earlier: self.earlier }, fds)
    }

    /// The meter of another process; `None` without all of its files.
    pub(crate) fn from_parts(state: GroupMeterState, fds: impl Iterator<Item = OwnedFd>) -> Option<Self> {
        Some(Self { files: UsageFiles::from_parts(state.version, fds)?, earlier: state.earlier })
    }
}
