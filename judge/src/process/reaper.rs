//! Reaps the orphans of a bot, which are the judge's children, as soon as they have ended: else a bot could
//! fill the system's table of processes with them.
//!
//! The bot itself is left alone: until its game is over it keeps its process number. A thread of the bot that
//! has made the judge its tracer is reaped like an orphan; until then the system would not tell that the bot
//! has ended.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::Context;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use signal_hook::consts::SIGCHLD;
use signal_hook::iterator::Signals;

use super::tree;
use crate::process::threads;

/// The bot that is running.
static BOT: Mutex<Option<Pid>> = Mutex::new(None);

/// Nothing is reaped, and no bot is started, while this is held.
pub(crate) fn hold() -> MutexGuard<'static, Option<Pid>> {
    BOT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a bot; its orphans are reaped from now on.
///
/// # Errors
///
/// If it cannot be started, or the system refuses the thread that reaps.
pub(super) fn spawn(command: &mut Command) -> anyhow::Result<io::Result<Child>> {
    static STARTED: OnceLock<()> = OnceLock::new();
    if STARTED.get().is_none() {
        let mut signals = Signals::new([SIGCHLD]).context("the judge cannot be told of orphans")?;
        let reap = move || signals.forever().for_each(|_| reap());
        threads::start(reap)?;
        STARTED.get_or_init(|| ());
    }
    let mut bot = hold();
    let child = command.spawn();
    *bot = child.as_ref().ok().map(Pid::from_child);
    Ok(child)
}

/// The bot is reaped, and nothing of it is left.
pub(super) fn forget() {
    *hold() = None;
}

/// The CPU time of all that the judge has reaped, and of all that these had waited for: to the microsecond,
/// unlike what /proc tells.
pub(super) fn reaped_cpu() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    let time = |time: nix::sys::time::TimeVal| {
        Duration::from_secs(time.tv_sec().unsigned_abs())
            + Duration::from_micros(time.tv_usec().unsigned_abs())
    };
    usage.map_or(Duration::ZERO, |usage| time(usage.user_time()) + time(usage.system_time()))
}

/// Reaps all children that have ended but the bot, while there is one.
fn reap() {
    let held = hold();
    let Some(bot) = *held else { return };
    let reap = |process| {
        let _ = waitid(WaitId::Pid(process), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    };
    let peek = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    loop {
        match nix::sys::wait::waitid(Id::All, peek).map(|status| (status, status.pid())) {
            Ok((_, Some(ended))) if ended.as_raw() != bot.as_raw_pid() => {
                Pid::from_raw(ended.as_raw()).into_iter().for_each(reap);
            }
            Ok((WaitStatus::StillAlive, _)) | Err(nix::Error::ECHILD) => return,
            // The bot comes before the others, and of a signal without a name the call tells nothing.
            _ => break,
        }
    }
    let others = tree::own_children().into_iter().flatten().filter_map(Pid::from_raw);
    others.filter(|&child| child != bot).for_each(reap);
}
