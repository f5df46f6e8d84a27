//! The program `grundy`, whose commands are in `theory::program`.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    theory::program::run(&args)
}
