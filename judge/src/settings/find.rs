//! Where `judge.toml` is.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use anyhow::ensure;
use rustix::process::geteuid;

use super::FILE;

/// The file in the current directory, or in the nearest directory above it that has one.
///
/// # Errors
///
/// If it belongs to another user, whose commands would be run as those of this one.
pub(crate) fn find() -> anyhow::Result<Option<PathBuf>> {
    let Ok(here) = env::current_dir() else { return Ok(None) };
    let Some(file) = here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.is_file()) else {
        return Ok(None);
    };
    let owner = fs::metadata(&file)?.uid();
    ensure!(
        owner == geteuid().as_raw() || owner == 0,
        "{} belongs to another user, {owner}, and can name commands that the judge starts: if you trust it, type \
         \"--config {}\"; else type \"--config /dev/null\"",
        file.display(),
        file.display()
    );
    Ok(Some(file))
}
