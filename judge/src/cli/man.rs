//! `judge man`: the manual pages, generated from the help texts.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::complete;
use super::force_option::ForceOption;
use super::mistyped::visible;
use crate::cli::Cli;
use crate::report::file_kind::FileKind;
use crate::spelling::did_you_mean;

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
    let mut program = Cli::command().disable_help_subcommand(true);
    // After this the pages of the commands are named "judge-run" and so on.
    program.build();
    if let Some(directory) = &args.output {
        MAN_PAGE.ensure_all_replaceable(("judge", ".1"), directory, args.force.force)?;
        fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(program, directory))
            .with_context(|| format!("the pages cannot be written to {}", directory.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let page = match &args.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .filter(|command| !command.is_hide_set())
            .with_context(|| {
                let names = visible(&program).map(Command::get_name);
                format!("expected a command of the judge, got {name:?}{}", did_you_mean(name, names))
            })?
            .clone(),
    };
    Man::new(page).render(&mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
