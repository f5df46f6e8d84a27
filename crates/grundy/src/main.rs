//! The program `grundy`: who wins an impartial game, tables of nimbers, proven periods and misère quotients.

mod classic;
mod cli;
mod code_form;
mod commands;
mod complete;
mod cousins;
mod format;
mod number;
mod output;
mod results;
mod rows;
mod table;

use std::process::ExitCode;

/// The version of the JSON that the commands print.
const SCHEMA: u32 = 1;

fn main() -> ExitCode {
    cli::run()
}
