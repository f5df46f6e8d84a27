//! The program `judge`, whose commands are in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    judge::main()
}
