//! A thread that reaps the orphans of a bot, which are the judge's children, as soon as they have ended. Without this
//! thread a bot could fill the system's table of processes.
//!
//! The reaper does not reap the bot itself, so that the bot keeps its process number until its game is over. If a
//! thread of the bot has made the judge its tracer, the reaper reaps this thread like an orphan. Before that, the
//! system does not report the end of the bot.

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use signal_hook::consts::SIGCHLD;
use signal_hook::iterator::Signals;

use super::tree;
use crate::descendants;
use crate::threads;

/// Starts the thread. Later calls do nothing.
///
/// # Errors
///
/// If the system refuses a thread or a signal handler.
pub(crate) fn start() -> anyhow::Result<()> {
    static STARTED: OnceLock<()> = OnceLock::new();
    if STARTED.get().is_none() {
        let mut signals =
            Signals::new([SIGCHLD]).context("the judge cannot listen for the end of orphans (SIGCHLD)")?;
        threads::start(move || signals.forever().for_each(|_| reap()))?;
        STARTED.get_or_init(|| ());
    }
    Ok(())
}

/// Returns the CPU time of all processes that the judge has reaped, and of those that these processes had waited for.
/// The time is exact to the microsecond, unlike the times in `/proc`.
pub(crate) fn reaped_cpu() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    let time = |time: TimeVal| {
        Duration::from_secs(time.tv_sec().unsigned_abs())
            + Duration::from_micros(time.tv_usec().unsigned_abs())
    };
    usage.map_or(Duration::ZERO, |usage| time(usage.user_time()) + time(usage.system_time()))
}

/// Reaps all children that have ended, except the bot. Does nothing if no bot runs.
fn reap() {
    let running = descendants::lock_bot();
    let Some(bot) = *running else { return };
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
            // The ended bot hides other children, or the call failed because a child died of a signal without a name.
            _ => break,
        }
    }
    let others = tree::own_children().into_iter().flatten().filter_map(Pid::from_raw);
    others.filter(|&child| child != bot).for_each(reap);
}
