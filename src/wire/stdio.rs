//! The conversation of a program on its stdin and stdout.

use std::io::{self, Write};
use std::process::ExitCode;

use super::session;
use crate::grundy::Budget;

/// Holds one conversation on stdin and stdout; the error that ends it is told on stderr, and by the exit code.
///
/// Unlike [`session::run`] it reads a clock: a first line comes within [`Budget::GAME_TIME`] of CPU time, or a refusal.
///
/// ```
/// # fn never() -> std::process::ExitCode {
/// // All of a bot's `main`.
/// zeroxor::wire::run_on_stdio()
/// # }
/// ```
pub fn run_on_stdio() -> ExitCode {
    let budget = Budget::GAME.with_cpu_limit(Budget::GAME_TIME);
    match session::run_within(io::stdin().lock(), io::stdout().lock(), budget) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be left to read it, and that is no reason to panic.
            let _ = writeln!(io::stderr(), "zeroxor: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
