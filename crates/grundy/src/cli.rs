//! The command line: the commands, completions, and the exit code.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use itertools::Itertools;
use zeroxor::GameKind;

use crate::commands::{count, misere, octal, plot, solve, table};

/// The exit code for wrong usage, and for a command that failed.
const FAILED: u8 = 2;

/// The environment variable that a shell sets to request completions.
const COMPLETIONS_VARIABLE: &str = "GRUNDY_COMPLETE";

/// Solves impartial games: who wins a position, tables of nimbers, proven periods and misère quotients.
#[derive(Debug, Parser)]
#[command(
    name = "grundy",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "\
Examples:
  grundy solve 2000 3 3                    who wins, and how
  grundy table segment 1 2 --to 1000000    a summary of a table
  grundy table octal 0.77 --to 200 --period
  grundy plot octal 0.77 --to 200 --output kayles.svg
  grundy octal 0.07                        what is known about a code
  grundy misere 0.77 --to 200              the misère quotient of Kayles
  grundy help table                        the help of one command

Exit codes, unless the help of a command says more:
  0  success
  2  wrong usage, or the program could not continue"
)]
struct Grundy {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::SolveArgs),
    Count(count::CountArgs),
    Table(table::TableArgs),
    Plot(plot::PlotArgs),
    Octal(octal::OctalArgs),
    Misere(misere::MisereArgs),
    Completions(CompletionsArgs),
}

/// Print a shell's completions for this program
///
/// The shell calls `grundy`, which must be on the path, for the completions: options, their values, and the words of
/// headers.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy completions bash > ~/.local/share/bash-completion/completions/grundy
  grundy completions zsh > ~/.zfunc/_grundy
  grundy completions fish > ~/.config/fish/completions/grundy.fish")]
struct CompletionsArgs {
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run() -> ExitCode {
    // Answers and exits if a shell asks for completions.
    CompleteEnv::with_factory(Grundy::command)
        .var(COMPLETIONS_VARIABLE)
        .bin("grundy")
        .completer("grundy")
        .complete();
    let done = Grundy::parse().command.run().and_then(|code| {
        io::stdout().flush().context("stdout cannot be written")?;
        Ok(code)
    });
    done.unwrap_or_else(|error| {
        // The reader has closed the pipe, as in `grundy table ... | head`.
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        print_error(&format!("{error:#}"));
        ExitCode::from(FAILED)
    })
}

pub(crate) fn print_error(message: &str) {
    // Ignore an error, because the reader may have closed stderr.
    let _ = writeln!(io::stderr(), "grundy: {message}");
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

impl Command {
    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Solve(args) => solve::solve(args),
            Self::Count(args) => count::count(args),
            Self::Table(args) => table::table(args),
            Self::Plot(args) => plot::plot(args),
            Self::Octal(args) => octal::octal(args),
            Self::Misere(args) => misere::misere(args),
            Self::Completions(args) => completions(args.shell),
        }
    }
}

fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    let shells = Shells::builtins();
    let shell = shell.to_possible_value().context("expected the name of a shell")?;
    let shell = shells.completer(shell.get_name()).context("expected a known shell")?;
    shell.write_registration(COMPLETIONS_VARIABLE, "grundy", "grundy", "grundy", &mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn header_words() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        starting_with(current, ["misere", "+"].into_iter().chain(rule_words()))
    })
}

pub(crate) fn rules_words() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| starting_with(current, rule_words()))
}

/// The names of games, and the words of their clauses.
fn rule_words() -> impl Iterator<Item = &'static str> {
    let clauses = GameKind::all().flat_map(GameKind::keywords).copied();
    GameKind::all().map(GameKind::name).chain(clauses).unique()
}

fn starting_with(current: &OsStr, words: impl Iterator<Item = &'static str>) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    words.filter(|word| word.starts_with(current)).map(CompletionCandidate::new).collect()
}
