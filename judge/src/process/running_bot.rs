//! The bot that is running: there is one at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;

static BOT: Mutex<Option<Pid>> = Mutex::new(None);

/// The process number of the bot, from its start until it is reaped.
///
/// While this is held no bot is started and no process is reaped.
pub(super) fn lock() -> MutexGuard<'static, Option<Pid>> {
    BOT.lock().unwrap_or_else(PoisonError::into_inner)
}
