//! Ctrl-C: the bot runs in a process group of its own, so the judge must live to end it.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::player::tree;

static WATCHED: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// The bot that is running, 0 if none is.
static BOT: AtomicI32 = AtomicI32::new(0);

/// The exit code of a program ended by Ctrl-C.
const EXIT_CODE: i32 = 130;

/// From now on the first Ctrl-C or request to terminate is noted, so that the game ends with a verdict. A
/// second one ends the bot and the judge at once, whatever they are doing. Once is enough.
pub(crate) fn watch() -> anyhow::Result<()> {
    if WATCHED.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    let ignored = ignored();
    let wanted =
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted).context("cannot listen for Ctrl-C")?;
    thread::spawn(move || {
        for _ in signals.forever() {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                if let Some(bot) = Pid::from_raw(BOT.load(Ordering::SeqCst)) {
                    let _ = kill_process_group(bot, Signal::KILL);
                }
                tree::kill_all();
                std::process::exit(EXIT_CODE);
            }
        }
    });
    Ok(())
}

/// As if one had come.
pub(crate) fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// The signals that are to be ignored since before the judge began, as nohup(1) and a shell's `trap '' INT`
/// ask for: bit s-1 is signal s.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = procfs::process::Process::myself().and_then(|judge| judge.status());
    status.map_or(0, |status| status.sigign)
}

#[cfg(not(target_os = "linux"))]
fn ignored() -> u64 {
    0
}

/// Whether one has come.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Ends the judge if one has come.
pub(crate) fn end_if_interrupted() {
    if interrupted() {
        std::process::exit(EXIT_CODE);
    }
}

/// The bot to end with the judge.
pub(crate) fn remember(bot: Pid) {
    BOT.store(bot.as_raw_nonzero().get(), Ordering::SeqCst);
}

/// No bot is running any more.
pub(crate) fn forget() {
    BOT.store(0, Ordering::SeqCst);
}
