//! Files that are written safely: completely or not at all, or by one process at a time.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Access, access};
use rustix::io::Errno;
use tempfile::{Builder, NamedTempFile};

use crate::interrupt;
use crate::interrupt::interrupted;
use crate::program::print_error;

/// A file that is written completely or not at all. Before [`Self::commit`], an old file at its path does not change,
/// and dropping this value leaves nothing behind.
pub(crate) struct AtomicFile {
    path: PathBuf,
    /// The temporary file. It is created at the first write, so that a signal before the first write leaves no file
    /// behind.
    temporary: Option<NamedTempFile>,
}

impl AtomicFile {
    /// Prepares a file for this path. Links are followed.
    ///
    /// # Errors
    ///
    /// If the directory or the target of a link does not exist, or the user is not allowed to write the file.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let path = target_path(path)?;
        // Report an error of the directory before any computation. Only a directory has an entry ".".
        access(directory(&path).join("."), Access::WRITE_OK | Access::EXEC_OK)?;
        Ok(Self { path, temporary: None })
    }

    /// Moves the temporary file to its path.
    pub(crate) fn commit(self) -> io::Result<()> {
        let temporary = match self.temporary {
            Some(temporary) => temporary,
            None => create_temporary(&self.path)?,
        };
        temporary.as_file().sync_all()?;
        temporary.persist(self.path)?;
        Ok(())
    }
}

/// Returns the path of an existing or future file, with links resolved.
fn target_path(path: &Path) -> io::Result<PathBuf> {
    if path.exists() {
        // Replace the file itself, not a link to it, and only if the user may write to the file.
        OpenOptions::new().append(true).open(path)?;
        return fs::canonicalize(path);
    }
    if path.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it is a link to a file that does not exist"));
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

/// Returns the directory of a file.
pub fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file in the directory of a path.
fn create_temporary(path: &Path) -> io::Result<NamedTempFile> {
    // The usual permissions of a new file. The system removes the permissions that the umask forbids.
    let permissions = Permissions::from_mode(0o666);
    let new = Builder::new().permissions(permissions).tempfile_in(directory(path));
    // The text of the original error would name the temporary file.
    let new = new.map_err(|error| error.kind())?;
    if let Ok(found) = fs::metadata(path) {
        new.as_file().set_permissions(found.permissions())?;
    }
    Ok(new)
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.temporary.is_none() {
            interrupt::watch().map_err(io::Error::other)?;
        }
        if interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        let temporary = match &mut self.temporary {
            Some(temporary) => temporary,
            none => none.insert(create_temporary(&self.path)?),
        };
        // Use the file inside: errors of `temporary` itself would name the temporary file.
        temporary.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Time between two attempts to lock a file that another process has locked.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// How long to wait for another process's file lock.
pub struct LockWait {
    deadline: Instant,
    /// Whether the wait has been announced on stderr.
    is_announced: bool,
}

impl LockWait {
    /// Makes a wait of length zero: [`Self::lock`] tries once.
    pub fn none() -> Self {
        Self { deadline: Instant::now(), is_announced: false }
    }

    /// Makes a wait of up to 30 s, because a scheduler may start a task again while its old process is still ending.
    pub fn up_to_30_seconds() -> Self {
        Self { deadline: Instant::now() + Duration::from_secs(30), is_announced: false }
    }

    /// Locks a file. Returns `false` if another process still holds the lock at the deadline.
    ///
    /// # Errors
    ///
    /// If the file cannot be locked.
    pub fn lock(&mut self, file: &File, path: &Path) -> io::Result<bool> {
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(true),
                Err(TryLockError::WouldBlock) if Instant::now() >= self.deadline => return Ok(false),
                Err(TryLockError::WouldBlock) => {
                    if !self.is_announced {
                        let path = path.display();
                        print_error(format_args!("waiting for another process that is writing to {path}"));
                        self.is_announced = true;
                    }
                    thread::sleep(RETRY_INTERVAL);
                }
                // Continue without a lock: some cluster file systems have none.
                Err(TryLockError::Error(error)) if has_no_locks(&error) => return Ok(true),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// Waits until no other process has locked a file, and locks it. Use this only for files that are locked briefly.
///
/// # Errors
///
/// If the file cannot be locked.
pub fn lock(file: &File) -> io::Result<()> {
    match file.lock() {
        Err(error) if has_no_locks(&error) => Ok(()),
        result => result,
    }
}

/// Creates or empties a file, and locks it so that no other process writes to it.
///
/// # Errors
///
/// If the file cannot be created, or another process is writing to it.
pub fn create_locked(path: &Path) -> io::Result<File> {
    // Empty the file only after locking it, because another process may be writing to it.
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    if !LockWait::none().lock(&file, path)? {
        return Err(io::Error::other(
            "another process is writing to it; use a different file for each process",
        ));
    }
    file.set_len(0)?;
    Ok(file)
}

fn has_no_locks(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(code, Some(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK))
}
