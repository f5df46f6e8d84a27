//! The program `grundy`: parses the arguments and runs the command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use common::file_kind::FileKind;
use common::file_kind::ForceOption;
use common::stdout::{ColorOption, is_broken_pipe};
use common::{generated, interrupt, program, signals, stdout, suggestions};

use crate::commands::{atlas, count, misere, octal, solve, sweep, table};

/// The exit code for wrong usage, and for a command that failed.
const USAGE: u8 = 2;

/// The environment variable that a shell sets to request completions.
const COMPLETIONS_VARIABLE: &str = "GRUNDY_COMPLETE";

/// Solves impartial subtraction games: who wins a position, tables of nimbers, proven periods with certificates, and
/// sweeps over families of games.
#[derive(Debug, Parser)]
#[command(
    name = "grundy",
    version,
    propagate_version = true,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "\
Examples:
  grundy solve 2000 3 3                    who wins, and how
  grundy table segment 1 2 --to 1000000    a summary of a table
  grundy table octal 0.77 --to 200 --period --certificate period.json
  grundy octal 0.07                        what is known about a code
  grundy misere 0.77 --to 200              the misère quotient of Kayles
  grundy sweep octal --digits 2            the periods of a family of games
  grundy help table                        the help of one command

Exit codes, unless the help of a command says more:
  0  success
  1  a check failed
  2  wrong usage, or the program could not continue"
)]
struct Grundy {
    #[command(flatten)]
    color: ColorOption,

    #[command(subcommand)]
    command: Command,
}

/// A command with its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::SolveArgs),
    Count(count::CountArgs),
    Table(table::TableArgs),
    Octal(octal::OctalArgs),
    Misere(misere::MisereArgs),
    Sweep(sweep::SweepArgs),
    Atlas(atlas::AtlasArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// The names of the commands that compute something.
pub const COMMANDS: [&str; 7] = ["solve", "count", "table", "octal", "misere", "sweep", "atlas"];

/// Print a shell's completions for this program
///
/// The shell calls `grundy`, which must be on the path, for the completions: options, their values, and the words of
/// headers.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy completions bash > ~/.local/share/bash-completion/completions/grundy
  grundy completions zsh > ~/.zfunc/_grundy
  grundy completions fish > ~/.config/fish/completions/grundy.fish

Exit codes:
  0  the completions were printed
  2  wrong usage")]
struct CompletionsArgs {
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Print a manual page
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grundy man | man -l -
  grundy man table | man -l -
  grundy man --output ~/.local/share/man/man1

Exit codes:
  0  the page was printed, or all pages were written
  2  wrong usage, or the pages could not be written")]
struct ManArgs {
    /// The command; without it the page of the whole program is printed
    #[arg(value_name = "COMMAND")]
    command: Option<String>,

    /// Write all pages into this directory instead, which is created if it does not exist
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,
}

/// The kind of a file with a manual page.
const MAN_PAGE: FileKind =
    FileKind { later_text: "\n.TH grundy", ..FileKind::new("a manual page", &[".ie \\n(.g "]) };

/// Runs the program with these arguments, which start with the program's name.
pub fn run(args: &[OsString]) -> ExitCode {
    program::set_name("grundy");
    program::set_args(args);
    if let Err(error) = stdout::ensure_writable() {
        return program::fail(&error, USAGE);
    }
    match generated::answer_completion(Grundy::command, "grundy", COMPLETIONS_VARIABLE) {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return program::refuse(&error, USAGE),
    }
    let grundy = match Grundy::try_parse_from(args) {
        Ok(grundy) => grundy,
        Err(error) => {
            let error = suggestions::suggest(error, args, &Grundy::command(), tip);
            return program::refuse(&error, USAGE);
        }
    };
    grundy.color.apply();
    if let Err(error) = signals::reset() {
        return program::fail(&error, USAGE);
    }
    let is_listing = grundy.command.is_listing();
    let result = grundy.command.run().and_then(|code| stdout::flush().map(|()| code));
    interrupt::await_end();
    interrupt::prepare_exit();
    result.unwrap_or_else(|error| match is_broken_pipe(&error) {
        true if is_listing => ExitCode::SUCCESS,
        true => {
            program::fail(&error.context("the output pipe was closed before all output was written"), USAGE)
        }
        false => program::fail(&error, USAGE),
    })
}

/// Returns the hint for a word that is not a command.
fn tip(command: &clap::Command, word: &str) -> Option<String> {
    (word == "nim" && command.get_name() == "table")
        .then(|| "there is no table of nim: the nimber of a pile is its size".to_owned())
}

impl Command {
    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Solve(args) => solve::solve(args),
            Self::Count(args) => count::count(args),
            Self::Table(args) => table::table(args),
            Self::Octal(args) => octal::octal(args),
            Self::Misere(args) => misere::misere(args),
            Self::Sweep(args) => sweep::sweep(args),
            Self::Atlas(args) => atlas::atlas(args),
            Self::Completions(args) => {
                generated::print_completions(args.shell, "grundy", COMPLETIONS_VARIABLE)?;
                Ok(ExitCode::SUCCESS)
            }
            Self::Man(args) => {
                match &args.output {
                    Some(directory) => {
                        generated::write_man_pages(Grundy::command(), directory, MAN_PAGE, args.force.force)?;
                    }
                    None => generated::print_man_page(Grundy::command(), args.command.as_deref())?,
                }
                Ok(ExitCode::SUCCESS)
            }
        }
    }

    /// Checks whether the command only prints: the reader of its output may then close the pipe early.
    fn is_listing(&self) -> bool {
        match self {
            // Verifying a certificate is a check, not a listing.
            Self::Table(args) => args.verify.is_none(),
            Self::Sweep(_) => false,
            Self::Solve(_)
            | Self::Count(_)
            | Self::Octal(_)
            | Self::Misere(_)
            | Self::Atlas(_)
            | Self::Completions(_)
            | Self::Man(_) => true,
        }
    }
}
