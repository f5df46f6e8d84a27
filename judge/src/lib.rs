//! The local judge: referees any bot, in any language, and says what went wrong and why.

mod cli;
mod interop;
mod matches;
mod play;
mod report;
mod settings;

use std::ffi::OsString;
use std::process::ExitCode;

use common::stdout::is_broken_pipe;
use common::{generated, interrupt, program, signals, stdout, suggestions};
use runner::EXIT_HOOKS;
#[cfg(target_os = "linux")]
use runner::{job, supervisor};

use cli::{Cli, Program};
use interop::convention::usage_code;

/// Runs the program `judge` and returns its exit code.
pub fn main() -> ExitCode {
    interrupt::set_exit_hooks(EXIT_HOOKS);
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Err(error) = stdout::ensure_writable() {
        return program::fail(&error, usage_code(&args));
    }
    program::set_name("judge");
    if let Some(code) = run_per_game_command(&args) {
        return code;
    }
    #[cfg(target_os = "linux")]
    if let Some(supervisor) = job::waker_of(&args) {
        return job::wake(supervisor);
    }
    match generated::answer_completion(cli::command, "judge", cli::complete::VARIABLE) {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return program::refuse(&error, usage_code(&args)),
    }
    #[cfg(target_os = "linux")]
    let (supervisor, args) = supervisor::split(args);
    program::set_args(&args);
    let cli = match Cli::read(&args) {
        Ok(cli) => cli,
        Err(error) => {
            let tip = |command: &clap::Command, word: &str| cli::tip(command, word, &args);
            let error = suggestions::suggest(error, &args, &cli::command(), tip);
            return program::refuse(&error, usage_code(&args));
        }
    };
    #[cfg(target_os = "linux")]
    let result = run(cli, &args, supervisor);
    #[cfg(not(target_os = "linux"))]
    let result = run(cli, &args);
    result.unwrap_or_else(|error| program::fail(&error, usage_code(&args)))
}

/// Runs the command with the settings of `judge.toml`, on Linux as the child of a supervisor if the command needs one.
fn run(
    cli: Cli,
    args: &[OsString],
    #[cfg(target_os = "linux")] supervisor: Option<i32>,
) -> anyhow::Result<ExitCode> {
    let settings = cli.settings()?;
    let Cli { options, command, properties, typed } = cli.with_defaults(args, &settings)?;
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
    let result = command.run(&Program { settings, typed, command_line: cli::command });
    let result = result.and_then(|code| stdout::flush().map(|()| code));
    interrupt::await_end();
    interrupt::prepare_exit();
    Ok(result.unwrap_or_else(|error| match is_broken_pipe(&error) {
        true if properties.is_listing => ExitCode::SUCCESS,
        true => program::fail(
            &error.context("the output pipe was closed, so not everything was judged and reported"),
            2,
        ),
        false => program::fail(&error, 2),
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
            Err(error) => program::refuse(&error, usage_code(args)),
        }),
        _ => None,
    }
}
