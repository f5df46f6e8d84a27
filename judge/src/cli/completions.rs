//! `judge completions`: the completions of the judge's arguments for a shell.

use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use super::complete::VARIABLE;

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
