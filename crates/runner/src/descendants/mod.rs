//! The descendants of the judge: its bot and all processes that the bot has started.
//!
//! The judge is a subreaper: a process of the bot that has lost its parent becomes a child of the judge. So no process
//! that the bot has started can leave the tree below the judge.

#[cfg(target_os = "linux")]
mod kill;
#[cfg(target_os = "linux")]
pub(super) mod reaper;
#[cfg(target_os = "linux")]
pub(super) mod tree;

#[cfg(target_os = "linux")]
pub use kill::{end_all, stop_all};
#[cfg(target_os = "linux")]
pub use tree::{become_subreaper, is_stopped};
#[cfg(not(target_os = "linux"))]
pub use unsupported::{become_subreaper, end_all};

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::cgroup;
use crate::interrupt::ExitHooks;
use crate::judge_processes::continue_supervisor;

static BOT: Mutex<Option<Pid>> = Mutex::new(None);

/// Locks and returns the process number of the bot, which is set from the bot's start until it is reaped.
///
/// While the lock is held, no bot is started and no process is reaped.
pub(crate) fn lock_bot() -> MutexGuard<'static, Option<Pid>> {
    BOT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exit hooks of a program that starts bots. The hooks end these bots.
pub const EXIT_HOOKS: ExitHooks = ExitHooks { end_children, prepare_exit };

fn end_children() {
    let bot = lock_bot();
    if let Some(bot) = *bot {
        let _ = kill_process_group(bot, Signal::KILL);
    }
    // Keep the lock: no other bot is started before this process ends, and the bot keeps its process number.
    std::mem::forget(bot);
    end_all();
    cgroup::end_all();
}

/// Lets the supervisor handle the end of this process, even if a bot has stopped the supervisor.
fn prepare_exit() {
    continue_supervisor();
}

/// On systems other than Linux, only the bot's own process group is known.
#[cfg(not(target_os = "linux"))]
mod unsupported {
    use std::sync::Once;

    /// Prints once what the judge cannot do on this system.
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub fn become_subreaper() -> anyhow::Result<()> {
        static NOTE: Once = Once::new();
        NOTE.call_once(|| {
            eprintln!(
                "judge: note: on this system CPU time and memory are known only at the end of a game, an \
                 idle bot is not distinguished from a slow one, and only the bot's own process group is ended"
            );
        });
        Ok(())
    }

    /// Ends no process, because none is known. Returns `true`.
    pub fn end_all() -> bool {
        true
    }
}
