//! What is wrong with a game specification.

use std::error::Error;
use std::fmt;

use super::spelling::nearest;
use crate::words::{Word, quoted};

/// A game specification that cannot be read, or that is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    expected: String,
    got: String,
    column: Option<usize>,
    suggestion: Option<&'static str>,
}

impl SpecError {
    /// The error that something else was expected. What came is shown as it is given here.
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
    pub(super) fn suggesting(self, word: &str, names: impl IntoIterator<Item = &'static str>) -> Self {
        Self { suggestion: nearest(word, names), ..self }
    }

    /// What was expected.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What came instead: quoted, shortened, control bytes escaped.
    pub fn got(&self) -> &str {
        &self.got
    }

    /// The column of the first byte that was not expected, from 1; `None` if the words were not read from a line.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// What was probably meant.
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
