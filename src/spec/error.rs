//! The error of a game specification, which suggests the name that a misspelt word was probably meant to be.

use std::error::Error;
use std::fmt;

use crate::core::protocol::quoted;
use crate::words::Word;
use itertools::Itertools;

/// The error of a game specification that cannot be parsed or is not a valid game, or of another line of the protocol.
///
/// ```
/// use zeroxor::{GameSpec, SpecError};
///
/// let error = "20 3 5 + nim 4 x".parse::<GameSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a number from 1 to 1000000000000000000, got \"x\" at column 16");
/// let error = "subtract 9 tkae 1 2".parse::<GameSpec>().unwrap_err();
/// assert_eq!((error.column, error.suggestion), (Some(12), Some("take")));
/// assert_eq!(error.expected, "a number or \"take\"");
/// assert_eq!("nim 3\u{7}".parse::<GameSpec>().unwrap_err().got, r#""3\x07""#);
/// let error = SpecError::new("two rows", "one");
/// assert_eq!((error.to_string(), error.column), ("expected two rows, got one".to_owned(), None));
/// assert_eq!("chess".parse::<GameSpec>().unwrap_err().suggestion, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpecError {
    /// What was expected.
    pub expected: String,
    /// What was found instead. Text from the input is quoted and shortened, and its control bytes are escaped.
    pub got: String,
    /// The column of the first unexpected byte, from 1; `None` if the error has no position in a line.
    pub column: Option<usize>,
    /// The name that was probably meant, if there is one.
    pub suggestion: Option<&'static str>,
}

impl SpecError {
    /// Returns an error without a column. `got` is shown unchanged, so it must be quoted if it comes from outside.
    pub fn new(expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self { expected: expected.into(), got: got.into(), column: None, suggestion: None }
    }

    pub(crate) fn at(word: Word<'_>, expected: impl Into<String>) -> Self {
        Self { column: Some(word.column), ..Self::new(expected, quoted(word.text.as_bytes())) }
    }

    /// Returns the error of a line that ends at `column`, where `expected` is missing.
    pub(super) fn missing(column: usize, expected: &str) -> Self {
        Self { column: Some(column), ..Self::new(expected, "nothing") }
    }

    /// Returns this error with the name in `names` that `word` was probably meant to be: the one with the smallest
    /// [`distance`], if that is at most a third of the name's length.
    pub(crate) fn suggesting(self, word: &str, names: impl IntoIterator<Item = &'static str>) -> Self {
        let nearest = names.into_iter().map(|name| (distance(word, name), name)).min();
        let near = nearest.filter(|(distance, name)| 3 * distance <= name.len());
        Self { suggestion: near.map(|(_, name)| name), ..self }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, got, column, suggestion } = self;
        write!(f, "expected {expected}, got {got}")?;
        if let Some(column) = column {
            write!(f, " at column {column}")?;
        }
        match suggestion {
            Some(name) => write!(f, "; did you mean {name:?}?"),
            None => Ok(()),
        }
    }
}

impl Error for SpecError {}

/// Returns the optimal string alignment distance of the first 20 bytes of `a` and `b`: how many letters must be added,
/// removed, replaced or exchanged with their neighbour to turn `a` into `b` (F. J. Damerau 1964, "A technique for
/// computer detection and correction of spelling errors").
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.bytes().take(20).collect_vec());
    let mut rows = vec![(0..=b.len()).collect_vec()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
