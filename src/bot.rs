//! The bot as a program: what its binary does, and the judge's bundled copy of it.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::crates::start_log;
use crate::session;

/// Holds one conversation on stdin and stdout, with the log and the error that ends it on stderr.
pub fn run() -> ExitCode {
    start_log();
    match session::run(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(error.exit_code())
        }
    }
}

/// Says on stderr why the bot stops. Nobody may be left to read it, and that is no reason to panic.
pub fn complain(why: &str) {
    let _ = writeln!(io::stderr(), "zeroxor: {why}");
}
