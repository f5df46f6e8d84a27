//! Interrupts: Ctrl-C and requests to terminate. A program must end its child processes before it exits.
//!
//! The other signal settings that a program inherits from its caller are reset: they must affect neither the results of the
//! program nor the programs that it starts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use anyhow::Context;
use signal_hook::consts::{
    SIGCHLD, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGKILL, SIGPIPE, SIGQUIT, SIGSEGV, SIGSTOP, SIGTERM, SIGTSTP,
    SIGTTIN, SIGTTOU, SIGXFSZ,
};
use signal_hook::iterator::Signals;

use crate::{proc, threads};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Set while the program checks for interrupts itself. Then the first one is only recorded.
static RECORDS_FIRST: AtomicBool = AtomicBool::new(false);

pub const EXIT_CODE: u8 = 130;

/// Starts to handle interrupts. The first interrupt is recorded, so that a game ends with a verdict. The second
/// interrupt immediately ends this program and all programs that it has started.
///
/// The first interrupt also ends all of them if neither [`record_first`] nor [`interrupted`] has been called yet, or
/// while this program waits to open a named pipe. This is called once.
pub fn watch() -> anyhow::Result<()> {
    let wanted = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|&signal| !was_ignored(signal));
    let mut signals = Signals::new(wanted).context("cannot listen for Ctrl-C")?;
    let record = move || {
        for _ in signals.forever() {
            let is_second = INTERRUPTED.swap(true, Ordering::SeqCst);
            if is_second || !RECORDS_FIRST.load(Ordering::SeqCst) {
                end_at_once();
            }
        }
    };
    thread::Builder::new().spawn(record).context(threads::REFUSED)?;
    Ok(())
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
    let records_first = RECORDS_FIRST.swap(false, Ordering::SeqCst);
    if INTERRUPTED.load(Ordering::SeqCst) {
        end_at_once();
    }
    let result = work();
    RECORDS_FIRST.fetch_or(records_first, Ordering::SeqCst);
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

/// The signals that were ignored when the program started: bit s-1 represents signal s.
static IGNORED: OnceLock<u64> = OnceLock::new();

/// Signals that keep their disposition. The first five cannot or must not be changed. The standard library sets
/// SIGPIPE for every child. The last three are for job control.
const KEPT: [i32; 9] = [SIGKILL, SIGSTOP, SIGILL, SIGFPE, SIGSEGV, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU];

/// Records which signals are ignored, and resets the settings of signals: catches SIGCHLD and SIGXFSZ, and on Linux unblocks
/// all signals. If SIGCHLD were ignored, the system would discard the exit status of a bot. An uncaught SIGXFSZ would end
/// the program when a file exceeds the limit on file sizes; if it is caught, the write fails, as on a full disk.
///
/// Each other signal that was ignored, except `KEPT`, gets a handler that does nothing. This program then still ignores
/// the signal, but the programs that it starts get the default disposition.
pub fn reset_signals() -> anyhow::Result<()> {
    IGNORED.get_or_init(ignored);
    catch(SIGCHLD)?;
    // If SIGXFSZ cannot be caught, a file that is too large ends the program.
    let _ = catch(SIGXFSZ);
    (1..32).filter(|signal| was_ignored(*signal) && !KEPT.contains(signal)).try_for_each(catch)?;
    #[cfg(target_os = "linux")]
    nix::sys::signal::SigSet::all().thread_unblock().context("signals cannot be unblocked")?;
    Ok(())
}

fn catch(signal: i32) -> anyhow::Result<()> {
    signal_hook::flag::register(signal, Arc::default())
        .with_context(|| format!("signal {signal} cannot be caught"))?;
    Ok(())
}

/// Checks whether a signal was already ignored when the program started, for example because of nohup(1) or a shell's
/// `trap '' INT`. Returns false on systems other than Linux, and before [`reset_signals`] is called.
fn was_ignored(signal: i32) -> bool {
    IGNORED.get().is_some_and(|ignored| ignored >> (signal - 1) & 1 == 1)
}

fn ignored() -> u64 {
    let status = proc::read("/proc/self/status").ok().flatten().unwrap_or_default();
    proc::value(&status, "SigIgn:").and_then(|bits| u64::from_str_radix(bits, 16).ok()).unwrap_or(0)
}
