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

use cli::{Cli, Program};
use interop::convention::usage_code;
use stdout::is_broken_pipe;

/// The version of the JSON that is written for other programs. It is the same for all objects.
const SCHEMA: u32 = 2;

/// Runs the program `judge` and returns its exit code.
pub fn main() -> ExitCode {
    interrupt::set_exit_hooks(EXIT_HOOKS);
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Err(error) = stdout::ensure_writable() {
        return exit::fail(&error, usage_code(&args));
    }
    if let Some(code) = run_per_game_command(&args) {
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
        Err(error) => {
            let tip = |command: &clap::Command, word: &str| cli::tip(command, word, &args);
            let error = suggestions::suggest(error, &args, &cli::command(), tip);
            return exit::refuse(&error, usage_code(&args));
        }
    };
    #[cfg(target_os = "linux")]
    let result = run(cli, &args, supervisor);
    #[cfg(not(target_os = "linux"))]
    let result = run(cli);
    result.unwrap_or_else(|error| exit::fail(&error, usage_code(&args)))
}

/// Runs the command with the settings of `judge.toml`, on Linux as the child of a supervisor if the command needs one.
fn run(
    cli: Cli,
    #[cfg(target_os = "linux")] args: &[OsString],
    #[cfg(target_os = "linux")] supervisor: Option<i32>,
) -> anyhow::Result<ExitCode> {
    let settings = cli.settings()?;
    let Cli { options, command, properties, typed } = cli;
    options.color.apply();
    // A process that is a bot keeps the signal dispositions that it inherited.
    if !properties.is_bot {
        signals::reset()?;
    }
    #[cfg(target_os = "linux")]
    if properties.is_supervised {
        match supervisor {
            None => return Ok(ExitCode::from(supervisor::supervise(args)?.unwrap_or(usage_code(args)))),
            Some(supervisor) => supervisor::follow(supervisor)?,
        }
    }
    let result = command.run(&Program { settings, typed });
    let result = result.and_then(|code| stdout::flush().map(|()| code));
    interrupt::await_end();
    interrupt::prepare_exit();
    Ok(result.unwrap_or_else(|error| match is_broken_pipe(&error) {
        true if properties.is_listing => ExitCode::SUCCESS,
        true => exit::fail(
            &error.context("the output pipe was closed, so not everything was judged and reported"),
            2,
        ),
        false => exit::fail(&error, 2),
    }))
}

/// Runs `bot` or `launch`, the hidden commands that are started for each game; returns `None` for other commands. This
/// function does not use [`cli::command`]: building it takes longer than such a command needs for its first line.
fn run_per_game_command(args: &[OsString]) -> Option<ExitCode> {
    let [_, name, rest @ ..] = args else { return None };
    match name.to_str()? {
        "bot" if rest.is_empty() => Some(zeroxor::wire::run_on_stdio()),
        #[cfg(target_os = "linux")]
        "launch" => Some(match cli::launch::parse(&args[1..]) {
            Ok(launch) => cli::launch::launch(&launch),
            Err(error) => exit::refuse(&error, usage_code(args)),
        }),
        _ => None,
    }
}
