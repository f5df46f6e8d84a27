//! Resets the signal settings that a program inherits from its caller: the inherited settings must affect neither the
//! results of the program nor the programs that it starts.

use std::sync::{Arc, OnceLock};

use anyhow::Context;
use signal_hook::consts::{
    SIGCHLD, SIGFPE, SIGILL, SIGKILL, SIGPIPE, SIGSEGV, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ,
};

use crate::proc;

/// The signals that were ignored when the program started: bit s-1 represents signal s.
static IGNORED: OnceLock<u64> = OnceLock::new();

/// Signals that keep their disposition. The first five cannot or must not be changed. The standard library sets
/// SIGPIPE for every child. The last three are for job control.
const KEPT: [i32; 9] = [SIGKILL, SIGSTOP, SIGILL, SIGFPE, SIGSEGV, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU];

/// Records which signals are ignored, catches SIGCHLD and SIGXFSZ, and on Linux unblocks all signals. If SIGCHLD were
/// ignored, the system would discard the exit status of a bot. An uncaught SIGXFSZ would end the program when a file
/// exceeds the limit on file sizes; if it is caught, the write fails, as on a full disk.
pub fn reset() -> anyhow::Result<()> {
    IGNORED.get_or_init(ignored);
    catch(SIGCHLD)?;
    // If SIGXFSZ cannot be caught, a file that is too large ends the program.
    let _ = catch(SIGXFSZ);
    #[cfg(target_os = "linux")]
    nix::sys::signal::SigSet::all().thread_unblock().context("signals cannot be unblocked")?;
    Ok(())
}

/// Gives each signal that was ignored at the start, except [`KEPT`], a handler that does nothing. This program then
/// still ignores the signal, but the programs that it starts from now on get the default disposition.
pub(crate) fn unignore_for_children() -> anyhow::Result<()> {
    (1..32).filter(|signal| was_ignored(*signal) && !KEPT.contains(signal)).try_for_each(catch)
}

fn catch(signal: i32) -> anyhow::Result<()> {
    signal_hook::flag::register(signal, Arc::default())
        .with_context(|| format!("signal {signal} cannot be caught"))?;
    Ok(())
}

/// Checks whether a signal was already ignored when the program started, for example because of nohup(1) or a shell's
/// `trap '' INT`. Returns false on systems other than Linux, and before [`reset`] is called.
pub fn was_ignored(signal: i32) -> bool {
    IGNORED.get().is_some_and(|ignored| ignored >> (signal - 1) & 1 == 1)
}

fn ignored() -> u64 {
    let status = proc::read("/proc/self/status").ok().flatten().unwrap_or_default();
    proc::value(&status, "SigIgn:").and_then(|bits| u64::from_str_radix(bits, 16).ok()).unwrap_or(0)
}
