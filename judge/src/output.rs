//! Files that the user names for output: a regular file is replaced as a whole, a device or a pipe is written directly.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use runner::interrupt;
use rustix::fs::{Access, access};
use rustix::io::Errno;
use tempfile::Builder;

/// Writes a file that the user named; `-` is stdout. An old file stays until the new one is complete, and keeps its
/// permissions. A symbolic link stays, and its target is replaced.
pub(crate) fn write(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    let written = match stream(path) {
        Ok(Some(mut stream)) => stream.write_all(text).and_then(|()| stream.flush()),
        Ok(None) => replace(path, text),
        Err(error) => Err(error),
    };
    written.with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes a file beside its place, and moves it there.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let target = if path.is_symlink() { fs::canonicalize(path)? } else { path.to_owned() };
    let permissions = match fs::metadata(&target) {
        Ok(old) => {
            // The old file may be replaced only by a user who may write to it.
            OpenOptions::new().append(true).open(&target)?;
            old.permissions()
        }
        // The system removes the permissions that the umask forbids.
        Err(_) => Permissions::from_mode(0o666),
    };
    let mut new = Builder::new().permissions(permissions).tempfile_in(directory(&target))?;
    new.as_file_mut().write_all(text)?;
    new.as_file().sync_all()?;
    new.persist(target)?;
    Ok(())
}

/// Refuses a path at which [`write`] could not create a file, before a long run computes what to write there.
pub(crate) fn check_writable(path: &Path) -> anyhow::Result<()> {
    let checked = match path.metadata() {
        _ if is_stream(path) && !path.is_dir() => return Ok(()),
        Ok(_) => OpenOptions::new().append(true).open(path).map(drop),
        Err(_) => {
            access(directory(path).join("."), Access::WRITE_OK | Access::EXEC_OK).map_err(io::Error::from)
        }
    };
    checked.with_context(|| format!("{} cannot be written", path.display()))
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Opens a file to which lines are appended as they come, and empties it; `-` is stdout.
pub(crate) fn create(path: &Path) -> io::Result<Box<dyn Write>> {
    if let Some(stream) = stream(path)? {
        return Ok(stream);
    }
    // The file is emptied only after it is locked, because another process may be writing to it.
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    if !lock(&file)? {
        let other = "another process is writing to it; use a different file for each process";
        return Err(io::Error::other(other));
    }
    file.set_len(0)?;
    Ok(Box::new(file))
}

/// Opens a file to which lines are appended. Ends its last line, if it has no line end.
pub(crate) fn append(path: &Path) -> anyhow::Result<File> {
    ensure!(path != Path::new("-"), "expected a file to append to, got \"-\"");
    let open = || {
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last)?;
        }
        if last != [b'\n'] {
            file.write_all(b"\n")?;
        }
        Ok::<_, io::Error>(file)
    };
    open().with_context(|| format!("{} cannot be written", path.display()))
}

/// Returns stderr, for a report in colours if stderr has them.
pub(crate) fn stderr() -> io::Stderr {
    console::set_colors_enabled(console::colors_enabled_stderr());
    io::stderr()
}

/// Returns the output for a report: stdout, or stderr if one of the `files` is written to stdout.
pub(crate) fn beside(files: &[Option<&Path>]) -> Box<dyn Write> {
    if files.contains(&Some(Path::new("-"))) { Box::new(stderr()) } else { Box::new(io::stdout()) }
}

/// Locks a file for this process. Returns `false` if another process has locked it.
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // Some file systems have no locks.
        Err(TryLockError::Error(error)) => match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK) => Ok(true),
            _ => Err(error),
        },
    }
}

/// Refuses two options that name the same file, because one of them would overwrite what the other writes or reads.
pub(crate) fn ensure_different_files<'a>(
    files: impl IntoIterator<Item = (&'a str, Option<&'a Path>)>,
) -> anyhow::Result<()> {
    let mut options: HashMap<PathBuf, &str> = HashMap::new();
    for (option, path) in files {
        let Some((path, file)) = path.and_then(|path| Some((path, file(path)?))) else { continue };
        if let Some(other) = options.insert(file, option).filter(|&other| other != option) {
            bail!("{other} and {option} name the same file: {}", path.display());
        }
    }
    Ok(())
}

/// The regular file at a path, or the one that can be created there, with links resolved.
fn file(path: &Path) -> Option<PathBuf> {
    match path.metadata() {
        _ if path == Path::new("-") => None,
        Ok(found) => found.is_file().then(|| path.canonicalize().ok())?,
        Err(_) => Some(directory(path).canonicalize().ok()?.join(path.file_name()?)),
    }
}

/// Opens stdout, a device or a pipe. Returns `None` for the path of a regular file, which is replaced.
fn stream(path: &Path) -> io::Result<Option<Box<dyn Write>>> {
    match path.to_str() {
        _ if !is_stream(path) => Ok(None),
        Some("-" | "/dev/stdout") => Ok(Some(Box::new(io::stdout()))),
        Some("/dev/stderr") => Ok(Some(Box::new(io::stderr()))),
        // Append, because `/dev/fd/3` may be a regular file whose content must stay.
        _ => Ok(Some(Box::new(interrupt::run_interruptibly(|| OpenOptions::new().append(true).open(path))?))),
    }
}

/// Returns true for `-`, open files such as `/dev/fd/3`, and existing paths that are not regular files.
fn is_stream(path: &Path) -> bool {
    let is_standard = ["-", "/dev/stdout", "/dev/stderr"].map(Path::new).contains(&path);
    is_standard || is_open(path) || path.metadata().is_ok_and(|found| !found.is_file())
}

/// Checks whether a path names an open file of a process, such as `/dev/fd/3` and `/proc/self/fd/3`.
fn is_open(path: &Path) -> bool {
    let Some(directory) = path.parent() else { return false };
    directory == Path::new("/dev/fd") || directory.starts_with("/proc") && directory.ends_with("fd")
}
