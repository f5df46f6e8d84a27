//! The start of threads, which a limit on processes counts as well.

use std::thread::{self, Scope};

use anyhow::Context;

const REFUSED: &str =
    "no thread can be started: the limit on processes, which `ulimit -u` shows, may have been reached";

/// Starts a detached thread.
///
/// # Errors
///
/// If the system refuses it.
pub fn start(work: impl FnOnce() + Send + 'static) -> anyhow::Result<()> {
    thread::Builder::new().spawn(work).context(REFUSED)?;
    Ok(())
}

/// Starts a thread that ends before the scope does.
///
/// # Errors
///
/// As [`start`].
pub fn start_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> anyhow::Result<()> {
    thread::Builder::new().spawn_scoped(scope, work).context(REFUSED)?;
    Ok(())
}

/// Whether a thread can be started at this moment. Some libraries do not report if they cannot start one.
pub(crate) fn can_start() -> bool {
    thread::Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok())
}
