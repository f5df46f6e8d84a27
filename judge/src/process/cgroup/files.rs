//! The small files by which the kernel shows and changes a control group.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a value to a file that exists.
pub(super) fn write(file: &Path, value: &str) -> io::Result<()> {
    let written =
        OpenOptions::new().write(true).open(file).and_then(|mut open| open.write_all(value.as_bytes()));
    written.map_err(|error| with_path(file, &error))
}

fn read(file: &Path) -> io::Result<String> {
    fs::read_to_string(file).map_err(|error| with_path(file, &error))
}

/// An error with the file that it is about, as `create_dir` and others do not name it.
pub(super) fn with_path(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

/// The number that is all of a file.
pub(super) fn number(file: &Path) -> io::Result<u64> {
    let text = read(file)?;
    text.trim().parse().map_err(|_| malformed(file, &text))
}

/// The number that follows a name, in a file that has a line for each.
pub(super) fn entry(file: &Path, name: &str) -> io::Result<u64> {
    let text = read(file)?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.and_then(|value| value.trim().parse().ok()).ok_or_else(|| malformed(file, &text))
}

/// The processes of a group's folder.
pub(super) fn processes(folder: &Path) -> io::Result<Vec<i32>> {
    let listed = read(&folder.join("cgroup.procs"))?;
    Ok(listed.lines().filter_map(|line| line.parse().ok()).collect())
}

fn malformed(file: &Path, text: &str) -> io::Error {
    io::Error::other(format!("{}: unexpected {text:?}", file.display()))
}
