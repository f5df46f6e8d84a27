//! A table: the values of a game's heaps.

use std::fmt;
use std::time::Duration;

use itertools::{Either, Itertools};
use zeroxor::grundy::segment::Period;
use zeroxor::grundy::{GrundyTable, ValueKind};
use zeroxor::rules::Heap;
use zeroxor::{Nimber, Outcome};

/// Maximum number of nimbers requested at a time.
const MAX_GROUP: usize = 1 << 12;

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

/// The nimbers or the outcomes of a game's heaps.
pub(crate) struct Table {
    /// The rules without sizes, such as `square ban 4`.
    pub game: String,
    pub heaps: Heaps,
    /// Whether the table has nimbers, or only outcomes.
    pub kind: ValueKind,
    pub values: Box<dyn GrundyTable>,
    /// The period, if it is requested and proven.
    pub period: Option<Period>,
    /// Additional lines of a summary: the name and the text of each.
    pub notes: Vec<(&'static str, String)>,
    /// The time of the computation, except for values that are computed only when they are requested.
    pub time: Duration,
}

impl Table {
    /// The nimbers of all sizes. In a table of outcomes one nonzero nimber may represent all nonzero nimbers.
    pub(crate) fn nimbers(&self) -> impl Iterator<Item = Nimber> {
        let to = self.heaps.largest().size;
        (0..=to).step_by(MAX_GROUP).flat_map(move |from| {
            let len = usize::try_from(to - from).map_or(MAX_GROUP, |more| MAX_GROUP.min(more + 1));
            let mut nimbers = vec![Nimber::ZERO; len];
            self.values.fill(from, &mut nimbers);
            nimbers
        })
    }

    pub(crate) fn p_positions(&self) -> impl Iterator<Item = u64> {
        self.values.p_positions(self.heaps.largest().size + 1)
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

    pub(crate) fn outcome(&self, heap: Heap) -> Outcome {
        if self.values.nimber(heap) == Nimber::ZERO { Outcome::P } else { Outcome::N }
    }
}
