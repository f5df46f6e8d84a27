//! `judge export`: a problem package.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;
use tempfile::Builder;

use crate::interop::package::Format;
use crate::interop::package::{Content, Package};
use crate::process::interrupt::{self, interrupted};

/// Write the game of cards as a problem package, with this judge as its output validator
#[derive(Debug, Args)]
#[command(after_help = "\
The package has a statement in English, samples, secret data, an input validator, submissions that are accepted \
and that are not, and an output validator that runs the judge it carries: this very executable.

Examples:
  judge export --format icpc cards      for bt and other tools that know 2025-09
  judge export --format legacy cards    for verifyproblem and Kattis

Exit codes:
  0  the package is written
  2  wrong usage, there is something of that name already, or it could not be
     written")]
pub(crate) struct ExportArgs {
    /// Which format
    #[arg(long, value_enum, default_value_t = Format::Icpc, value_name = "NAME")]
    pub(crate) format: Format,

    /// The directory to be made; its name, of a-z and 0-9, is the problem's short name
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

/// Who may do what with a file: everybody may read it, and some everybody may execute.
const READABLE: u32 = 0o644;
const EXECUTABLE: u32 = 0o755;

pub(crate) fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let directory = &args.directory;
    let name = directory.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_short = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    ensure!(
        !name.is_empty() && is_short,
        "expected a directory whose name has only a-z and 0-9, got {}",
        directory.display()
    );
    ensure!(fs::symlink_metadata(directory).is_err(), "{} is there already", directory.display());
    let package = Package::new(args.format);
    interrupt::watch()?;
    write(&package, directory)
        .inspect_err(|_| interrupt::end_if_interrupted())
        .with_context(|| format!("the package {} cannot be written", directory.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the package beside its place, and puts it there when it is complete.
fn write(package: &Package, directory: &Path) -> anyhow::Result<()> {
    let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let draft = Builder::new().prefix(".export").tempdir_in(parent)?;
    for (path, content) in &package.files {
        ensure!(!interrupted(), "interrupted");
        write_file(&draft.path().join(path), content).with_context(|| path.clone())?;
    }
    fs::set_permissions(draft.path(), Permissions::from_mode(EXECUTABLE))?;
    ensure!(!interrupted(), "interrupted");
    fs::rename(draft.path(), directory)?;
    let _ = draft.keep();
    Ok(())
}

fn write_file(path: &Path, content: &Content) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mode = match content {
        Content::Text(text) => {
            fs::write(path, text)?;
            READABLE
        }
        Content::Script(text) => {
            fs::write(path, text)?;
            EXECUTABLE
        }
        Content::Judge => {
            let judge = std::env::current_exe().context("the judge does not know its own path")?;
            fs::copy(judge, path)?;
            EXECUTABLE
        }
    };
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    Ok(())
}
