//! A table: the values of a game's heaps.

use std::time::Duration;

use itertools::Itertools;
use zeroxor::grundy::segment::Period;
use zeroxor::rules::Heap;
use zeroxor::{Nimber, Outcome};

/// What a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entries {
    /// The nimbers of the heaps of sizes from 0 on.
    Nimbers,
    /// Who wins the heaps of sizes from 0 on.
    Outcomes,
    /// Who wins the pairs of numbers from 1 on.
    Pairs,
}

pub(crate) struct Table {
    /// The rules without sizes, such as `square ban 4`.
    pub game: String,
    pub entries: Entries,
    /// The largest size, or the largest number of a pair.
    pub to: u64,
    /// Returns the nimber of a heap. In a table of outcomes one nonzero nimber may represent all nonzero nimbers.
    pub nimber: Box<dyn Fn(Heap) -> Nimber>,
    /// The period, if it is requested and proven.
    pub period: Option<Period>,
    /// Additional lines of a summary: the name and the text of each.
    pub notes: Vec<(&'static str, String)>,
    /// The time of the computation, except for values that are computed only when they are requested.
    pub time: Duration,
}

impl Table {
    pub(crate) fn nimbers(&self) -> impl Iterator<Item = Nimber> {
        (0..=self.to).map(|n| (self.nimber)(Heap::of(n)))
    }

    pub(crate) fn p_positions(&self) -> impl Iterator<Item = u64> {
        (0..).zip(self.nimbers()).filter(|(_, nimber)| *nimber == Nimber::ZERO).map(|(n, _)| n)
    }

    /// The outcomes of all sizes.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        self.nimbers().map(outcome)
    }

    pub(crate) fn of_pair(&self, (a, b): (u64, u64)) -> Outcome {
        outcome((self.nimber)(Heap { size: a, second: b }))
    }

    /// All pairs, by the first number, then by the second.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        (1..=self.to).cartesian_product(1..=self.to)
    }
}

fn outcome(nimber: Nimber) -> Outcome {
    if nimber == Nimber::ZERO { Outcome::P } else { Outcome::N }
}
