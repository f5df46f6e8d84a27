//! Tasks of the repository itself, run as `cargo xtask TASK`.

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod conditions;
mod inline;
mod submission;

/// Tasks of the repository itself
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Write the bot as one file for AtCoder: `submission/abc278_g.rs`
    ///
    /// The file is the library without its optional features, its modules inlined, tests and documentation left out.
    #[command(after_help = "\
Exit codes:
  0  the file is written; with --check: it is current
  1  with --check: the file is not current
  2  wrong usage, or the sources cannot be read or the file cannot be written")]
    Submission {
        /// Write nothing, and fail if the file is not what would be written
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let Cli { task } = Cli::parse();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let result = match task {
        Task::Submission { check: true } => submission::check(&root),
        Task::Submission { check: false } => submission::write(&root),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}
