//! The bot that is running: there is one at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use common::interrupt::ExitHooks;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::{cgroup, descendants};

static BOT: Mutex<Option<Pid>> = Mutex::new(None);

/// The process number of the bot, from its start until it is reaped.
///
/// While this is held no bot is started and no process is reaped.
pub(crate) fn lock() -> MutexGuard<'static, Option<Pid>> {
    BOT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a program that starts bots does before it exits: it ends them.
pub const EXIT_HOOKS: ExitHooks = ExitHooks { end_children: end_all, prepare_exit };

fn end_all() {
    let bot = lock();
    if let Some(bot) = *bot {
        let _ = kill_process_group(bot, Signal::KILL);
    }
    // No other bot is started until this process has ended, and the number of this one stays its own.
    std::mem::forget(bot);
    descendants::end_all();
    cgroup::end_all();
}

/// Lets the supervisor handle the end of this process, also if a bot has stopped it.
fn prepare_exit() {
    #[cfg(target_os = "linux")]
    crate::judge_processes::continue_supervisor();
}
