//! Completes a program's arguments in a shell. The shell asks the program itself.

use std::ffi::OsStr;
use std::io::{self, Write};

use anyhow::Context;
use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::{CompleteEnv, Shells};

use crate::suggestions::visible;

/// Prints completions and returns true if a shell started this process to complete arguments. In this case, the shell
/// has set the environment variable `variable`.
///
/// # Errors
///
/// If the completions cannot be written.
pub fn answer(
    program: fn() -> Command,
    name: &'static str,
    variable: &'static str,
) -> Result<bool, clap::Error> {
    let here = std::env::current_dir().ok();
    let env = CompleteEnv::with_factory(|| without_hidden(&program(), name))
        .var(variable)
        .bin(name)
        .completer(name);
    env.try_complete(std::env::args_os(), here.as_deref())
}

/// Returns the program without its hidden commands, which clap would offer if no other command fits.
fn without_hidden(program: &Command, name: &'static str) -> Command {
    Command::new(name).args(program.get_arguments()).subcommands(visible(program).cloned())
}

/// Prints the script that makes a shell complete the arguments of a program.
///
/// # Errors
///
/// If the script cannot be written.
pub fn print(shell: Shell, name: &str, variable: &str) -> anyhow::Result<()> {
    let shells = Shells::builtins();
    let shell = shell.to_possible_value().context("expected the name of a shell")?;
    let shell = shells.completer(shell.get_name()).context("expected a known shell")?;
    let mut script = Vec::new();
    shell.write_registration(variable, name, name, name, &mut script)?;
    io::stdout().write_all(&script)?;
    Ok(())
}

/// Returns the names that begin with the typed text.
pub fn starting_with<'a>(
    current: &OsStr,
    names: impl IntoIterator<Item = &'a str>,
) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let names = names.into_iter().filter(|name| name.starts_with(current));
    names.map(CompletionCandidate::new).collect()
}
