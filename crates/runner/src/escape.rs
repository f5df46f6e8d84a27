//! Escapes untrusted text before it is printed, because some characters control a terminal instead of being shown.

use std::ffi::OsStr;
use std::str::Utf8Chunk;

use itertools::Itertools;
use shlex::QuoteError;

/// Returns the text with all control characters except TAB escaped.
pub fn printable(text: &str) -> String {
    let escaped = |symbol: char| -> Vec<char> {
        if symbol != '\t' && is_control(symbol) { symbol.escape_default().collect() } else { vec![symbol] }
    };
    text.chars().flat_map(escaped).collect()
}

/// Returns bytes as text, escaped like [`printable`]. Bytes that are not UTF-8 are escaped as well.
pub fn printable_bytes(bytes: &[u8]) -> String {
    let escaped =
        |chunk: Utf8Chunk<'_>| format!("{}{}", printable(chunk.valid()), chunk.invalid().escape_ascii());
    bytes.utf8_chunks().map(escaped).collect()
}

/// Quotes a word for a shell. A word with control characters becomes `$'...'`, which POSIX.1-2024, bash and zsh
/// support. A NUL byte cannot be quoted.
pub fn shell_word(word: &str) -> Result<String, QuoteError> {
    let quoted = shlex::try_quote(word)?;
    if !word.chars().any(is_control) {
        return Ok(quoted.into_owned());
    }
    let escaped = |symbol: char| match symbol {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\\' | '\'' => format!("\\{symbol}"),
        symbol if is_control(symbol) => {
            symbol.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\{byte:03o}")).join("")
        }
        symbol => symbol.to_string(),
    };
    Ok(format!("$'{}'", word.chars().map(escaped).collect::<String>()))
}

/// Returns a word of a command for a message, quoted for a shell if possible.
pub fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    shell_word(&word).unwrap_or_else(|_| word.into_owned())
}

/// Replaces each placeholder in a text by its value. A value may contain a placeholder, which stays as it is.
pub fn with_values(text: &[u8], values: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut left = text;
    let mut result = Vec::new();
    while let [first, rest @ ..] = left {
        if let Some((placeholder, value)) =
            values.iter().find(|(placeholder, _)| left.starts_with(placeholder))
        {
            result.extend(*value);
            left = &left[placeholder.len()..];
        } else {
            result.push(*first);
            left = rest;
        }
    }
    result
}

/// Checks whether a character controls the terminal or the text around it, for example the text direction, or has no form
/// that Unicode defines. Spaces, quotes and the backslash are shown, although Rust escapes them.
fn is_control(symbol: char) -> bool {
    let is_shown =
        symbol.is_ascii_graphic() || (symbol.is_whitespace() && !"\u{2028}\u{2029}".contains(symbol));
    // At the beginning of a text Rust also escapes combining marks.
    symbol.is_control() || (!is_shown && format!("a{symbol}").escape_debug().count() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\tb\u{1b}[7m\u{202e}\n\u{9b}é"), "a\tb\\u{1b}[7m\\u{202e}\\n\\u{9b}é");
        assert_eq!(printable("\u{2029}\u{ad}\u{feff}\u{e0001}"), "\\u{2029}\\u{ad}\\u{feff}\\u{e0001}");
        let shown = "\"\\' \u{3000}が\u{304b}\u{3099}𠮷";
        assert_eq!(printable(shown), shown);
    }

    #[test]
    fn bytes_that_are_not_text_are_escaped() {
        assert_eq!(printable_bytes(b"3 \xff2\r\xc3\xa9\x1b"), "3 \\xff2\\ré\\u{1b}");
    }

    /// Checks words with a space, with control characters, and with a NUL byte.
    #[test]
    fn words_quoted_for_a_shell() {
        assert_eq!(shell_word("a b").unwrap(), "'a b'");
        assert_eq!(shell_word("a'\\\n\u{1b}9\u{202e}").unwrap(), "$'a\\'\\\\\\n\\0339\\342\\200\\256'");
        assert!(shell_word("\0").is_err());
    }
}
