//! Other systems than Linux tell nothing of a process that runs.

use crate::process::cgroup::ControlGroup;
use crate::referee::event::Usage;
use crate::referee::limits::Limits;

use super::tree::Look;

/// Measures nothing.
#[derive(Debug)]
pub(super) struct Meter;

impl Meter {
    pub(super) fn new(_group: Option<ControlGroup>, _limits: Limits) -> Self {
        Self
    }

    pub(super) fn group(&self) -> Option<&ControlGroup> {
        None
    }

    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub(super) fn look(&mut self, _thoroughly: bool) -> anyhow::Result<Option<Look>> {
        Ok(None)
    }

    /// What the system tells once the bot has ended: this much is its own, and nothing else is known.
    #[expect(clippy::unused_self, reason = "more is known on Linux")]
    pub(super) fn end(&self, bot: Usage) -> Usage {
        bot
    }
}
