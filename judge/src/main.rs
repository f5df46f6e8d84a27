//! The local judge: referees any bot, in any language, and says what went wrong and why.

mod bundle;
mod classic;
mod cli;
mod commands;
mod conversation;
mod course;
mod event;
mod file;
mod idleness;
mod interop;
mod interrupt;
mod limits;
mod lint;
mod nanos;
mod output;
mod picture;
mod play;
mod player;
mod referee;
mod rehearsal;
mod report;
mod review;
mod rules;
mod sandbox;
mod selftest;
mod series;
mod stress;
mod tabulate;
mod terms;
mod transcript;
mod verdict;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use signal_hook::consts::SIGXFSZ;

use cli::{Cli, Command};
use interop::style::usage_code;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    cli.color.write_global();
    // A file beyond the limit on sizes fails the write, like a full disk, and does not end the judge and
    // leave the bot.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let done = match cli.command {
        None => commands::demo::demo(),
        Some(Command::Run(args)) => commands::run::run(&args),
        Some(Command::Interact(args)) => Ok(commands::interact::interact(&args)),
        Some(Command::Test(args)) => commands::test::test(&args),
        Some(Command::Tester(args)) => commands::tester::tester(&args),
        Some(Command::Export(args)) => commands::export::export(&args),
        Some(Command::Stress(args)) => commands::stress::stress(&args),
        Some(Command::Worker(args)) => commands::worker::worker(&args),
        Some(Command::Replay(args)) => commands::replay::replay(&args),
        Some(Command::Play(args)) => commands::play::play(&args),
        Some(Command::Solve(args)) => commands::solve::solve(&args),
        Some(Command::Count(args)) => commands::count::count(&args),
        Some(Command::Table(args)) => commands::table::table(&args),
        Some(Command::Bundle(args)) => commands::bundle::bundle(&args),
        #[cfg(target_os = "linux")]
        Some(Command::Launch(args)) => Ok(commands::launch::launch(&args)),
        Some(Command::Bot) => Ok(zeroxor::bot::run()),
        Some(Command::Lint(args)) => commands::lint::lint(&args),
        Some(Command::Completions(args)) => commands::completions::completions(&args),
        Some(Command::Man(args)) => commands::man::man(&args),
        Some(Command::Selftest(args)) => commands::selftest::selftest(&args),
        Some(Command::Hostile { name }) => selftest::act::become_bot(&name),
    };
    done.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        // Nobody may be left to read it. Judges that work side by side write at the same time: a line at
        // once.
        let _ = io::stderr().write_all(format!("judge: {error:#}\n").as_bytes());
        ExitCode::from(2)
    })
}

/// Help and versions are no errors.
fn refuse(error: &clap::Error) -> ExitCode {
    // Nobody may be left to read it.
    let _ = error.print();
    if error.use_stderr() {
        let args: Vec<OsString> = std::env::args_os().collect();
        ExitCode::from(usage_code(&args))
    } else {
        ExitCode::SUCCESS
    }
}

/// Whether the judge's own reader has hung up, as in `judge run ... | head`: no error of anybody's.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
