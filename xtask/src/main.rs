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
    /// The file contains the library without its optional features, with modules inlined, and without tests and most
    /// documentation.
    #[command(after_help = "\
Exit codes:
  0  the file was written, or is current (with --check)
  1  the file is not current (with --check)
  2  wrong usage, or the sources cannot be read or the file cannot be written")]
    Submission {
        /// Check that the file is current instead of writing it
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
