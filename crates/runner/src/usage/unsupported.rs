//! The meter on systems other than Linux, which report nothing about a running process.

use crate::bot_tree::ProcSnapshot;
use crate::cgroup::ControlGroup;
use crate::event::Usage;
use crate::limits::Limits;

/// A meter that measures nothing.
#[derive(Debug)]
pub(crate) struct Meter;

#[expect(clippy::unused_self, reason = "more is known on Linux")]
impl Meter {
    pub(crate) fn new(_group: Option<ControlGroup>, _limits: Limits) -> Self {
        Self
    }

    pub(crate) fn group(&self) -> Option<&ControlGroup> {
        None
    }

    pub(crate) fn has_left(&self) -> bool {
        false
    }

    pub(crate) fn take_group(&mut self) -> Option<ControlGroup> {
        None
    }

    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub(crate) fn used_by_group(&self) -> anyhow::Result<Option<Usage>> {
        Ok(None)
    }

    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub(crate) fn take_snapshot(&mut self, _is_complete: bool) -> anyhow::Result<ProcSnapshot> {
        Ok(ProcSnapshot::default())
    }

    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub(crate) fn look_at_threads(&self, _snapshot: &mut ProcSnapshot) -> anyhow::Result<()> {
        Ok(())
    }

    /// Returns the usage of the bot's own process: nothing else is known.
    pub(crate) fn end(&self, bot: impl FnOnce() -> Usage) -> Usage {
        bot()
    }
}
