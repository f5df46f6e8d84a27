//! One test at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Kept by a test while no other test of its binary may run alone.
pub type Alone = MutexGuard<'static, ()>;

/// Waits until no other test of this binary runs alone.
pub fn alone() -> Alone {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
