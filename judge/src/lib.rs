//! The local judge: referees any bot, in any language, and says what went wrong and why.

mod arena;
mod cli;
mod conversation;
mod exit;
mod in_order;
mod interop;
mod json;
mod lint;
mod output;
mod play;
mod progress;
mod referee;
mod report;
mod search;
mod settings;
mod stdout;
mod suggestions;
mod text;
mod trials;
mod units;

use std::ffi::OsString;
use std::process::ExitCode;

use runner::{EXIT_HOOKS, interrupt, signals};
#[cfg(target_os = "linux")]
use runner::{job, supervisor};

use cli::Cli;
use interop::convention::usage_code;

/// The version of the JSON that is written for other programs. It is the same for all objects.
const SCHEMA: u32 = 2;

/// Runs the program `judge` and returns its exit code.
pub fn main() -> ExitCode {
    interrupt::set_exit_hooks(EXIT_HOOKS);
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Err(error) = stdout::ensure_writable() {
        return exit::fail(&error, usage_code(&args));
    }
    if let Some(code) = cli::run_internal(&args) {
        return code;
    }
    #[cfg(target_os = "linux")]
    if let Some(supervisor) = job::waker_of(&args) {
        return job::wake(supervisor);
    }
    match cli::complete::answer() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return exit::refuse(&error, usage_code(&args)),
    }
    #[cfg(target_os = "linux")]
    let (supervisor, args) = supervisor::split(args);
    let cli = match Cli::read(&args) {
        Ok(cli) => cli,
        Err(error) => return exit::refuse(&error, usage_code(&args)),
    };
    #[cfg(target_os = "linux")]
    let result = run(&cli, &args, supervisor);
    #[cfg(not(target_os = "linux"))]
    let result = run(&cli);
    result.unwrap_or_else(|error| exit::fail(&error, usage_code(&args)))
}

/// Runs the command with the settings of `judge.toml`, on Linux as the child of a supervisor if the command needs one.
fn run(
    cli: &Cli,
    #[cfg(target_os = "linux")] args: &[OsString],
    #[cfg(target_os = "linux")] supervisor: Option<i32>,
) -> anyhow::Result<ExitCode> {
    let settings = cli.settings()?;
    cli.color.apply();
    signals::reset()?;
    #[cfg(target_os = "linux")]
    if cli.is_supervised() {
        match supervisor {
            None => return Ok(ExitCode::from(supervisor::supervise(args)?.unwrap_or(usage_code(args)))),
            Some(supervisor) => supervisor::follow(supervisor)?,
        }
    }
    Ok(exit::end(cli.run(&settings), cli.is_listing()))
}
