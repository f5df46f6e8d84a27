//! `judge man`: the manual pages, generated from the help texts.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use common::file_kind::{FileKind, ForceOption};

use super::{Cli, complete};

/// Print a manual page
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge man | man -l -
  judge man run | man -l -
  judge man --output ~/.local/share/man/man1

Exit codes:
  0  the page was printed, or all pages were written
  2  wrong usage, or the pages could not be written")]
pub(crate) struct ManArgs {
    /// The command; without it the page of the whole program is printed
    #[arg(add = complete::command(), value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    /// Write all pages into this directory instead, which is created if it does not exist
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,
}

/// The kind of a page.
const MAN_PAGE: FileKind =
    FileKind { then: "\n.TH judge", ..FileKind::new("a manual page", &[".ie \\n(.g "]) };

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    match &args.output {
        Some(directory) => common::man::write_all(Cli::command(), directory, MAN_PAGE, args.force.force)?,
        None => common::man::print(Cli::command(), args.command.as_deref())?,
    }
    Ok(ExitCode::SUCCESS)
}
