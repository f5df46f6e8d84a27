//! The files in `/proc` that show processes.

use std::fmt::Display;
use std::path::Path;
use std::{fs, io};

use rustix::io::Errno;

/// Returns the text of a file; `None` if its process or thread has ended.
pub(crate) fn read(path: &str) -> io::Result<Option<String>> {
    match fs::read(path) {
        // The name of a process may have any bytes.
        Ok(text) => Ok(Some(String::from_utf8_lossy(&text).into_owned())),
        Err(error) if is_gone(&error) => Ok(None),
        Err(error) => Err(with_path(Path::new(path), &error)),
    }
}

pub(crate) fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Returns what follows `name` on its line.
pub(crate) fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// Returns the folder of each thread of a process.
pub(crate) fn threads(of: impl Display) -> io::Result<Vec<String>> {
    let tasks = format!("/proc/{of}/task");
    let name = |thread: fs::DirEntry| format!("{tasks}/{}", thread.file_name().display());
    fs::read_dir(&tasks)?.map(|thread| thread.map(name)).collect()
}

pub(crate) fn children(of: impl Display) -> io::Result<Vec<i32>> {
    let mut found = Vec::new();
    for thread in threads(of)? {
        let listed = read(&format!("{thread}/children"))?.unwrap_or_default();
        found.extend(listed.split_ascii_whitespace().filter_map(|number| number.parse::<i32>().ok()));
    }
    Ok(found)
}

fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || Errno::from_io_error(error) == Some(Errno::SRCH)
}
