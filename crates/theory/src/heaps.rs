//! The heaps of a table.

use std::fmt;

use itertools::{Either, Itertools};
use zeroxor::rules::Heap;

/// All heaps up to a size, or all pairs of numbers up to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heaps {
    /// The heaps of sizes from 0 to this size.
    Sizes(u64),
    /// The pairs of numbers from 1 to this number.
    Pairs(u64),
}

impl Heaps {
    /// Returns the largest size.
    pub(super) fn to(self) -> u64 {
        match self {
            Self::Sizes(to) | Self::Pairs(to) => to,
        }
    }

    /// Returns the heaps whose sizes are at most `bound`.
    pub(super) fn bounded(self, bound: u64) -> Self {
        match self {
            Self::Sizes(to) => Self::Sizes(to.min(bound)),
            Self::Pairs(to) => Self::Pairs(to.min(bound)),
        }
    }

    /// Returns the largest heap.
    pub(super) fn largest(self) -> Heap {
        match self {
            Self::Sizes(to) => Heap::of(to),
            Self::Pairs(to) => Heap { size: to, second: to },
        }
    }

    /// Returns the number of heaps.
    pub(super) fn count(self) -> u64 {
        match self {
            Self::Sizes(to) => to + 1,
            Self::Pairs(to) => to * to,
        }
    }

    /// Returns the heaps in ascending order; pairs by the first number, then by the second.
    pub(super) fn iter(self) -> impl Iterator<Item = Heap> + Clone {
        match self {
            Self::Sizes(to) => Either::Left((0..=to).map(Heap::of)),
            Self::Pairs(to) => {
                let pairs = (1..=to).cartesian_product(1..=to);
                Either::Right(pairs.map(|(size, second)| Heap { size, second }))
            }
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
