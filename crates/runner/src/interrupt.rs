//! Interrupts: Ctrl-C and requests to terminate. A program must end its child processes before it exits.
//!
//! The other signal settings that a program inherits from its caller are reset: they must affect neither the results of the
//! program nor the programs that it starts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use anyhow::Context;
use signal_hook::consts::{
    FORBIDDEN, SIGCHLD, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ,
};
use signal_hook::flag;

use crate::proc;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the first interrupt ends the program, because the program does not check for interrupts.
static ENDS_AT_ONCE: AtomicBool = AtomicBool::new(true);

pub const EXIT_CODE: u8 = 130;

/// Starts to handle interrupts. The first interrupt is recorded, so that a game ends with a verdict. The second
/// interrupt immediately ends this program. Then the wardens end, and the programs that they have started.
///
/// The first interrupt also ends all of them if neither [`record_first`] nor [`interrupted`] has been called yet, or
/// while this program waits to open a named pipe. This is called once.
pub fn watch() -> anyhow::Result<()> {
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|&signal| !was_ignored(signal)) {
        flag::register_conditional_shutdown(signal, EXIT_CODE.into(), &INTERRUPTED)
            .and_then(|_| flag::register_conditional_shutdown(signal, EXIT_CODE.into(), &ENDS_AT_ONCE))
            .and_then(|_| flag::register(signal, &INTERRUPTED))
            .context("cannot listen for Ctrl-C")?;
    }
    Ok(())
}

/// Records an interrupt as if a signal had come.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Runs `work`, which may wait for another program, for example when it opens a named pipe. An interrupt during `work`,
/// or an interrupt that is already recorded, ends this program at once.
pub fn run_interruptibly<T>(work: impl FnOnce() -> T) -> T {
    let ends_at_once = ENDS_AT_ONCE.swap(true, Ordering::SeqCst);
    if INTERRUPTED.load(Ordering::SeqCst) {
        std::process::exit(EXIT_CODE.into());
    }
    let result = work();
    ENDS_AT_ONCE.fetch_and(ends_at_once, Ordering::SeqCst);
    result
}

/// From now on, the first interrupt does not end the program, but is recorded for [`interrupted`].
pub fn record_first() {
    ENDS_AT_ONCE.store(false, Ordering::SeqCst);
}

/// Checks whether an interrupt has come. From now on the first interrupt is only recorded, as after [`record_first`].
pub fn interrupted() -> bool {
    record_first();
    INTERRUPTED.load(Ordering::SeqCst)
}

/// The signals that were ignored when the program started: bit s-1 represents signal s. Only Linux shows them.
static IGNORED: LazyLock<u64> = LazyLock::new(|| {
    let status = proc::read("/proc/self/status").ok().flatten().unwrap_or_default();
    proc::value(&status, "SigIgn:").and_then(|bits| u64::from_str_radix(bits, 16).ok()).unwrap_or(0)
});

/// Signals that keep their disposition. The standard library sets SIGPIPE for every child. The others are for job control.
const KEPT: [i32; 4] = [SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU];

/// Records which signals are ignored, and resets the settings of signals: catches SIGCHLD and SIGXFSZ, and on Linux unblocks
/// all signals. If SIGCHLD were ignored, the system would discard the exit status of a bot. An uncaught SIGXFSZ would end
/// the program when a file exceeds the limit on file sizes; if it is caught, the write fails, as on a full disk.
///
/// Each other signal that was ignored, except `KEPT`, gets a handler that does nothing. This program then still ignores
/// the signal, but the programs that it starts get the default disposition.
pub fn reset_signals() -> anyhow::Result<()> {
    for signal in (1..32).filter(|signal| !FORBIDDEN.contains(signal) && !KEPT.contains(signal)) {
        if was_ignored(signal) || [SIGCHLD, SIGXFSZ].contains(&signal) {
            flag::register(signal, Arc::default())
                .with_context(|| format!("signal {signal} cannot be caught"))?;
        }
    }
    #[cfg(target_os = "linux")]
    nix::sys::signal::SigSet::all().thread_unblock().context("signals cannot be unblocked")?;
    Ok(())
}

/// Checks whether a signal was already ignored when the program started, for example because of nohup(1) or a shell's
/// `trap '' INT`.
fn was_ignored(signal: i32) -> bool {
    *IGNORED >> (signal - 1) & 1 == 1
}
