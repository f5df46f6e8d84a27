//! The game in an input file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, ensure};
use zeroxor::wire::protocol::{self, MAX_LINE};

/// The game of an input file, in the words that a bot is sent.
///
/// # Errors
///
/// As [`game`], and if the file cannot be opened.
pub(crate) fn game_of_file(path: &Path) -> anyhow::Result<String> {
    let file = File::open(path).with_context(|| format!("the input {} cannot be opened", path.display()))?;
    game(file).with_context(|| format!("the input {}", path.display()))
}

/// The game of an input.
///
/// # Errors
///
/// If it cannot be read, or is not one line with a header.
pub(crate) fn game(input: impl Read) -> anyhow::Result<String> {
    let mut text = Vec::new();
    input.take(MAX_LINE as u64 + 1).read_to_end(&mut text).context("cannot be read")?;
    ensure!(text.len() <= MAX_LINE, "expected at most {MAX_LINE} bytes, got more");
    let text = text.trim_ascii();
    let lines = text.split(|&byte| byte == b'\n').count();
    ensure!(lines == 1, "expected one line with a header, got {lines} lines");
    protocol::parse_header(text).context("the header is malformed")?;
    Ok(String::from_utf8_lossy(text).split_ascii_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_header_and_nothing_else() {
        let game = |text: &str| game(text.as_bytes()).map_err(|error| format!("{error:#}"));
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
