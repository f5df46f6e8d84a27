//! Files that are written whole or not at all.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, ensure};
use tempfile::Builder;

/// Writes a file; what stood there before stays until the new text is complete.
///
/// # Errors
///
/// If there is no such directory, if something else than a file stands there, or if it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let shown = path.display();
    // The file itself is replaced, not a link to it.
    let path = match fs::metadata(path) {
        Ok(found) => {
            ensure!(found.is_file(), "expected a file to write to, {shown} is something else");
            &fs::canonicalize(path).with_context(|| format!("{shown} cannot be found"))?
        }
        Err(_) => path,
    };
    let directory = path.parent().filter(|parent| *parent != "").unwrap_or(Path::new("."));
    // What a new file may be, less what the user's mask forbids.
    let permissions = Permissions::from_mode(0o666);
    let new = Builder::new().permissions(permissions).tempfile_in(directory);
    let written = new.and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        new.as_file().sync_all()?;
        Ok(new.persist(path)?)
    });
    written.map(drop).with_context(|| format!("{shown} cannot be written"))
}
