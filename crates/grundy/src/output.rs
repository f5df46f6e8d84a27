//! The output of a command: stdout or a file.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;

/// Writes a text to a file, or to stdout without a path and for `-`. A regular file is replaced when the text is
/// complete: an old file stays until then, and if there is an error.
pub(crate) fn write(
    path: Option<&Path>,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        return buffered(io::stdout().lock(), text).context("stdout cannot be written");
    };
    let written = match path.metadata() {
        // A device, a pipe, or an open file such as /dev/stdout, whose content stays.
        Ok(found) if !found.is_file() || path.starts_with("/dev") => {
            OpenOptions::new().append(true).open(path).and_then(|file| buffered(file, text))
        }
        // A link stays a link.
        Ok(_) => path.canonicalize().and_then(|path| replace(&path, text)),
        Err(_) => replace(path, text),
    };
    written.with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes to a new file beside `path`, and renames it.
fn replace(path: &Path, text: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}", std::process::id()));
    let beside = path.with_file_name(beside);
    File::create_new(&beside).and_then(|file| {
        buffered(file, text).and_then(|()| fs::rename(&beside, path)).inspect_err(|_| {
            // The first error is the one to report.
            let _ = fs::remove_file(&beside);
        })
    })
}

fn buffered(out: impl Write, text: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let written = text(&mut out).and_then(|()| out.flush());
    // After an error, dropping the buffer would try to write its bytes again.
    let _ = out.into_parts();
    written
}
