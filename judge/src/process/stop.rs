//! Whether the judge itself was stopped, as by Ctrl-Z or SIGSTOP, and went on later.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use signal_hook::consts::SIGCONT;

/// Set when the judge goes on: of the stop itself no program is told.
static CONTINUED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on it is noted. Once is enough.
///
/// # Errors
///
/// If the system does not tell it.
pub(crate) fn watch() -> anyhow::Result<()> {
    if CONTINUED.get().is_none() {
        let continued = CONTINUED.get_or_init(Arc::default);
        signal_hook::flag::register(SIGCONT, Arc::clone(continued)).context("cannot listen for SIGCONT")?;
    }
    Ok(())
}

/// Whether it was since this was last asked.
pub(crate) fn was_stopped() -> bool {
    CONTINUED.get().is_some_and(|continued| continued.swap(false, Ordering::SeqCst))
}
