//! The program `grundy`: who wins an impartial game, tables of nimbers, proven periods and misère quotients.

mod classic;
mod cli;
mod cousins;
mod format;
mod number;
mod output;
mod results;
mod rows;
mod table;

mod commands {
    pub(crate) mod count;
    pub(crate) mod misere;
    pub(crate) mod octal;
    pub(crate) mod plot;
    pub(crate) mod solve;
    pub(crate) mod table;
}

use std::process::ExitCode;

/// The version of the JSON that the commands print.
const SCHEMA: u32 = 1;

fn main() -> ExitCode {
    cli::run()
}
