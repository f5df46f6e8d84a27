//! Ctrl-C: the bot runs in a process group of its own, so the judge must live to end it.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process_group};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// The bot that is running, 0 if none is.
static BOT: AtomicI32 = AtomicI32::new(0);

/// The exit code of a program ended by Ctrl-C.
const EXIT_CODE: i32 = 130;

/// From now on the first Ctrl-C or request to terminate is noted, so that the game ends with a verdict. A second one
/// ends the bot and the judge at once, whatever they are doing.
pub(crate) fn watch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            if let Some(bot) = Pid::from_raw(BOT.load(Ordering::SeqCst)) {
                let _ = kill_process_group(bot, Signal::KILL);
            }
            std::process::exit(EXIT_CODE);
        }
    })
    .context("cannot listen for Ctrl-C")
}

/// Whether one has come.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// The bot to end with the judge.
pub(crate) fn remember(bot: Pid) {
    BOT.store(bot.as_raw_nonzero().get(), Ordering::SeqCst);
}

/// No bot is running any more.
pub(crate) fn forget() {
    BOT.store(0, Ordering::SeqCst);
}
