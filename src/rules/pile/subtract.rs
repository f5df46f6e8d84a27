//! Subtraction games: a move takes one of a finite set of numbers.

use std::sync::Arc;

#[cfg(feature = "analysis")]
use super::starts::{PileStarts, random_numbers};
use super::{ListUse, MAX_SIZE, Pile, PileEntry, Takes, sorted, with_list};
#[cfg(feature = "analysis")]
use crate::compat::Itertools;
#[cfg(feature = "analysis")]
use crate::rules::{About, Example};
use crate::rules::{GameEntry, Violation};

pub(super) static ENTRY: PileEntry = PileEntry {
    game: GameEntry {
        name: "subtract",
        form: "subtract n1 n2 ... take s1 s2 ...",
        help: "piles; a move takes one of the numbers listed",
        #[cfg(feature = "analysis")]
        about: About {
            examples: &[Example {
                title: "Subtraction set",
                header: "subtract 21 14 take 1 3 4",
                text: "A move takes one of the numbers after \"take\" from a pile.",
            }],
            tables: &[
                "subtract take 2 5 9 --to 100 --period",
                "subtract take 1 4 --to 100 --check=50 --format json",
            ],
        },
    },
    list: ListUse::Takes,
    max_pile: MAX_SIZE,
    refusal: "that number is not on the list of allowed numbers",
    #[cfg(feature = "analysis")]
    advice: "take one of the numbers that follow \"take\" in the header",
    rules: |takes| Arc::new(Pile(Subtract::new(takes))),
    #[cfg(feature = "analysis")]
    has_outcome_tables: false,
    #[cfg(feature = "analysis")]
    starts: PileStarts {
        in_sums: (&[7], &[2, 3]),
        extremes: |n| {
            vec![(vec![n], vec![1]), (vec![n], vec![2, 3]), (vec![n], vec![n]), (vec![n; 4], vec![1, 2, 3])]
        },
        small: |max| {
            let sets = (1..=4_u64).powerset().filter(|set| !set.is_empty()).collect_vec();
            (1..=max.min(12)).flat_map(|n| sets.iter().map(move |set| (vec![n], set.clone()))).collect()
        },
        random_list: |max, random| {
            let mut takes = random_numbers(4, max.min(20), random);
            takes.push(random.number(1..=max.min(20)));
            takes.into_iter().sorted().dedup().collect()
        },
    },
};

/// The rules of a subtraction game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subtract {
    /// The numbers that may be taken, in ascending order.
    pub(crate) takes: Vec<u64>,
}

impl Subtract {
    pub(crate) fn new(takes: &[u64]) -> Self {
        Self { takes: sorted(takes) }
    }

    /// Returns the numbers that are at most `n`.
    fn up_to(&self, n: u64) -> &[u64] {
        &self.takes[..self.takes.partition_point(|&take| take <= n)]
    }
}

impl Takes for Subtract {
    fn words(&self) -> String {
        with_list("subtract", "take", &self.takes)
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
