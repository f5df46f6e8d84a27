//! Subtraction games: a move takes one of a finite set of numbers.

use super::{Takes, Violation, sorted, with_list};

/// The rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subtract {
    /// The numbers that may be taken, in ascending order.
    pub(crate) takes: Vec<u64>,
}

impl Subtract {
    pub(crate) fn new(takes: &[u64]) -> Self {
        Self { takes: sorted(takes) }
    }

    /// Those that a pile of `n` has room for.
    fn up_to(&self, n: u64) -> &[u64] {
        &self.takes[..self.takes.partition_point(|&take| take <= n)]
    }
}

impl Takes for Subtract {
    fn words(&self) -> String {
        with_list("subtract", "take", self.takes.iter().copied())
    }

    fn check(&self, _n: u64, take: u64) -> Result<(), Violation> {
        self.takes.binary_search(&take).map(drop).map_err(|_| Violation::NotListed)
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.up_to(n).iter().copied())
    }

    fn count(&self, n: u64) -> u64 {
        self.up_to(n).len() as u64
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        let take = self.takes.get(usize::try_from(k).ok()?).copied();
        take.filter(|&take| take <= n)
    }

    fn least(&self) -> u64 {
        self.takes.first().copied().unwrap_or(1)
    }
}
