//! Checks whether stdout can be written to, and whether all output was written.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, ensure};
use rustix::fs::{OFlags, fcntl_getfl};

/// Whether descriptor 1 was open for writing at the start of the program.
static IS_WRITABLE: AtomicBool = AtomicBool::new(true);

/// Makes the loader call [`record_stdout`] before `main`, and therefore before the standard library opens `/dev/null`
/// in place of a closed stdout. After that, a closed stdout cannot be distinguished from one that was `/dev/null` from
/// the start, as under cron and systemd.
#[used]
#[expect(unsafe_code, reason = "`main` comes too late")]
// SAFETY: the loader calls each pointer of this section once, with the C calling convention and with arguments that a
// function may ignore.
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static RECORD_STDOUT: extern "C" fn() = record_stdout;

/// Records whether descriptor 1 is open for writing, by nothing of the standard library that must be initialised.
extern "C" fn record_stdout() {
    let mode = fcntl_getfl(rustix::stdio::stdout()).map(|flags| flags & OFlags::RWMODE);
    let is_writable = matches!(mode, Ok(OFlags::WRONLY | OFlags::RDWR));
    IS_WRITABLE.store(is_writable, Ordering::Relaxed);
}

/// Refuses a stdout that is closed or open only for reading: the standard library would drop all output.
pub(crate) fn ensure_writable() -> anyhow::Result<()> {
    ensure!(
        IS_WRITABLE.load(Ordering::Relaxed),
        "stdout cannot be written to: it is closed or not open for writing; to drop what is printed, use > /dev/null"
    );
    Ok(())
}

pub(crate) fn flush() -> anyhow::Result<()> {
    io::stdout().flush().context("stdout cannot be written to")
}

/// Checks whether the reader of the output has closed it, as in `grundy table ... | head`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
