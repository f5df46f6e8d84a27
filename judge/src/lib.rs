//! The local judge: referees any bot, in any language, and says what went wrong and why.

mod arena;
mod batch;
mod cli;
mod config;
mod conversation;
mod demo;
mod exit;
mod guards;
mod in_order;
mod interop;
mod json;
mod keys;
mod lint;
mod output;
mod play;
mod progress;
mod record_file;
mod referee;
mod report;
mod search;
mod settings;
mod starters;
mod text;
mod trials;
mod units;

use std::ffi::OsString;
use std::process::ExitCode;

use runner::{interrupt, janitor, relay, warden};

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
    let code = usage_code(&args);
    if let Err(error) = exit::ensure_writable() {
        return exit::fail(&error, code);
    }
    run(&args, code).unwrap_or_else(|error| exit::refuse(&error, code))
}

/// Runs the command of a user. `code` is the exit code if the signals cannot be handled.
fn run(args: &[OsString], code: u8) -> Result<ExitCode, clap::Error> {
    if cli::complete::answer()? {
        return Ok(ExitCode::SUCCESS);
    }
    let cli = Cli::read(args)?;
    cli.apply_color();
    Ok(match interrupt::reset_signals() {
        Ok(()) => exit::end(cli.run(), cli.is_listing()),
        Err(error) => exit::fail(&error, code),
    })
}

/// Runs this process in a role for which the judge starts its own program again; returns `None` for all commands that
/// users type. This comes before the command line is parsed, which takes longer than the start of a small program.
fn run_role(args: &[OsString]) -> Option<ExitCode> {
    let ended = match args {
        [_, role, socket, args @ ..] if role == relay::STAND_IN_ROLE => {
            relay::serve_as_stand_in(socket.as_ref(), args).map(ExitCode::from)
        }
        [_, role] => match role.to_str()? {
            "bot" => exit::ensure_writable().map(|()| zeroxor::wire::run_on_stdio()),
            janitor::ROLE => {
                janitor::serve();
                Ok(ExitCode::SUCCESS)
            }
            warden::ROLE => warden::serve().map(|()| ExitCode::SUCCESS),
            _ => return None,
        },
        _ => return None,
    };
    Some(ended.unwrap_or_else(|error| exit::fail(&error, 2)))
}
