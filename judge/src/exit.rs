//! Checks whether stdout can be written to, and the exit of the program after a command, an error, a usage error, help or
//! the version.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, ensure};
use clap::error::ErrorKind;
use runner::janitor;
use runner::message::print_error;
use rustix::fs::{OFlags, fcntl_getfl};

use crate::guards::MachineGuards;

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

const NOT_WRITABLE: &str = "stdout cannot be written to";

/// Checks whether the reader of the output has closed it, as in `grundy table ... | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

pub(crate) fn fail(error: &anyhow::Error, code: u8) -> ExitCode {
    print_error(format_args!("{error:#}"));
    ExitCode::from(code)
}

/// Prints the help, the version or a usage error. Returns the exit code, which is `code` for a usage error.
pub(crate) fn refuse(error: &clap::Error, code: u8) -> ExitCode {
    // `judge run --version` prints the version of `judge`, too.
    let is_version = error.kind() == ErrorKind::DisplayVersion;
    let printed = if is_version { print_version() } else { error.print() };
    if error.use_stderr() {
        return ExitCode::from(code);
    }
    end(printed.context(NOT_WRITABLE).map(|()| ExitCode::SUCCESS), true)
}

fn print_version() -> io::Result<()> {
    let mut stdout = io::stdout();
    writeln!(stdout, concat!("judge ", env!("CARGO_PKG_VERSION")))?;
    if !std::env::args_os().any(|arg| arg == "-v" || arg == "--verbose") {
        return Ok(());
    }
    match MachineGuards::find() {
        Ok(guards) => write!(stdout, "{guards}"),
        Err(error) => writeln!(stdout, "guards: unknown ({error:#})"),
    }
}

/// Ends all bots and returns the exit code of a command. The reader of a listing may close the output early.
pub(crate) fn end(result: anyhow::Result<ExitCode>, is_listing: bool) -> ExitCode {
    let result = result.and_then(|code| io::stdout().flush().context(NOT_WRITABLE).map(|()| code));
    janitor::end();
    result.unwrap_or_else(|error| stopped(error, is_listing))
}

/// Says why a command could not continue. Returns its exit code.
pub(crate) fn stopped(error: anyhow::Error, is_listing: bool) -> ExitCode {
    match is_broken_pipe(&error) {
        true if is_listing => ExitCode::SUCCESS,
        true => {
            fail(&error.context("the output pipe was closed, so not everything was judged and reported"), 2)
        }
        false => fail(&error, 2),
    }
}
