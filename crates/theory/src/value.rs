//! A value in a table.

use std::fmt;

use zeroxor::grundy::ValueKind;
use zeroxor::{Nimber, Outcome};

/// What a table tells of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Nimber(Nimber),
    Outcome(Outcome),
}

impl Value {
    /// What a table of this kind tells of a heap with this nimber.
    pub(super) fn of(kind: ValueKind, nimber: Nimber) -> Self {
        match kind {
            ValueKind::Nimber => Self::Nimber(nimber),
            ValueKind::Outcome if nimber == Nimber::ZERO => Self::Outcome(Outcome::P),
            ValueKind::Outcome => Self::Outcome(Outcome::N),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nimber(nimber) => nimber.fmt(f),
            Self::Outcome(outcome) => outcome.fmt(f),
        }
    }
}
