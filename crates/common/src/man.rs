//! Manual pages, generated from the help texts.

use std::path::Path;
use std::{fs, io};

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;

use crate::file_kind::FileKind;
use crate::suggestions::{did_you_mean, visible};

/// Prints the page of a program, or of one of its commands.
///
/// # Errors
///
/// If there is no such command, or the page cannot be written.
pub fn print(program: Command, command: Option<&str>) -> anyhow::Result<()> {
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
pub fn write_all(program: Command, directory: &Path, kind: FileKind, force: bool) -> anyhow::Result<()> {
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
