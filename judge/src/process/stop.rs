//! Stops of the judge itself, as by Ctrl-Z or SIGSTOP, after which it went on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use signal_hook::consts::SIGCONT;

/// Set when the judge goes on: no program gets a signal of the stop itself.
static CONTINUED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Notes stops from now on. Once is enough.
///
/// # Errors
///
/// If the system refuses it.
pub(crate) fn watch() -> anyhow::Result<()> {
    if CONTINUED.get().is_none() {
        let continued: Arc<AtomicBool> = Arc::default();
        signal_hook::flag::register(SIGCONT, Arc::clone(&continued)).context("cannot listen for SIGCONT")?;
        CONTINUED.get_or_init(|| continued);
    }
    Ok(())
}

/// Whether the judge was stopped since this was last asked.
pub(crate) fn was_stopped() -> bool {
    CONTINUED.get().is_some_and(|continued| continued.swap(false, Ordering::SeqCst))
}
