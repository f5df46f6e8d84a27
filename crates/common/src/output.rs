//! The output of a command: stdout or a file. A file is written completely or not at all.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustix::fs::{Access, access};
use tempfile::{Builder, NamedTempFile};

use crate::file_kind::FileKind;
use crate::interrupt::{self, interrupted};

/// The output of a command. It is opened before anything is computed, so that an error is found at once.
pub struct Output {
    name: String,
    destination: Destination,
}

/// Where the output is written.
enum Destination {
    /// Stdout, a device or a pipe.
    Stream(Box<dyn Write>),
    /// A file. An old file stays until the new one is complete.
    File(AtomicFile),
}

impl Output {
    /// Stdout.
    pub fn stdout() -> Self {
        Self { name: "stdout".to_owned(), destination: Destination::Stream(Box::new(io::stdout())) }
    }

    /// Opens the output. Without a path, or if it is `-`, it is stdout. A file that exists is replaced if it is of
    /// this kind, or if `force` is set.
    ///
    /// # Errors
    ///
    /// If the path cannot be written to, or has another file.
    pub fn open(path: Option<&Path>, kind: FileKind, force: bool) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|&path| path != Path::new("-")) else { return Ok(Self::stdout()) };
        let name = path.display().to_string();
        let destination = if let Some(stream) = stream(path).with_context(|| write_error(&name))? {
            Destination::Stream(stream)
        } else {
            kind.ensure_replaceable(path, force)?;
            Destination::File(AtomicFile::new(path).with_context(|| write_error(&name))?)
        };
        Ok(Self { name, destination })
    }

    /// Whether the output is written immediately: to stdout, a device or a pipe.
    pub fn is_stream(&self) -> bool {
        matches!(self.destination, Destination::Stream(_))
    }

    /// Writes all of the output.
    ///
    /// # Errors
    ///
    /// If it cannot be written. An old file is not changed then.
    pub fn write(self, text: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> anyhow::Result<()> {
        let result = match self.destination {
            Destination::Stream(mut stream) => buffered(&mut *stream, text),
            Destination::File(mut file) => buffered(&mut file, text).and_then(|()| file.commit()),
        };
        result.inspect_err(|_| interrupt::end_if_interrupted()).with_context(|| write_error(self.name))
    }
}

/// Refuses different options that name the same file, because one would overwrite what the other writes or reads.
///
/// # Errors
///
/// If there are such options; the error names them.
pub fn ensure_different_files<'a>(
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

/// The file at a path, without links; `None` for stdout, devices, pipes and directories, and if there can be no file
/// at this path.
fn file(path: &Path) -> Option<PathBuf> {
    match path.metadata() {
        _ if path == Path::new("-") => None,
        Ok(found) => found.is_file().then(|| path.canonicalize().ok())?,
        Err(_) => Some(directory(path).canonicalize().ok()?.join(path.file_name()?)),
    }
}

/// Opens a path that is not a regular file or that is open already; `-` is stdout. `None` for any other file.
///
/// # Errors
///
/// If it cannot be opened for writing.
pub fn stream(path: &Path) -> io::Result<Option<Box<dyn Write>>> {
    match path.to_str() {
        _ if !is_stream(path) => Ok(None),
        Some("-" | "/dev/stdout") => Ok(Some(Box::new(io::stdout()))),
        Some("/dev/stderr") => Ok(Some(Box::new(io::stderr()))),
        // If it is a file, its content stays.
        _ => Ok(Some(Box::new(interrupt::wait(|| OpenOptions::new().append(true).open(path))?))),
    }
}

/// Whether a path is written to in place, so that no file is replaced: `-`, and what is not a regular file or is open
/// already.
pub fn is_stream(path: &Path) -> bool {
    let is_standard = ["-", "/dev/stdout", "/dev/stderr"].map(Path::new).contains(&path);
    is_standard || is_open(path) || path.metadata().is_ok_and(|found| !found.is_file())
}

/// Whether a path names an open file of a process, such as `/dev/fd/3` and `/proc/self/fd/3`.
fn is_open(path: &Path) -> bool {
    let Some(directory) = path.parent() else { return false };
    directory == Path::new("/dev/fd") || directory.starts_with("/proc") && directory.ends_with("fd")
}

/// Whether the reader of the output has closed it, as in `grundy table ... | head`.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn write_error(name: impl Display) -> String {
    format!("{name} cannot be written")
}

/// A buffered output.
pub(crate) type Buffer<'a> = BufWriter<&'a mut dyn Write>;

fn buffered(out: &mut dyn Write, text: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let result = text(&mut out).and_then(|()| out.flush());
    // After an error, dropping the buffer would try to write the rest again.
    let _ = out.into_parts();
    result
}

/// A file that is written completely or not at all. Its path does not change before the file is committed, and nothing
/// is left if it is dropped before.
struct AtomicFile {
    path: PathBuf,
    /// The temporary file. It is created with the first bytes, so that a signal before them leaves nothing behind.
    temporary: Option<NamedTempFile>,
}

impl AtomicFile {
    /// A file that will have this path. Links are followed.
    ///
    /// # Errors
    ///
    /// If the directory or the target of a link does not exist, or the file may not be written.
    fn new(path: &Path) -> io::Result<Self> {
        let path = target_path(path)?;
        // An error of the directory is found before anything is computed. Only a directory has an entry ".".
        access(directory(&path).join("."), Access::WRITE_OK | Access::EXEC_OK)?;
        Ok(Self { path, temporary: None })
    }

    /// Moves the temporary file to its path.
    fn commit(self) -> io::Result<()> {
        let temporary = match self.temporary {
            Some(temporary) => temporary,
            None => create_temporary(&self.path)?,
        };
        temporary.as_file().sync_all()?;
        temporary.persist(self.path)?;
        Ok(())
    }
}

/// The path of a file that exists or will be created, without links.
fn target_path(path: &Path) -> io::Result<PathBuf> {
    if path.exists() {
        // The file itself is replaced, not a link to it, and only if the user may write to it.
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

/// The directory of a file.
pub fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file in the directory of a path.
fn create_temporary(path: &Path) -> io::Result<NamedTempFile> {
    // The usual permissions of a new file, from which the system removes those that the user's mask forbids.
    let permissions = Permissions::from_mode(0o666);
    let new = Builder::new().permissions(permissions).tempfile_in(directory(path));
    // The text of the error would name the temporary file.
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
        // Errors of `temporary` would name the temporary file, those of the file inside it do not.
        temporary.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
