//! The exit of the program after a command, an error, a usage error, help or the version.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::error::ErrorKind;
use runner::message::print_error;
use runner::{interrupt, janitor};

use crate::guards::Guards;
use crate::stdout::{self, is_broken_pipe};

pub(crate) fn fail(error: &anyhow::Error, code: u8) -> ExitCode {
    print_error(format_args!("{error:#}"));
    ExitCode::from(code)
}

/// Prints the help, the version or a usage error. Returns the exit code, which is `code` for an error.
pub(crate) fn refuse(error: &clap::Error, code: u8) -> ExitCode {
    let printed = match error.kind() {
        // `judge run --version` prints the version of `judge`, too.
        ErrorKind::DisplayVersion => {
            let version = writeln!(io::stdout(), concat!("judge ", env!("CARGO_PKG_VERSION")));
            let is_verbose = std::env::args_os().any(|arg| arg == "-v" || arg == "--verbose");
            let guards = match is_verbose.then(Guards::find) {
                Some(Ok(guards)) => guards.to_string(),
                Some(Err(error)) => format!("guards: unknown ({error:#})\n"),
                None => String::new(),
            };
            janitor::end();
            version.and_then(|()| write!(io::stdout(), "{guards}"))
        }
        _ => error.print(),
    };
    if error.use_stderr() {
        return ExitCode::from(code);
    }
    match printed.context("stdout cannot be written to").and_then(|()| stdout::flush()) {
        Err(error) if !is_broken_pipe(&error) => fail(&error, code),
        _ => ExitCode::SUCCESS,
    }
}

/// Ends all bots and returns the exit code of a command. The reader of a listing may close the output early.
pub(crate) fn end(result: anyhow::Result<ExitCode>, is_listing: bool) -> ExitCode {
    let result = result.and_then(|code| stdout::flush().map(|()| code));
    interrupt::await_end();
    janitor::end();
    result.unwrap_or_else(|error| match is_broken_pipe(&error) {
        true if is_listing => ExitCode::SUCCESS,
        true => {
            fail(&error.context("the output pipe was closed, so not everything was judged and reported"), 2)
        }
        false => fail(&error, 2),
    })
}
