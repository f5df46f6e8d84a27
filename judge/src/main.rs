//! The local judge: referees any bot, in any language, and says what went wrong and why.

mod cli;
mod escape;
mod interop;
mod matches;
mod play;
mod process;
mod referee;
mod report;
mod settings;
mod shards;
mod sources;
mod spelling;
mod tables;
mod text_file;
mod units;
mod web;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Parser;
use clap::error::ErrorKind;
use signal_hook::consts::SIGXFSZ;

use cli::{Cli, Command};
use escape::complain;
use interop::convention::usage_code;
use report::output::is_broken_pipe;
use report::stdout;
use settings::Settings;

fn main() -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    if let Err(error) = stdout::ensure_writable() {
        return fail(&error, usage_code(&args));
    }
    if let Some(code) = web::answers::answer_of(&mut args) {
        return code;
    }
    if let Some(code) = run_for_one_game(&args) {
        return code;
    }
    #[cfg(target_os = "linux")]
    if let Some(supervisor) = process::job::waker_of(&args) {
        return process::job::wake(supervisor);
    }
    match cli::complete::answer() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return refuse(&error, &args),
    }
    #[cfg(target_os = "linux")]
    let (supervisor, args) = process::supervisor::split(args);
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return refuse(&cli::mistyped::suggest(error, &args), &args),
    };
    let settings = match cli.settings() {
        Ok(settings) => settings,
        Err(error) => return fail(&error, usage_code(&args)),
    };
    let cli = match cli.with_defaults(&args, &settings) {
        Ok(cli) => cli,
        Err(error) => return fail(&error, usage_code(&args)),
    };
    cli.color.write_global();
    let properties = Command::properties(cli.command.as_ref());
    if let Err(error) = reset_signals(properties.is_bot) {
        return fail(&error, usage_code(&args));
    }
    #[cfg(target_os = "linux")]
    if properties.is_supervised {
        let started = match supervisor {
            None => process::supervisor::supervise(&args).map(Some),
            Some(supervisor) => process::supervisor::follow(supervisor).map(|()| None),
        };
        match started {
            Ok(None) => {}
            Ok(Some(code)) => return ExitCode::from(code.unwrap_or(usage_code(&args))),
            Err(error) => return fail(&error, usage_code(&args)),
        }
    }
    let result = run(cli, &settings).and_then(|code| stdout::flush().map(|()| code));
    process::interrupt::await_end();
    process::interrupt::prepare_exit();
    result.unwrap_or_else(|error| match is_broken_pipe(&error) {
        true if properties.is_listing => ExitCode::SUCCESS,
        true => fail(
            &error
                .context("the reader of the output has closed it, so not all games were played and reported"),
            2,
        ),
        false => fail(&error, 2),
    })
}

/// Runs one of the hidden commands that are started for each game: to set up the whole command line takes longer
/// than what they do before the first line.
fn run_for_one_game(args: &[OsString]) -> Option<ExitCode> {
    let [_, name, rest @ ..] = args else { return None };
    match name.to_str()? {
        "bot" if rest.is_empty() => Some(zeroxor::wire::run_on_stdio()),
        #[cfg(target_os = "linux")]
        "launch" => Some(match cli::launch::parse(&args[1..]) {
            Ok(launch) => cli::launch::launch(&launch),
            Err(error) => refuse(&error, args),
        }),
        _ => None,
    }
}

fn run(cli: Cli, settings: &Settings) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => cli::demo::demo(),
        Some(Command::Run(args)) => cli::run::run(&args, settings),
        Some(Command::Interact(args)) => Ok(cli::interact::interact(&args)),
        Some(Command::Test(args)) => cli::test::test(&args, settings),
        Some(Command::Tester(args)) => cli::tester::tester(&args, settings),
        Some(Command::Export(args)) => cli::export::export(&args),
        Some(Command::Stress(args)) => cli::stress::stress(&args, settings),
        Some(Command::Arena(args)) => cli::arena::arena(&args, settings),
        Some(Command::Match(args)) => cli::league_match::league_match(&args, settings),
        Some(Command::Merge(args)) => cli::merge::merge(&args),
        Some(Command::ArenaHost(args)) => cli::arena_host::arena_host(&args),
        Some(Command::Worker(args)) => cli::worker::worker(&args),
        Some(Command::Replay(args)) => cli::replay::replay(&args, settings),
        Some(Command::Play(args)) => cli::play::play(&args),
        Some(Command::Web(args)) => cli::web::web(&args),
        Some(Command::Solve(args)) => cli::solve::solve(&args),
        Some(Command::Count(args)) => cli::count::count(&args),
        Some(Command::Table(args)) => cli::table::table(&args),
        Some(Command::Octal(args)) => cli::octal::octal(&args),
        Some(Command::Sweep(args)) => cli::sweep::sweep(&args),
        Some(Command::Atlas(args)) => cli::atlas::atlas(&args),
        #[cfg(target_os = "linux")]
        Some(Command::Launch(args)) => Ok(cli::launch::launch(&args)),
        Some(Command::Bot) => Ok(zeroxor::wire::run_on_stdio()),
        Some(Command::Lint(args)) => cli::lint::lint(&args, settings),
        Some(Command::Config(_)) => cli::config::config(settings),
        Some(Command::Completions(args)) => cli::completions::completions(&args),
        Some(Command::Man(args)) => cli::man::man(&args),
        Some(Command::Corpus(args)) => cli::corpus::corpus(&args),
        Some(Command::New(args)) => cli::new::new(&args),
        Some(Command::Protocol(_)) => cli::protocol::protocol(),
        Some(Command::Selftest(args)) => cli::selftest::selftest(&args),
        Some(Command::Hostile(args)) => cli::hostile::hostile(&args),
    }
}

/// Resets how the judge handles signals. A process that is a bot keeps them as they are.
fn reset_signals(is_bot: bool) -> anyhow::Result<()> {
    if is_bot {
        return Ok(());
    }
    // If a file grows beyond the limit on file sizes, the write fails, as on a full disk. The signal would end the
    // judge and leave the bot running.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    process::signals::reset()
}

/// Prints an error and returns the exit code.
fn fail(error: &anyhow::Error, code: u8) -> ExitCode {
    complain(format_args!("{error:#}"));
    ExitCode::from(code)
}

/// Prints the help, the version or a usage error, and returns the exit code.
fn refuse(error: &clap::Error, args: &[OsString]) -> ExitCode {
    let printed = match error.kind() {
        // Of a command as well it is the version of the program.
        ErrorKind::DisplayVersion => writeln!(io::stdout(), "judge {}", env!("CARGO_PKG_VERSION")),
        _ => error.print(),
    };
    if error.use_stderr() {
        return ExitCode::from(usage_code(args));
    }
    match printed.context("stdout cannot be written").and_then(|()| stdout::flush()) {
        Err(error) if !is_broken_pipe(&error) => fail(&error, usage_code(args)),
        _ => ExitCode::SUCCESS,
    }
}
