//! `judge man`.

use std::path::PathBuf;

use clap::Args;

/// Print a manual page
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge man | man -l -
  judge man run | man -l -
  judge man --output ~/.local/share/man/man1

Exit codes:
  0  it was printed
  2  wrong usage, or the pages could not be written")]
pub(crate) struct ManArgs {
    /// The command; without it the page is that of the whole program
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    /// Write all pages into this directory instead
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) output: Option<PathBuf>,
}
