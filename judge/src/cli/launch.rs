//! The hidden command in which the judge's program enters the sandbox and then becomes the bot.

use std::convert::Infallible;
use std::ffi::{CString, OsStr, OsString};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::anyhow;
use clap::Parser;
use itertools::Itertools;
use runner::limits::DEFAULT_LIMITS;
use runner::program;
use runner::sandbox;
use signal_hook::consts::SIGPIPE;

use crate::exit::fail;

/// Become the bot inside the sandbox; without a command, only test whether that is possible
#[derive(Debug, Parser)]
pub(crate) struct LaunchArgs {
    /// The ID of the judge's process; the bot is killed when that process ends
    #[arg(long, value_name = "PID")]
    judge: Option<i32>,

    /// How many processes and threads the bot may have
    #[arg(long, default_value_t = DEFAULT_LIMITS.processes, value_name = "N")]
    processes: u64,

    /// A folder in which the bot may write files
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    writable: Vec<PathBuf>,

    /// The bot's command and its arguments
    #[arg(last = true, value_name = "BOT")]
    command: Vec<OsString>,
}

impl LaunchArgs {
    /// Becomes the bot inside the sandbox. Without a command, only tests whether the sandbox can be entered.
    ///
    /// The exit codes are those of env(1) and timeout(1): 125 if the sandbox cannot be set up, 126 if the bot is
    /// found but cannot be started, 127 if the bot is not found.
    pub(crate) fn run(&self) -> ExitCode {
        if let Err(error) = sandbox::enter(self.judge, self.processes, &self.writable) {
            return fail(&error, 125);
        }
        let Some(program) = self.command.first() else { return ExitCode::SUCCESS };
        let Err(error) = become_bot(program, &self.command);
        let code = if error.kind() == ErrorKind::NotFound { 127 } else { 126 };
        fail(&anyhow!("the bot {} could not be started: {error}", program.display()), code)
    }
}

/// Replaces this program by the bot. The process keeps its ID, its group and its pipes, as if the judge had started the
/// bot.
///
/// Refuses a file of a format that the system does not know. The `exec` of the standard library would pass such a file
/// to a shell.
fn become_bot(program: &OsStr, command: &[OsString]) -> io::Result<Infallible> {
    let file = CString::new(program::find(program)?.into_os_string().as_bytes())?;
    let command: Vec<_> = command.iter().map(|word| CString::new(word.as_bytes())).try_collect()?;
    // Rust ignores SIGPIPE, and the bot would inherit this disposition. `exec` resets a signal that has a handler to
    // its default disposition, so this call installs a handler.
    signal_hook::flag::register(SIGPIPE, Arc::default())?;
    Ok(nix::unistd::execv(&file, &command)?)
}
