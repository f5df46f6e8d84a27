//! Nim: a move takes any number of stones from one pile.

use std::sync::Arc;

use super::starts::PileStarts;
use super::{MAX_SIZE, Pile, PileEntry, Takes};
use crate::rules::{GameEntry, Violation};

pub(super) static ENTRY: PileEntry = PileEntry {
    game: GameEntry { name: "nim", form: "nim n1 n2 ...", help: "piles; a move takes any number" },
    keywords: &[],
    max_pile: MAX_SIZE,
    refusal: "that is more than the pile's size, {size}",
    advice: "take only what is left: check each move before the bot prints it",
    rules: |_| Arc::new(Pile(Nim)),
    has_outcome_tables: false,
    starts: PileStarts {
        in_sums: "3",
        extremes: "N|N N N|N N N N",
        small: &[(1, 10, ""), (2, 6, ""), (3, 4, "")],
        random_clauses: |_, _| Vec::new(),
    },
};

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
