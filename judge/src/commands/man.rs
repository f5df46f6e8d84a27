//! `judge man`: the manual pages, made of what `--help` says.

use std::io;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::cli::man::ManArgs;

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let mut program = Cli::command().disable_help_subcommand(true);
    // Names the pages of the commands "judge-run" and so on.
    program.build();
    if let Some(directory) = &args.output {
        clap_mangen::generate_to(program, directory)
            .with_context(|| format!("the pages cannot be written to {}", directory.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let page = match &args.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .with_context(|| format!("expected a command of the judge, got {name:?}"))?
            .clone(),
    };
    Man::new(page).render(&mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
