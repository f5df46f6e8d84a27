//! Text for people, suggestions for misspelt names, and text files written by people.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, ensure};
use rustix::fs::OFlags;
use strsim::osa_distance;

/// Cuts a text to 100 characters, and adds `...` in place of the rest.
pub(crate) fn shortened(text: &str) -> String {
    let end = text.char_indices().nth(100);
    end.map_or_else(|| text.to_owned(), |(end, _)| format!("{}...", &text[..end]))
}

/// Returns a number and its noun, which gets an "s" unless the number is 1.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Escapes text for use between the tags of HTML and SVG.
pub(crate) fn html_escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Cuts a text to `limit` characters, and adds `…` in place of the rest.
pub(crate) fn shortened_to(text: &str, limit: usize) -> String {
    let end = text.char_indices().nth(limit);
    end.map_or_else(|| text.to_owned(), |(end, _)| format!("{}…", &text[..end]))
}

/// Returns the name with the smallest edit distance to `word`, if that is at most a third of its length.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().map(|name| (osa_distance(word, name), name)).min();
    near.filter(|(distance, name)| 3 * distance <= name.len()).map(|(_, name)| name)
}

/// Returns `; did you mean "NAME"?` with the name that is similar to `word`; empty if there is none.
pub(crate) fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

/// Splits a command into words as a shell does; returns `None` if it has an unclosed quote, or a backslash at its end.
pub(crate) fn shell_words(command: &[u8]) -> Option<Vec<OsString>> {
    Some(shlex::bytes::split(command)?.into_iter().map(OsString::from_vec).collect())
}

/// The byte order mark in UTF-8, which some editors write at the start of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a text file of at most `max_bytes` bytes. Returns the text without a byte order mark.
pub(crate) fn read_text(path: &Path, max_bytes: u64) -> anyhow::Result<String> {
    let error = || format!("{} cannot be read", path.display());
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes)).with_context(error)?;
    ensure!(bytes.len() as u64 <= max_bytes, "{}: expected at most {max_bytes} bytes, got more", error());
    Ok(str::from_utf8(without_byte_order_mark(&bytes)).with_context(error)?.to_owned())
}

/// Opens a file that the user named; `-` is stdin.
pub(crate) fn open_input(path: &Path) -> io::Result<File> {
    if path == Path::new("-") {
        return io::stdin().as_fd().try_clone_to_owned().map(File::from);
    }
    File::open(path)
}

/// Opens a regular file. Does not wait for the writer of a named pipe, and follows no symbolic link at the end.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok(file)
}

pub(crate) fn without_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "text").unwrap();
        std::os::unix::fs::symlink(path("file"), path("link")).unwrap();
        let fifo = std::process::Command::new("mkfifo").arg(path("fifo")).status().unwrap();
        assert!(fifo.success());
        assert!(open_regular(&path("file")).is_ok());
        for name in ["link", "fifo", ".", "missing"] {
            assert!(open_regular(&path(name)).is_err(), "{name}");
        }
    }

    #[test]
    fn byte_order_marks_and_bounds() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |bytes: &[u8]| {
            std::fs::write(file.path(), bytes).unwrap();
            read_text(file.path(), 8).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(read("\u{feff}10 1".as_bytes()).as_deref(), Ok("10 1"));
        assert_eq!(read(b"10 1 3 4").as_deref(), Ok("10 1 3 4"));
        assert!(read(b"10 1 3 45").unwrap_err().contains("expected at most 8 bytes, got more"));
        assert!(read(b"10 \xff").unwrap_err().contains("invalid utf-8 sequence"));
    }
}
