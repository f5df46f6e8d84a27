//! Requests to save what has been done and to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};

use super::signals::was_ignored;

/// Whether TERM, INT or USR1 has come since it was made: then the caller saves its work and ends. It does not end by
/// itself.
#[derive(Clone)]
pub struct SaveRequest(Arc<AtomicBool>);

impl SaveRequest {
    /// One that never comes: the signals end the process.
    pub fn never() -> Self {
        Self(Arc::default())
    }

    /// Listens from now on.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub fn listen() -> anyhow::Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGUSR1].into_iter().filter(|&signal| !was_ignored(signal)) {
            signal_hook::flag::register(signal, Arc::clone(&came))
                .with_context(|| format!("signal {signal} cannot be caught"))?;
        }
        Ok(Self(came))
    }

    /// Whether one has come.
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
