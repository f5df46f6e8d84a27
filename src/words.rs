//! Splitting a line into words, for the parsers of game specifications and of the wire protocol.

use crate::core::protocol::ascii_text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    /// The column of the first byte, from 1.
    pub(crate) column: usize,
}

impl Word<'_> {
    pub(crate) fn is_digits(self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Parses a number from 1 to `max`.
    pub(crate) fn positive(self, max: u64) -> Option<u64> {
        self.number(max).filter(|&number| number > 0)
    }

    /// Parses a decimal integer of at most `max`. Only digits are allowed; `str::parse` would accept a plus sign.
    pub(crate) fn number(self, max: u64) -> Option<u64> {
        self.text.parse().ok().filter(|&value| self.is_digits() && value <= max)
    }
}

/// Splits a line into words at spaces and tabs. If the line is too long or not ASCII, the error is the expected form.
pub(crate) fn words(line: &[u8]) -> Result<Vec<Word<'_>>, String> {
    ascii_text(line).map(split)
}

pub(crate) fn split(text: &str) -> Vec<Word<'_>> {
    let mut end = 0;
    let words = text.split([' ', '\t']).map(|text| {
        end += text.len() + 1;
        Word { text, column: end - text.len() }
    });
    words.filter(|word| !word.text.is_empty()).collect()
}

/// Returns the expected form of a number from 1 to `max`.
pub(crate) fn a_number(max: u64) -> String {
    format!("a number from 1 to {max}")
}
