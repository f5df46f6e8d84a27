//! A table: the values of a game's heaps.

use std::fmt;
use std::time::Duration;

use itertools::{Either, Itertools};
use zeroxor::grundy::segment::{Period, Sequence};
use zeroxor::grundy::{GrundyTable, ValueKind};
use zeroxor::rules::Heap;
use zeroxor::{Nimber, Outcome};

/// All heaps up to a size, or all pairs of numbers up to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heaps {
    /// The heaps of sizes from 0 to this size.
    Sizes(u64),
    /// The pairs of numbers from 1 to this number.
    Pairs(u64),
}

impl Heaps {
    pub(crate) fn largest(self) -> Heap {
        match self {
            Self::Sizes(to) => Heap::of(to),
            Self::Pairs(to) => Heap { size: to, second: to },
        }
    }
}

impl fmt::Display for Heaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes(to) => write!(f, "n = 0 to {to}"),
            Self::Pairs(to) => write!(f, "pairs of 1 to {to}"),
        }
    }
}

pub(crate) enum TableValues {
    /// The nimbers of rows.
    Rows(Sequence),
    /// The nimbers of other heaps. In a table of outcomes one nonzero nimber may represent all nonzero nimbers.
    Heaps(Box<dyn GrundyTable>),
}

/// The nimbers or the outcomes of a game's heaps.
pub(crate) struct Table {
    /// The rules without sizes, such as `square ban 4`.
    pub game: String,
    pub heaps: Heaps,
    /// Whether the table has nimbers, or only outcomes.
    pub kind: ValueKind,
    pub values: TableValues,
    /// The period, if it is requested and proven.
    pub period: Option<Period>,
    /// Additional lines of a summary: the name and the text of each.
    pub notes: Vec<(&'static str, String)>,
    /// The time of the computation, except for values that are computed only when they are requested.
    pub time: Duration,
}

impl Table {
    pub(crate) fn nimbers(&self) -> impl Iterator<Item = Nimber> {
        (0..=self.heaps.largest().size).map(|n| match &self.values {
            TableValues::Rows(values) => values.nimber(n),
            TableValues::Heaps(table) => table.nimber(Heap::of(n)),
        })
    }

    pub(crate) fn p_positions(&self) -> impl Iterator<Item = u64> {
        match &self.values {
            TableValues::Rows(_) => {
                Either::Left(self.nimbers().positions(|nimber| nimber == Nimber::ZERO).map(|n| n as u64))
            }
            TableValues::Heaps(table) => Either::Right(table.p_positions(self.heaps.largest().size + 1)),
        }
    }

    /// The outcomes of all sizes, or of all pairs by the first number, then by the second.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (Heap, Outcome)> {
        match self.heaps {
            Heaps::Sizes(to) => {
                let mut p_positions = self.p_positions().peekable();
                Either::Left((0..=to).map(move |n| {
                    let is_p = p_positions.next_if_eq(&n).is_some();
                    (Heap::of(n), if is_p { Outcome::P } else { Outcome::N })
                }))
            }
            Heaps::Pairs(to) => {
                let pairs = (1..=to).cartesian_product(1..=to);
                Either::Right(pairs.map(|(size, second)| {
                    let pair = Heap { size, second };
                    (pair, self.outcome(pair))
                }))
            }
        }
    }

    pub(crate) fn outcome(&self, pair: Heap) -> Outcome {
        match &self.values {
            TableValues::Heaps(table) if table.nimber(pair) == Nimber::ZERO => Outcome::P,
            _ => Outcome::N,
        }
    }
}
