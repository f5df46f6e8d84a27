//! Stops of the judge itself, as by Ctrl-Z or SIGSTOP, after which it went on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use signal_hook::consts::SIGCONT;

/// Set when the judge goes on: no program gets a signal of the stop itself.
static CONTINUED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

static STOPS: AtomicUsize = AtomicUsize::new(0);

/// Notes stops from now on. Once is enough.
///
/// # Errors
///
/// If the system refuses it.
pub fn watch() -> anyhow::Result<()> {
    if CONTINUED.get().is_none() {
        let continued: Arc<AtomicBool> = Arc::default();
        signal_hook::flag::register(SIGCONT, Arc::clone(&continued)).context("cannot listen for SIGCONT")?;
        CONTINUED.get_or_init(|| continued);
    }
    Ok(())
}

/// Notes a stop of another judge process, on which a game may depend.
pub(super) fn note() {
    STOPS.fetch_add(1, Ordering::SeqCst);
}

/// How often the judge was found to have been stopped. Each game compares this with the number at its start.
pub fn count() -> usize {
    if CONTINUED.get().is_some_and(|continued| continued.swap(false, Ordering::SeqCst)) {
        STOPS.fetch_add(1, Ordering::SeqCst);
    }
    STOPS.load(Ordering::SeqCst)
}
