//! Interrupts: Ctrl-C and requests to terminate. A program must end its child processes before it exits.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::signals::{self, was_ignored};
use crate::threads;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set once the program checks for interrupts itself. Then the first one is only recorded.
static RECORDS_FIRST: AtomicBool = AtomicBool::new(false);

/// Set while this program waits for another program, for example to open a named pipe.
static WAITING: AtomicBool = AtomicBool::new(false);

pub const EXIT_CODE: u8 = 130;

/// Starts to handle interrupts. The first interrupt is recorded, so that a game ends with a verdict. The second
/// interrupt immediately ends this program and all programs that it has started.
///
/// The first interrupt also ends all of them if neither [`record_first`] nor [`interrupted`] has been called yet, or
/// while this program waits to open a named pipe. This is called once.
pub fn watch() -> anyhow::Result<()> {
    signals::unignore_for_children()?;
    let wanted = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|&signal| !was_ignored(signal));
    let mut signals = Signals::new(wanted).context("cannot listen for Ctrl-C")?;
    threads::start(move || {
        for _ in signals.forever() {
            let is_second = INTERRUPTED.swap(true, Ordering::SeqCst);
            if is_second || !RECORDS_FIRST.load(Ordering::SeqCst) || WAITING.load(Ordering::SeqCst) {
                end_at_once();
            }
        }
    })
}

/// Immediately ends this program. Only then do the wardens end, and the programs that they have started: no thread of this
/// program sees it.
fn end_at_once() -> ! {
    std::process::exit(EXIT_CODE.into());
}

/// Records an interrupt as if a signal had come.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Runs `work`, which may wait for another program, for example when it opens a named pipe. An interrupt during `work`,
/// or an interrupt that is already recorded, ends this program at once.
pub fn run_interruptibly<T>(work: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    if INTERRUPTED.load(Ordering::SeqCst) {
        end_at_once();
    }
    let result = work();
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// From now on, the first interrupt does not end the program, but is recorded for [`interrupted`].
pub fn record_first() {
    RECORDS_FIRST.store(true, Ordering::SeqCst);
}

/// Checks whether an interrupt has come. From now on the first interrupt is only recorded, as after [`record_first`].
pub fn interrupted() -> bool {
    record_first();
    INTERRUPTED.load(Ordering::SeqCst)
}
