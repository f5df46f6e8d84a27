//! The command `completions`, and the hidden command `bot`.

use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use crate::cli::complete;
use crate::cli::subcommand::{Program, Subcommand};

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
        complete::print_script(self.shell)?;
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
