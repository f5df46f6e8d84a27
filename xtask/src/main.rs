//! Tasks of the repository itself, run as `cargo xtask TASK`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

mod conditions;
mod inline;
mod licenses;
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

    /// Print the licences of the repository and of all crates that a package of python/ is linked with
    #[command(after_help = "\
Examples:
  cargo xtask licenses zeroxor-judge > python/judge/LICENSES.txt

Exit codes:
  0  the licences were printed
  2  wrong usage, or the sources of the crates cannot be read")]
    Licenses {
        /// The package: zeroxor-judge or zeroxor-python
        package: String,
    },

    /// Print the section of a version in CHANGELOG.md: the notes of its release
    #[command(after_help = "\
Exit codes:
  0  the section was printed
  2  wrong usage, or there is no such section")]
    Notes {
        /// The version, such as 0.2.0
        version: String,
    },
}

/// Returns the lines of CHANGELOG.md below the heading of a version, which is followed by its date.
fn notes(root: &Path, version: &str) -> anyhow::Result<String> {
    let changes =
        std::fs::read_to_string(root.join("CHANGELOG.md")).context("CHANGELOG.md cannot be read")?;
    let heading = format!("{version} - ");
    let section = changes.split("\n## ").find(|section| section.starts_with(&heading));
    let section =
        section.with_context(|| format!("CHANGELOG.md has no section \"## {version} - DATE\": add it"))?;
    Ok(section.lines().skip(1).flat_map(|line| [line, "\n"]).collect::<String>().trim_start().to_owned())
}

fn main() -> ExitCode {
    let Cli { task } = Cli::parse();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let print = |text: String| {
        print!("{text}");
        true
    };
    let result = match task {
        Task::Submission { check: true } => submission::check(&root),
        Task::Submission { check: false } => submission::write(&root),
        Task::Licenses { package } => licenses::collect(&root, &package).map(print),
        Task::Notes { version } => notes(&root, &version).map(print),
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
