//! The local judge: referees any bot, in any language, and says what went wrong and why.

mod arena;
mod batch;
mod cli;
mod conversation;
mod exit;
mod guards;
mod in_order;
mod interop;
mod json;
mod lint;
mod output;
mod play;
mod progress;
mod record_file;
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

use runner::{janitor, relay, signals, warden};

use cli::Cli;
use interop::usage_code;

/// The version of the JSON that is written for other programs. It is the same for all objects.
const SCHEMA: u32 = 2;

/// Runs the program `judge` and returns its exit code.
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = run_role(&args) {
        return code;
    }
    if let Err(error) = stdout::ensure_writable() {
        return exit::fail(&error, usage_code(&args));
    }
    match cli::complete::answer() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return exit::refuse(&error, usage_code(&args)),
    }
    let cli = match Cli::read(&args) {
        Ok(cli) => cli,
        Err(error) => return exit::refuse(&error, usage_code(&args)),
    };
    run(&cli).unwrap_or_else(|error| exit::fail(&error, usage_code(&args)))
}

/// Runs this process in a role for which the judge starts its own program again; returns `None` for all commands that
/// users type. This comes before the command line is parsed, which takes longer than the start of a small program.
fn run_role(args: &[OsString]) -> Option<ExitCode> {
    if let [_, role, socket, args @ ..] = args
        && role == relay::STAND_IN_ROLE
    {
        let ended = relay::serve_as_stand_in(socket.as_ref(), args);
        return Some(ended.map_or_else(|error| exit::fail(&error, 2), ExitCode::from));
    }
    let [_, role] = args else { return None };
    match role.to_str()? {
        "bot" => {
            let bot = stdout::ensure_writable().map(|()| zeroxor::wire::run_on_stdio());
            return Some(bot.unwrap_or_else(|error| exit::fail(&error, 2)));
        }
        janitor::ROLE => janitor::serve(),
        warden::ROLE => {
            if let Err(error) = warden::serve() {
                return Some(exit::fail(&error, 2));
            }
        }
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

/// Runs the command with the settings of `judge.toml`.
fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    let settings = cli.settings()?;
    cli.color.apply();
    signals::reset()?;
    Ok(exit::end(cli.run(&settings), cli.is_listing()))
}
