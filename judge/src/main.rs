//! The local judge: referees any bot, in any language, and says what went wrong and why.

mod classic;
mod cli;
mod commands;
mod conversation;
mod interrupt;
mod picture;
mod play;
mod player;
mod referee;
mod report;
mod review;
mod rules;
mod series;
mod tabulate;
mod verdict;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        None => commands::demo::demo(),
        Some(Command::Run(args)) => commands::run::run(&args),
        Some(Command::Play(args)) => commands::play::play(&args),
        Some(Command::Solve(args)) => commands::solve::solve(&args),
        Some(Command::Count(args)) => commands::count::count(&args),
        Some(Command::Table(args)) => commands::table::table(&args),
        Some(Command::Bot) => Ok(zeroxor::bot::run()),
    };
    done.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        // Nobody may be left to read it.
        let _ = writeln!(io::stderr(), "judge: {error:#}");
        ExitCode::from(2)
    })
}

/// Whether the judge's own reader has hung up, as in `judge run ... | head`: no error of anybody's.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
