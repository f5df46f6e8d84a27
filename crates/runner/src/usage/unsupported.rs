//! The meter on systems other than Linux, which report nothing about a running process.

use std::time::Duration;

use crate::warden::Snapshot;

/// A meter that measures nothing.
#[derive(Debug)]
pub(crate) struct Meter;

#[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "more is known on Linux")]
impl Meter {
    pub(crate) fn new(_reaped: Duration) -> Self {
        Self
    }

    pub(crate) fn peak(&self) -> Option<u64> {
        None
    }

    pub(crate) fn take_snapshot(
        &mut self,
        _is_complete: bool,
        _reaped: impl Fn() -> Duration,
    ) -> anyhow::Result<Snapshot> {
        Ok(Snapshot::default())
    }

    pub(crate) fn look_at_threads(&self, _snapshot: &mut Snapshot) {}
}
