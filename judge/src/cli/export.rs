//! `judge export`: writes a problem package.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;
use tempfile::Builder;

use super::subcommand::{Program, Subcommand};
use crate::interop::package::{FileContent, Package, PackageFormat};
use common::interrupt;
use common::interrupt::interrupted;

/// Write the game of cards as a problem package for this judge
#[derive(Debug, Args)]
#[command(after_help = "\
The package has a statement in English, samples, secret data, an input validator, accepted and \
rejected submissions, and an output validator, which runs a copy of this judge.

Examples:
  judge export --format icpc cards      for bt and others of version 2025-09
  judge export --format legacy cards    for verifyproblem and Kattis

Exit codes:
  0  the package is written
  2  wrong usage, the directory exists already, or the package could not be
     written")]
pub(crate) struct ExportArgs {
    /// The format of the package
    #[arg(long, value_enum, default_value_t = PackageFormat::Icpc, value_name = "NAME")]
    pub(crate) format: PackageFormat,

    /// The directory to create; its name, of a-z and 0-9, is the problem's short name
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

/// The permissions of a file that everybody may read.
const READABLE: u32 = 0o644;

/// The permissions of a file that everybody may read and execute.
const EXECUTABLE: u32 = 0o755;

impl Subcommand for ExportArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        let directory = &self.directory;
        let name = directory.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_short = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        ensure!(
            !name.is_empty() && is_short,
            "expected a directory whose name has only a-z and 0-9, got {}",
            directory.display()
        );
        ensure!(
            fs::symlink_metadata(directory).is_err(),
            "{} exists already: choose another directory",
            directory.display()
        );
        let package = Package::new(self.format);
        interrupt::watch()?;
        write(&package, directory)
            .inspect_err(|_| interrupt::end_if_interrupted())
            .with_context(|| format!("the package {} cannot be written", directory.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the package to a temporary directory with the same parent, and renames that directory when the package is
/// complete.
fn write(package: &Package, directory: &Path) -> anyhow::Result<()> {
    let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(!interrupted(), "interrupted");
    let temporary = Builder::new().prefix(".export").tempdir_in(parent)?;
    for (path, content) in &package.files {
        ensure!(!interrupted(), "interrupted");
        write_file(&temporary.path().join(path), content).with_context(|| path.clone())?;
    }
    fs::set_permissions(temporary.path(), Permissions::from_mode(EXECUTABLE))?;
    ensure!(!interrupted(), "interrupted");
    fs::rename(temporary.path(), directory)?;
    let _ = temporary.keep();
    Ok(())
}

fn write_file(path: &Path, content: &FileContent) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mode = match content {
        FileContent::Text(text) => {
            fs::write(path, text)?;
            READABLE
        }
        FileContent::Script(text) => {
            fs::write(path, text)?;
            EXECUTABLE
        }
        FileContent::Judge => {
            let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
            fs::copy(judge, path)?;
            EXECUTABLE
        }
    };
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    Ok(())
}
