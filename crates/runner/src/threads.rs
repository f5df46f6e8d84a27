//! Starts threads. The error names the limit on processes, which also counts threads.

use std::thread::{self, Scope};

use anyhow::Context;

pub(crate) const REFUSED: &str =
    "no thread can be started: the limit on processes, which `ulimit -u` shows, may have been reached";

pub fn start_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> anyhow::Result<()> {
    thread::Builder::new().spawn_scoped(scope, work).context(REFUSED)?;
    Ok(())
}

/// Checks whether a thread can be started now. Call this before a call to a library that panics
/// if it cannot start one.
pub fn can_start() -> bool {
    thread::Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok())
}
