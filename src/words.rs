//! A line as words: what the game specification and the wire protocol have in common.

/// The longest line that is read, in bytes, its end not counted.
///
/// ```
/// use zeroxor::wire::protocol::{MAX_LINE, parse_side};
///
/// let mut line = b"First".to_vec();
/// line.resize(MAX_LINE, b' ');
/// assert!(parse_side(&line).is_ok());
/// line.push(b' ');
/// assert!(parse_side(&line).is_err());
/// ```
pub const MAX_LINE: usize = 1 << 20;

/// A word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    /// The column of its first byte, from 1.
    pub(crate) column: usize,
}

impl Word<'_> {
    pub(crate) fn is_lowercase(self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_lowercase())
    }

    pub(crate) fn is_digits(self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// A decimal integer of digits only; `parse` alone would let a plus sign through.
    pub(crate) fn number(self, max: u64) -> Option<u64> {
        self.text.parse().ok().filter(|&value| self.is_digits() && value <= max)
    }
}

/// The words of a line, between any run of spaces or tabs; an error says what a line must be.
pub(crate) fn words(line: &[u8]) -> Result<Vec<Word<'_>>, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > MAX_LINE {
        return Err(format!("a line of at most {MAX_LINE} bytes"));
    }
    let Some(text) = std::str::from_utf8(line).ok().filter(|text| text.is_ascii()) else {
        return Err("a line in ASCII".to_owned());
    };
    let mut column = 1;
    let mut words = Vec::new();
    for text in text.split([' ', '\t']) {
        if !text.is_empty() {
            words.push(Word { text, column });
        }
        column += text.len() + 1;
    }
    Ok(words)
}

/// What came, as messages show it: quoted, control bytes escaped, and shortened to the first 60.
///
/// ```
/// assert_eq!(zeroxor::wire::quoted(b"first\x1b"), r#""first\x1b""#);
/// ```
pub fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match bytes.get(..SHOWN) {
        Some(start) if bytes.len() > SHOWN => {
            format!("\"{}\"... ({} bytes)", start.escape_ascii(), bytes.len())
        }
        _ => format!("\"{}\"", bytes.escape_ascii()),
    }
}
