//! Files that are written whole or not at all.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use tempfile::{Builder, NamedTempFile};

use crate::process::interrupt::{self, interrupted};

/// A file in the making: until it is kept nothing changes at its path, and if it is dropped nothing stays.
pub(crate) struct Draft {
    path: PathBuf,
    /// It begins with the first bytes: while those are computed there is nothing that a signal could leave.
    new: Option<NamedTempFile>,
}

impl Draft {
    /// A file to be written at this path, which may lead there by links.
    ///
    /// # Errors
    ///
    /// If there is no such directory or link, or if the file may not be written.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let path = place(path)?;
        // A bad directory is known before any work is done. A directory has an entry ".", a file has none.
        access(directory(&path).join("."), Access::WRITE_OK | Access::EXEC_OK)?;
        Ok(Self { path, new: None })
    }

    /// The path that it will have, without links: two drafts of one file have the same.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in its place.
    pub(crate) fn keep(self) -> io::Result<()> {
        let new = match self.new {
            Some(new) => new,
            None => begin(&self.path)?,
        };
        new.as_file().sync_all()?;
        new.persist(self.path)?;
        Ok(())
    }
}

/// Where a file is or will be, without links.
fn place(path: &Path) -> io::Result<PathBuf> {
    if path.exists() {
        // The file itself is replaced, not a link to it, and only by those who may write to it.
        OpenOptions::new().append(true).open(path)?;
        return fs::canonicalize(path);
    }
    if path.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it is a link that leads nowhere"));
    }
    match path.file_name() {
        Some(name) if path.as_os_str().as_bytes().ends_with(name.as_bytes()) => {
            Ok(fs::canonicalize(directory(path))?.join(name))
        }
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "expected the name of a file, not of a directory",
        )),
    }
}

/// Where a file of this path lies.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Begins a file beside its place.
fn begin(path: &Path) -> io::Result<NamedTempFile> {
    // What a new file may be, less what the user's mask forbids.
    let permissions = Permissions::from_mode(0o666);
    let new = Builder::new().permissions(permissions).tempfile_in(directory(path));
    // The error's own words would name the draft.
    let new = new.map_err(|error| error.kind())?;
    if let Ok(found) = fs::metadata(path) {
        new.as_file().set_permissions(found.permissions())?;
    }
    Ok(new)
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let new = if let Some(new) = &mut self.new {
            new
        } else {
            interrupt::watch().map_err(io::Error::other)?;
            self.new.insert(begin(&self.path)?)
        };
        if interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        // Through the file itself: errors of `new` would name the draft.
        new.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
