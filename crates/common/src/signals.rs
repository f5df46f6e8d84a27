//! The signals as the caller of the judge has left them, which must not change a verdict, nor how a bot starts; and the
//! signals that ask a run to save its results and to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use signal_hook::consts::{
    SIGCHLD, SIGFPE, SIGILL, SIGINT, SIGKILL, SIGPIPE, SIGSEGV, SIGSTOP, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU,
    SIGUSR1, SIGXFSZ,
};

/// The signals that were ignored when the judge started: bit s-1 is signal s.
static IGNORED: OnceLock<u64> = OnceLock::new();

/// Signals that keep their disposition: those of the first five cannot or must not be changed, the standard
/// library sets that of SIGPIPE for every child, and the others decide what a terminal does.
const KEPT: [i32; 9] = [SIGKILL, SIGSTOP, SIGILL, SIGFPE, SIGSEGV, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU];

/// Unblocks all signals, and catches two. If SIGCHLD were ignored, the system would forget how a bot has ended. SIGXFSZ
/// would end the program when a file grows beyond the limit on file sizes; now the write fails, as on a full disk.
///
/// # Errors
///
/// If the system refuses it.
pub fn reset() -> anyhow::Result<()> {
    IGNORED.get_or_init(ignored);
    catch(SIGCHLD)?;
    // If it cannot be caught, a file that is too large ends the program.
    let _ = catch(SIGXFSZ);
    #[cfg(target_os = "linux")]
    nix::sys::signal::SigSet::all().thread_unblock().context("signals cannot be unblocked")?;
    Ok(())
}

/// Catches and drops the signals that are ignored. For the judge nothing changes, but the programs that it starts
/// from now on get the default back.
///
/// # Errors
///
/// If the system refuses it.
pub(crate) fn drop_ignored() -> anyhow::Result<()> {
    (1..32).filter(|signal| was_ignored(*signal) && !KEPT.contains(signal)).try_for_each(catch)
}

fn catch(signal: i32) -> anyhow::Result<()> {
    signal_hook::flag::register(signal, Arc::default())
        .with_context(|| format!("signal {signal} cannot be caught"))?;
    Ok(())
}

/// Whether a signal was to be ignored since before the judge began, as nohup(1) and a shell's `trap '' INT`
/// ask for.
pub fn was_ignored(signal: i32) -> bool {
    IGNORED.get().is_some_and(|ignored| ignored >> (signal - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = procfs::process::Process::myself().and_then(|judge| judge.status());
    status.map_or(0, |status| status.sigign)
}

#[cfg(not(target_os = "linux"))]
fn ignored() -> u64 {
    0
}

/// A flag that is set when TERM, INT or USR1 comes. The caller checks it, saves its work and ends.
#[derive(Clone)]
pub struct SaveRequest(Arc<AtomicBool>);

impl SaveRequest {
    /// A request that never comes: the signals end the process as usual.
    pub fn never() -> Self {
        Self(Arc::default())
    }

    /// Listens from now on.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub fn listen() -> anyhow::Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGUSR1].into_iter().filter(|&signal| !was_ignored(signal)) {
            signal_hook::flag::register(signal, Arc::clone(&came))
                .with_context(|| format!("signal {signal} cannot be caught"))?;
        }
        Ok(Self(came))
    }

    /// Whether a signal has come.
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
