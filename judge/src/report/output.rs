//! Where what is made goes: stdout or a file.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;

use crate::process::interrupt;
use crate::report::file::Draft;

/// Where something is written. It is looked at before anything is computed, so that a bad path costs no time.
pub(crate) struct Output {
    name: String,
    place: Place,
}

enum Place {
    /// Stdout, a device or a pipe.
    Stream(Box<dyn Write>),
    /// A file. What is there stays until all is written.
    File(Draft),
}

impl Output {
    /// Looks at a path; without one, and for `-`, it is stdout.
    ///
    /// # Errors
    ///
    /// If nothing can be written there.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let path = path.unwrap_or(Path::new("-"));
        let name = if path == Path::new("-") { "stdout".to_owned() } else { path.display().to_string() };
        let place = place(path).with_context(|| cannot(&name))?;
        Ok(Self { name, place })
    }

    /// Whether both are the same file.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        matches!((&self.place, &other.place), (Place::File(a), Place::File(b)) if a.path() == b.path())
    }

    /// Writes all of it.
    ///
    /// # Errors
    ///
    /// If that fails; then a file is as it was.
    pub(crate) fn write(self, text: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> anyhow::Result<()> {
        let written = match self.place {
            Place::Stream(mut stream) => buffered(&mut *stream, text),
            Place::File(mut draft) => buffered(&mut draft, text).and_then(|()| draft.keep()),
        };
        written.inspect_err(|_| interrupt::end_if_interrupted()).with_context(|| cannot(self.name))
    }
}

fn place(path: &Path) -> io::Result<Place> {
    match stream(path)? {
        Some(stream) => Ok(Place::Stream(stream)),
        None => Draft::new(path).map(Place::File),
    }
}

/// What a path names if that is open already, or is no file: `-` is stdout. `None` for a file.
///
/// # Errors
///
/// If it cannot be written to.
pub(crate) fn stream(path: &Path) -> io::Result<Option<Box<dyn Write>>> {
    match path.to_str() {
        Some("-" | "/dev/stdout") => Ok(Some(Box::new(io::stdout()))),
        Some("/dev/stderr") => Ok(Some(Box::new(io::stderr()))),
        _ if is_open(path) || path.metadata().is_ok_and(|found| !found.is_file()) => {
            // What it holds stays, should it be a file after all.
            Ok(Some(Box::new(OpenOptions::new().append(true).open(path)?)))
        }
        _ => Ok(None),
    }
}

/// Whether a path names what some process has open, as `/dev/fd/3` and `/proc/self/fd/3` do.
fn is_open(path: &Path) -> bool {
    let Some(directory) = path.parent() else { return false };
    directory == Path::new("/dev/fd") || directory.starts_with("/proc") && directory.ends_with("fd")
}

/// Whether whoever read the output has closed it, as in `judge table ... | head`.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn cannot(name: impl Display) -> String {
    format!("{name} cannot be written")
}

/// What the values are written to, one by one.
pub(crate) type Buffer<'a> = BufWriter<&'a mut dyn Write>;

fn buffered(out: &mut dyn Write, text: impl FnOnce(&mut Buffer<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let written = text(&mut out).and_then(|()| out.flush());
    // What is left after an error is not to be tried once more on drop.
    let _ = out.into_parts();
    written
}
