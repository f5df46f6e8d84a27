//! `judge completions`: the completions of the judge's arguments for a shell.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap::ValueEnum;
use clap_complete::Shell;
use clap_complete::env::Shells;

use super::complete::VARIABLE;

/// Print a shell's completions for this program
///
/// The shell then asks the judge itself, which must be on the path. It offers options and their values, also behind a
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
    let shells = Shells::builtins();
    let name = args.shell.to_possible_value().context("expected the name of a shell")?;
    let shell = shells.completer(name.get_name()).context("expected a shell that is known")?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "judge", "judge", "judge", &mut script)?;
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
