//! The conversation of a program on its stdin and stdout.

use std::io::{self, Write};
use std::process::ExitCode;

use super::session;

/// Holds one conversation on stdin and stdout; the error that ends it is told on stderr, and by the exit code.
///
/// ```
/// # fn never() -> std::process::ExitCode {
/// // All of a bot's `main`.
/// zeroxor::wire::run_on_stdio()
/// # }
/// ```
pub fn run_on_stdio() -> ExitCode {
    match session::run(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be left to read it, and that is no reason to panic.
            let _ = writeln!(io::stderr(), "zeroxor: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
