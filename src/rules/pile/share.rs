//! Subtraction of at most a part of the pile: `take 1..n/K` allows 1 to floor(n/K) stones of a pile of n.

use super::{Clause, Takes, with_clauses};
use crate::rules::Violation;

/// The rules by which a move takes at most a part of the pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// The number K, at least 1: a move takes at most a K-th of the pile's current size, rounded down.
    pub(crate) divisor: u64,
}

impl Share {
    /// Returns the largest number that may be taken from a pile of `n`.
    pub(crate) fn most(self, n: u64) -> u64 {
        n / self.divisor
    }
}

impl Takes for Share {
    fn words(&self) -> String {
        with_clauses("subtract", &[Clause::TakeShare(self.divisor)])
    }

    fn check(&self, n: u64, take: u64) -> Result<(), Violation> {
        let most = self.most(n);
        if take <= most { Ok(()) } else { Err(Violation::AboveShare { most }) }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(1..=self.most(n))
    }

    fn count(&self, n: u64) -> u64 {
        self.most(n)
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        (k < self.most(n)).then_some(k + 1)
    }

    fn least(&self) -> u64 {
        1
    }

    fn max_plies(&self, n: u64) -> u64 {
        // One stone can be taken from each pile of at least K.
        n.saturating_sub(self.divisor - 1)
    }
}
