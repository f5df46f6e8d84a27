//! What is generated from the declaration of a program's arguments: completions, for which the shell asks the program
//! itself, and manual pages.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::{CompleteEnv, Shells};
use clap_mangen::Man;

use crate::file_kind::FileKind;
use crate::suggestions::{did_you_mean, visible};

/// Prints completions and returns true if a shell started this process to complete arguments. In this case, the shell
/// has set the environment variable `variable`.
///
/// # Errors
///
/// If the completions cannot be written.
pub fn answer_completion(
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
pub fn print_completions(shell: Shell, name: &str, variable: &str) -> anyhow::Result<()> {
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

/// Prints the page of a program, or of one of its commands.
///
/// # Errors
///
/// If there is no such command, or the page cannot be written.
pub fn print_man_page(program: Command, command: Option<&str>) -> anyhow::Result<()> {
    let program = built(program);
    let page = match command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .filter(|command| !command.is_hide_set())
            .with_context(|| {
                let names = visible(&program).map(Command::get_name);
                let suggestion = did_you_mean(name, names);
                format!("expected a command of {}, got {name:?}{suggestion}", program.get_name())
            })?
            .clone(),
    };
    Man::new(page).render(&mut io::stdout())?;
    Ok(())
}

/// Writes all pages of a program into a directory, which is created if it does not exist. `kind` distinguishes the
/// pages from other files.
///
/// # Errors
///
/// If the pages cannot be written, or would replace other files and `force` is not set.
pub fn write_man_pages(
    program: Command,
    directory: &Path,
    kind: FileKind,
    force: bool,
) -> anyhow::Result<()> {
    let program = built(program);
    kind.ensure_all_replaceable((program.get_name(), ".1"), directory, force)?;
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(program, directory))
        .with_context(|| format!("the pages cannot be written to {}", directory.display()))
}

/// Prepares the program for its pages: the pages of its commands are named "judge-run" and so on.
fn built(program: Command) -> Command {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    program
}
