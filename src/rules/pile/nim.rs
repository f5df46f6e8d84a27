//! Nim: a move takes any number of stones from one pile.

use super::{Takes, Violation};

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nim;

impl Takes for Nim {
    fn words(&self) -> String {
        "nim".to_owned()
    }

    fn check(&self, _n: u64, _take: u64) -> Result<(), Violation> {
        Ok(())
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(1..=n)
    }

    fn count(&self, n: u64) -> u64 {
        n
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        (k < n).then_some(k + 1)
    }

    fn least(&self) -> u64 {
        1
    }
}
