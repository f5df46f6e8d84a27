//! Tables of nimbers, their periods and certificates, sweeps and the atlas.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    theory::program::run(&args)
}
