//! Files that are written whole or not at all.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tempfile::{Builder, NamedTempFile};

/// Writes a file; what stood there before stays until the new text is complete.
///
/// # Errors
///
/// If there is no such directory, if something else than a file stands there, or if it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut draft = Draft::new(path)?;
    let written = draft.write_all(text.as_bytes()).and_then(|()| draft.keep());
    written.with_context(|| format!("{} cannot be written", path.display()))
}

/// A file in the making: until it is kept nothing changes at its path, and if it is dropped nothing stays.
pub(crate) struct Draft {
    new: NamedTempFile,
    path: PathBuf,
}

impl Draft {
    /// Begins a file beside its place.
    ///
    /// # Errors
    ///
    /// If there is no such directory, if something else than a file is there, or if it may not be written.
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("{} cannot be written", path.display());
        let found = fs::metadata(path).ok();
        let is_file = found.as_ref().is_none_or(fs::Metadata::is_file);
        ensure!(is_file, "expected a file to write to, {} is something else", path.display());
        let directory = path.parent().filter(|parent| *parent != "").unwrap_or(Path::new("."));
        let place = match (&found, path.file_name()) {
            // The file itself is replaced, not a link to it, and only by those who may write to it.
            (Some(_), _) => OpenOptions::new().append(true).open(path).and_then(|_| fs::canonicalize(path)),
            (None, Some(name)) => fs::canonicalize(directory).map(|directory| directory.join(name)),
            (None, None) => Err(io::ErrorKind::NotFound.into()),
        };
        let path = place.with_context(cannot)?;
        let directory = path.parent().unwrap_or(Path::new("/"));
        // What a new file may be, less what the user's mask forbids.
        let permissions = Permissions::from_mode(0o666);
        let new = Builder::new().permissions(permissions).tempfile_in(directory).with_context(cannot)?;
        if let Some(found) = found {
            new.as_file().set_permissions(found.permissions()).with_context(cannot)?;
        }
        Ok(Self { new, path })
    }

    /// The path that it will have, without links: two drafts of one file have the same.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in its place.
    pub(crate) fn keep(self) -> io::Result<()> {
        self.new.as_file().sync_all()?;
        self.new.persist(self.path)?;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
    }
}
