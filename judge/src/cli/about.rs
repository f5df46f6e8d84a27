//! What the judge prints about itself: completions, manual pages, and the specification of the protocol.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use common::file_kind::{FileKind, ForceOption};
use common::output::Output;

use super::complete::VARIABLE;
use super::{Cli, complete};

/// Print a shell's completions for this program
///
/// The shell then asks the judge itself, which must be on the path. It offers options and their values, also after a
/// header, the words of headers, and the bots of judge.toml.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge completions bash > ~/.local/share/bash-completion/completions/judge
  judge completions zsh > ~/.zfunc/_judge
  judge completions fish > ~/.config/fish/completions/judge.fish

Exit codes:
  0  the completions were printed
  2  wrong usage")]
pub(crate) struct CompletionsArgs {
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    common::completions::print(args.shell, "judge", VARIABLE)?;
    Ok(ExitCode::SUCCESS)
}

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

/// Print the specification of the protocol between judge and bot
///
/// It is the text of docs/protocol.md, in Markdown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge protocol
  judge protocol | less

Exit codes:
  0  the specification was printed
  2  wrong usage, or it could not be written")]
pub(crate) struct ProtocolArgs {}

const SPECIFICATION: &str = include_str!("../../../docs/protocol.md");

pub(crate) fn protocol() -> anyhow::Result<ExitCode> {
    Output::stdout().write(|out| out.write_all(SPECIFICATION.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}
