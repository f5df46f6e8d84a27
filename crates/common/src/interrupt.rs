//! Ctrl-C and requests to terminate. A program that has started others must live to end them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::signals::{self, was_ignored};
use crate::threads;

static WATCHED: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set once the judge checks for interrupts itself: then the first one is only noted.
static HEEDED: AtomicBool = AtomicBool::new(false);

/// Set while the judge waits for another program.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Held from the moment at which the judge begins to end at once.
static ENDING: Mutex<()> = Mutex::new(());

/// The exit code of a program ended by Ctrl-C.
pub const EXIT_CODE: u8 = 130;

/// What a program that starts others does before it exits.
#[derive(Clone, Copy, Debug)]
pub struct ExitHooks {
    /// Ends all programs that were started, and lets no other one start.
    pub end_children: fn(),
    /// The last step before the exit.
    pub prepare_exit: fn(),
}

static HOOKS: OnceLock<ExitHooks> = OnceLock::new();

/// Sets what is done before this program exits. The first call counts.
pub fn set_exit_hooks(hooks: ExitHooks) {
    HOOKS.get_or_init(|| hooks);
}

/// Notes the first Ctrl-C or request to terminate from now on, so that the game ends with a verdict. A second one ends
/// the bot and the judge at once, whatever they are doing, as does the first one before a bot is started or anything
/// calls [`interrupted`]: while the judge opens and reads its input. Later calls do nothing.
///
/// # Errors
///
/// If the system refuses to catch a signal, or a thread.
pub fn watch() -> anyhow::Result<()> {
    if WATCHED.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    signals::drop_ignored()?;
    let wanted = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|&signal| !was_ignored(signal));
    let mut signals = Signals::new(wanted).context("cannot listen for Ctrl-C")?;
    let listen = move || {
        for _ in signals.forever() {
            let is_second = INTERRUPTED.swap(true, Ordering::SeqCst);
            if is_second || !HEEDED.load(Ordering::SeqCst) || WAITING.load(Ordering::SeqCst) {
                end_at_once();
            }
        }
    };
    threads::start(listen)
}

/// Ends the bot and the judge, whatever they are doing.
pub fn end_at_once() -> ! {
    let _ending = lock();
    if let Some(hooks) = HOOKS.get() {
        (hooks.end_children)();
    }
    exit();
}

fn exit() -> ! {
    prepare_exit();
    std::process::exit(EXIT_CODE.into());
}

/// Does the last step before the exit. By now no program that was started is left.
pub fn prepare_exit() {
    if let Some(hooks) = HOOKS.get() {
        (hooks.prepare_exit)();
    }
}

/// Returns unless the judge is being ended at once: then that decides how it ends, and this waits.
pub fn await_end() {
    drop(lock());
}

fn lock() -> MutexGuard<'static, ()> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes an interrupt as if a signal had come.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Runs `work`, which may wait for another program, as opening a named pipe does. An interrupt meanwhile ends the
/// judge at once.
pub(crate) fn wait<T>(work: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    if INTERRUPTED.load(Ordering::SeqCst) {
        end_at_once();
    }
    let result = work();
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// From now on the first interrupt no longer ends the judge at once, but is noted for [`interrupted`].
pub fn heed() {
    HEEDED.store(true, Ordering::SeqCst);
}

/// Whether an interrupt has come.
pub fn interrupted() -> bool {
    heed();
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Ends the judge if an interrupt has come.
pub fn end_if_interrupted() {
    if interrupted() {
        exit();
    }
}
