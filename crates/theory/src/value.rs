//! A value in a table, the hash of values, and the structure of values.

use std::fmt;

use itertools::Itertools;
use sha2::{Digest, Sha256};
use zeroxor::grundy::ValueKind;
use zeroxor::grundy::segment::{Period, SparseSpace};
use zeroxor::{Nimber, Outcome};

/// The value of a heap in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Nimber(Nimber),
    Outcome(Outcome),
}

impl Value {
    /// Returns the value that a table of this kind has for a heap with this nimber.
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

/// The hash of the values that prove a period. The values are entered one after another.
#[derive(Default)]
pub(super) struct ValueHash(Sha256);

impl ValueHash {
    /// Enters the next values, which must be below 2^32. Each is hashed as four bytes, little-endian.
    pub(super) fn enter(&mut self, values: impl Iterator<Item = Nimber>) {
        let mut bytes = Vec::new();
        for value in values {
            bytes.extend(&value.0.to_le_bytes()[..4]);
        }
        self.0.update(bytes);
    }

    /// Returns the hash in hexadecimal digits.
    pub(super) fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).join("")
    }
}

/// The period and the sparse space of a table's values, if they are known. Plots mark them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ValueStructure {
    /// Whether a period was searched for.
    pub(super) is_period_wanted: bool,
    /// The period that was found.
    pub(super) period: Option<Period>,
    pub(super) space: Option<SparseSpace>,
}

/// Describes the rare values: their number (up to the heap `up_to` if it is given), the last heap with a rare value,
/// and the rule that makes a value rare.
pub(crate) fn rare_values(
    SparseSpace { mask, exchanged, rares, last }: SparseSpace,
    up_to: Option<u64>,
) -> String {
    let up_to = up_to.map_or_else(String::new, |to| format!(" up to n = {to}"));
    let last = if rares == 0 { String::new() } else { format!(", the last at n = {last}") };
    let by_place = if exchanged.is_some() { ", and by the place" } else { "" };
    format!("{rares}{up_to}{last} (mask {mask:#b}{by_place})")
}
