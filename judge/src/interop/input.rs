//! Reading the header from an input file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, ensure};
use zeroxor::wire::protocol::MAX_LINE;

use referee::setup::GameHeader;

/// Reads the header of an input file.
///
/// # Errors
///
/// If the file cannot be opened, or is not one line with a header.
pub(crate) fn header_of_file(path: &Path) -> anyhow::Result<GameHeader> {
    let file = File::open(path).with_context(|| format!("the input {} cannot be opened", path.display()))?;
    header(file).with_context(|| format!("the input {}", path.display()))
}

/// Reads the header of an input.
///
/// # Errors
///
/// If the input cannot be read, or is not one line with a header.
pub(crate) fn header(input: impl Read) -> anyhow::Result<GameHeader> {
    let mut text = Vec::new();
    input.take(MAX_LINE as u64 + 1).read_to_end(&mut text).context("cannot be read")?;
    ensure!(text.len() <= MAX_LINE, "expected at most {MAX_LINE} bytes, got more");
    let text = text.trim_ascii();
    let lines = text.split(|&byte| byte == b'\n').count();
    ensure!(lines == 1, "expected one line with a header, got {lines} lines");
    let words = String::from_utf8_lossy(text).split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    words.parse().context("the header is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_one_header() {
        let game =
            |text: &str| header(text.as_bytes()).map(String::from).map_err(|error| format!("{error:#}"));
        assert_eq!(game(" 6  1\t2 \r\n\n"), Ok("6 1 2".to_owned()));
        assert_eq!(game("square 7 ban 1 seat second").as_deref(), Ok("square 7 ban 1 seat second"));
        assert_eq!(game("6 1 2\n6 1 2\n"), Err("expected one line with a header, got 2 lines".to_owned()));
        for text in ["", "6 1", "6 1 2 x", "\u{e9}", "games 2", "6 2 1", "6 1 7"] {
            let error = game(text).unwrap_err();
            assert!(error.starts_with("the header is malformed: expected"), "{text}: {error}");
        }
        let long = format!("6 1 2{}x", " ".repeat(MAX_LINE));
        assert_eq!(game(&long), Err(format!("expected at most {MAX_LINE} bytes, got more")));
    }
}
