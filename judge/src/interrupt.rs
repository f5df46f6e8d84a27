//! Ctrl-C: the bot runs in a process group of its own, so the judge must live to end it.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C and a request to terminate are noted instead of ending the judge at once.
pub(crate) fn watch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed)).context("cannot listen for Ctrl-C")
}

/// Whether one has come.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
