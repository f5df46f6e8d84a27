//! The heaps that a table is of.

use std::fmt;

use itertools::{Either, Itertools};
use zeroxor::rules::Heap;

/// All heaps up to a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heaps {
    /// The heaps of the sizes from 0 to this one.
    Sizes(u64),
    /// The pairs of numbers from 1 to this one.
    Pairs(u64),
}

impl Heaps {
    /// The largest size.
    pub(super) fn to(self) -> u64 {
        match self {
            Self::Sizes(to) | Self::Pairs(to) => to,
        }
    }

    /// Those of them whose sizes are at most `bound`.
    pub(super) fn bounded(self, bound: u64) -> Self {
        match self {
            Self::Sizes(to) => Self::Sizes(to.min(bound)),
            Self::Pairs(to) => Self::Pairs(to.min(bound)),
        }
    }

    /// The largest heap.
    pub(super) fn largest(self) -> Heap {
        match self {
            Self::Sizes(to) => Heap::of(to),
            Self::Pairs(to) => Heap { size: to, second: to },
        }
    }

    /// Number of heaps.
    pub(super) fn count(self) -> u64 {
        match self {
            Self::Sizes(to) => to + 1,
            Self::Pairs(to) => to * to,
        }
    }

    /// The heaps in ascending order; pairs by the first number, then by the second.
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
