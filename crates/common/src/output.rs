//! The output of a command: stdout or a file.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::file_kind::FileKind;
use crate::interrupt;
use crate::safe_file::{AtomicFile, directory};

/// The output of a command. It is opened before any computation, so that an error is reported at once.
pub struct Output {
    name: String,
    destination: Destination,
}

/// The destination of the output.
enum Destination {
    /// Stdout, a device or a pipe.
    Stream(Box<dyn Write>),
    /// A file. An old file stays until the new file is complete.
    File(AtomicFile),
}

impl Output {
    /// Returns stdout as the output.
    pub fn stdout() -> Self {
        Self { name: "stdout".to_owned(), destination: Destination::Stream(Box::new(io::stdout())) }
    }

    /// Opens the output. Without a path, or for the path `-`, the output is stdout. An existing file is replaced if it
    /// has the kind `kind`, or if `force` is set.
    ///
    /// # Errors
    ///
    /// If the path cannot be written to, or names a file of another kind.
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

    /// Checks whether the output is a stream, that is stdout, a device or a pipe, and not a file that is replaced.
    pub fn is_stream(&self) -> bool {
        matches!(self.destination, Destination::Stream(_))
    }

    /// Writes the whole output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written. In this case an old file is not changed.
    pub fn write(self, text: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> anyhow::Result<()> {
        let result = match self.destination {
            Destination::Stream(mut stream) => buffered(&mut *stream, text),
            Destination::File(mut file) => buffered(&mut file, text).and_then(|()| file.commit()),
        };
        result.inspect_err(|_| interrupt::end_if_interrupted()).with_context(|| write_error(self.name))
    }
}

/// Refuses two options that name the same file, because one of them would overwrite what the other writes or reads.
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

/// Returns the file at a path, with links resolved; `None` for stdout, devices, pipes and directories, and if no file
/// can exist at this path.
fn file(path: &Path) -> Option<PathBuf> {
    match path.metadata() {
        _ if path == Path::new("-") => None,
        Ok(found) => found.is_file().then(|| path.canonicalize().ok())?,
        Err(_) => Some(directory(path).canonicalize().ok()?.join(path.file_name()?)),
    }
}

/// Opens a path for which [`is_stream`] is true; `-` is stdout. Returns `None` for any other path.
///
/// # Errors
///
/// If the path cannot be opened for writing.
pub fn stream(path: &Path) -> io::Result<Option<Box<dyn Write>>> {
    match path.to_str() {
        _ if !is_stream(path) => Ok(None),
        Some("-" | "/dev/stdout") => Ok(Some(Box::new(io::stdout()))),
        Some("/dev/stderr") => Ok(Some(Box::new(io::stderr()))),
        // Append, because `/dev/fd/3` may be a regular file whose content must stay.
        _ => Ok(Some(Box::new(interrupt::run_interruptibly(|| OpenOptions::new().append(true).open(path))?))),
    }
}

/// Returns true for `-`, for names of open files such as `/dev/fd/3`, and for existing paths that are not regular
/// files. The program writes to such a path in place, and replaces the file at any other path.
pub fn is_stream(path: &Path) -> bool {
    let is_standard = ["-", "/dev/stdout", "/dev/stderr"].map(Path::new).contains(&path);
    is_standard || is_open(path) || path.metadata().is_ok_and(|found| !found.is_file())
}

/// Checks whether a path names an open file of a process, such as `/dev/fd/3` and `/proc/self/fd/3`.
fn is_open(path: &Path) -> bool {
    let Some(directory) = path.parent() else { return false };
    directory == Path::new("/dev/fd") || directory.starts_with("/proc") && directory.ends_with("fd")
}

fn write_error(name: impl Display) -> String {
    format!("{name} cannot be written")
}

/// The buffer through which [`Output::write`] passes the text.
pub(crate) type Buffer<'a> = BufWriter<&'a mut dyn Write>;

fn buffered(out: &mut dyn Write, text: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let result = text(&mut out).and_then(|()| out.flush());
    // After an error, dropping the buffer would try to write its bytes again.
    let _ = out.into_parts();
    result
}
