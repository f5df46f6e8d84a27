//! What is wrong with a game specification.

use std::error::Error;
use std::fmt;

use super::spelling::nearest;
use crate::words::{Word, quoted};

/// A game specification that cannot be read, or that is no game.
///
/// ```
/// use zeroxor::GameSpec;
///
/// let error = "20 3 5 + nim 4 x".parse::<GameSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a number from 1 to 1000000000000000000, got \"x\" at column 16");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    expected: String,
    got: String,
    column: Option<usize>,
    suggestion: Option<&'static str>,
}

impl SpecError {
    /// The error that something else was expected. What came is shown as it is given here.
    ///
    /// ```
    /// use zeroxor::SpecError;
    ///
    /// let error = SpecError::new("two rows".to_owned(), "one".to_owned());
    /// assert_eq!(error.to_string(), "expected two rows, got one");
    /// ```
    pub fn new(expected: String, got: String) -> Self {
        Self { expected, got, column: None, suggestion: None }
    }

    pub(crate) fn at(word: Word<'_>, expected: String) -> Self {
        Self { column: Some(word.column), ..Self::new(expected, quoted(word.text.as_bytes())) }
    }

    /// The error that the line ends at this column, where something was expected.
    pub(super) fn missing(column: usize, expected: &str) -> Self {
        Self { column: Some(column), ..Self::new(expected.to_owned(), "nothing".to_owned()) }
    }

    /// With the suggestion of the name that was probably meant, if there is one.
    pub(crate) fn suggesting(self, word: &str, names: impl IntoIterator<Item = &'static str>) -> Self {
        Self { suggestion: nearest(word, names), ..self }
    }

    /// What was expected.
    ///
    /// ```
    /// let error = "nim".parse::<zeroxor::GameSpec>().unwrap_err();
    /// assert_eq!(error.expected(), "a pile, a number from 1 to 1000000000000000000");
    /// ```
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What came instead: quoted, shortened, control bytes escaped.
    ///
    /// ```
    /// let error = "nim 3\u{7}".parse::<zeroxor::GameSpec>().unwrap_err();
    /// assert_eq!(error.got(), r#""3\x07""#);
    /// ```
    pub fn got(&self) -> &str {
        &self.got
    }

    /// The column of the first byte that was not expected, from 1; `None` if the words were not read from a line.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// assert_eq!("segment 20 5 3".parse::<GameSpec>().unwrap_err().column(), Some(12));
    /// assert_eq!(GameSpec::Sum(vec![]).validate().unwrap_err().column(), None);
    /// ```
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// What was probably meant.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// assert_eq!("subtract 9 tkae 1 2".parse::<GameSpec>().unwrap_err().suggestion(), Some("take"));
    /// assert_eq!("chess".parse::<GameSpec>().unwrap_err().suggestion(), None);
    /// ```
    pub fn suggestion(&self) -> Option<&'static str> {
        self.suggestion
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
