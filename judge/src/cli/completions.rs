//! `judge completions`: the completions of the judge's arguments for a shell.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;

/// Print a shell's completions for this program
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
    // Not written to stdout directly, because the generator panics if its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible_commands(), "judge", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// The judge's commands without the hidden ones, which the generators would include.
fn visible_commands() -> Command {
    let all = Cli::command();
    let commands = all.get_subcommands().filter(|command| !command.is_hide_set());
    Command::new("judge")
        .version(env!("CARGO_PKG_VERSION"))
        .args(all.get_arguments())
        .subcommands(commands.cloned())
}
