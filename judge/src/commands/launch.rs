//! The hidden role in which the judge's own program shuts itself in, and then becomes the bot.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use crate::sandbox;

/// Becomes the bot inside the sandbox; without a command it ends well if there can be a sandbox.
///
/// The exit codes are those of env(1) and timeout(1): 125 if the sandbox cannot be set up, 126 if the bot is
/// found but cannot be started, 127 if it is not found.
pub(crate) fn launch(command: &[OsString]) -> ExitCode {
    if let Err(error) = sandbox::enter() {
        return refuse(&format!("{error:#}"), 125);
    }
    let Some((program, args)) = command.split_first() else {
        return ExitCode::SUCCESS;
    };
    // The process, its number, its group and its pipes stay: to the judge it is as if it had started the bot.
    let error = Command::new(program).args(args).exec();
    let code = if error.kind() == ErrorKind::NotFound { 127 } else { 126 };
    refuse(&format!("the bot {} could not be started: {error}", program.display()), code)
}

fn refuse(reason: &str, code: u8) -> ExitCode {
    // Nobody may be left to read it.
    let _ = writeln!(io::stderr(), "judge: {reason}");
    ExitCode::from(code)
}
