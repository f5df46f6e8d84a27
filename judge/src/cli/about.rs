//! The commands `completions`, `man` and `protocol`, and the hidden command `bot`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;
use common::file_kind::{FileKind, ForceOption};
use common::output::Output;

use super::complete::VARIABLE;
use super::subcommand::{Program, Subcommand};

/// Print a shell's completions for this program
///
/// The completions are words of headers, the bots of judge.toml, and options with their values, also after a header.
/// The shell runs judge to get them, so judge must be on the path.
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

impl Subcommand for CompletionsArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        common::generated::print_completions(self.shell, "judge", VARIABLE)?;
        Ok(ExitCode::SUCCESS)
    }
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
    /// The command; by default, the page of the whole program is printed
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    /// Write all pages into this directory instead, which is created if it does not exist
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,
}

/// The file kind of a manual page.
const MAN_PAGE: FileKind =
    FileKind { later_text: "\n.TH judge", ..FileKind::new("a manual page", &[".ie \\n(.g "]) };

impl Subcommand for ManArgs {
    fn run(&self, Program { command_line, .. }: &Program) -> anyhow::Result<ExitCode> {
        match &self.output {
            Some(directory) => {
                common::generated::write_man_pages(command_line(), directory, MAN_PAGE, self.force.force)?;
            }
            None => common::generated::print_man_page(command_line(), self.command.as_deref())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Print the specification of the protocol between judge and bot
///
/// Prints the text of docs/protocol.md, in Markdown.
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

impl Subcommand for ProtocolArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        Output::stdout().write(|out| out.write_all(SPECIFICATION.as_bytes()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The bundled bot: plays the contestant's side of one conversation on stdin and stdout
#[derive(Debug, Args)]
pub(crate) struct BotArgs {}

impl Subcommand for BotArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        Ok(zeroxor::wire::run_on_stdio())
    }
}
