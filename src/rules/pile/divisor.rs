//! Subtract-a-divisor: a move takes a divisor of the pile's current size (1 and the size included) that is not banned.

use std::iter;
use std::sync::Arc;

#[cfg(feature = "analysis")]
use super::starts::{PileStarts, extremes_with_bans, random_numbers, small_with_bans};
use super::{ListUse, MAX_SIZE, Pile, PileEntry, PileGame, Takes, factor, sorted, with_list};
#[cfg(feature = "analysis")]
use crate::rules::{About, Example};
use crate::rules::{GameEntry, Violation};

pub(super) static ENTRY: PileEntry = PileEntry {
    game: GameEntry {
        name: "divisor",
        form: "divisor n1 n2 ... [ban d1 d2 ...]",
        help: "piles; a move takes a divisor of the pile that is not banned",
        #[cfg(feature = "analysis")]
        about: About {
            examples: &[Example {
                title: "Divisors",
                header: "divisor 12 18 ban 1",
                text: "A move takes a divisor of the pile's current size. Divisors after \"ban\" may not be taken.",
            }],
            tables: &["divisor --to 1000", "divisor ban 1 --to 1000 --check --format csv"],
        },
    },
    list: ListUse::Bans,
    max_pile: MAX_SIZE,
    refusal: "that does not divide the pile's size, {size}",
    #[cfg(feature = "analysis")]
    advice: "take a divisor of the pile's size that is not banned; the size changes with every move",
    rules: |banned| Arc::new(Pile(Divisor::new(banned))),
    #[cfg(feature = "analysis")]
    has_outcome_tables: false,
    #[cfg(feature = "analysis")]
    starts: PileStarts {
        in_sums: (&[6], &[]),
        extremes: |n| extremes_with_bans(n, [1, 2]),
        small: |max| small_with_bans(max, [1, 2]),
        random_list: |max, random| random_numbers(3, max.min(12), random),
    },
};

/// The rules of subtract-a-divisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    /// The numbers that may not be taken, in ascending order.
    pub(crate) banned: Vec<u64>,
}

impl Divisor {
    pub(crate) fn new(banned: &[u64]) -> Self {
        Self { banned: sorted(banned) }
    }
}

impl Takes for Divisor {
    fn words(&self) -> String {
        with_list("divisor", "ban", &self.banned)
    }

    fn check(&self, n: u64, take: u64) -> Result<(), Violation> {
        if !n.is_multiple_of(take) {
            return Err(Violation::NotAllowed { game: PileGame::Divisor, size: n });
        }
        match self.banned.binary_search(&take) {
            Ok(_) => Err(Violation::Banned),
            Err(_) => Ok(()),
        }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        if n == 0 {
            return Box::new(iter::empty());
        }
        let mut divisors = Vec::new();
        factor::divisors(factor::primes(n), &mut divisors);
        divisors.retain(|divisor| self.banned.binary_search(divisor).is_err());
        divisors.sort_unstable();
        Box::new(divisors.into_iter())
    }

    fn scan_cost(&self, n: u64) -> u128 {
        // Counting the divisors means computing all of them.
        u128::from(factor::cost(n)) * 10 + u128::from(factor::estimated_divisors(n)) * 50
    }

    fn has_takes(&self, n: u64) -> bool {
        // Most piles may be taken whole. The divisors are computed only if this is banned.
        n > 0 && (self.check(n, n).is_ok() || self.count(n) > 0)
    }

    fn has_takes_cost(&self, n: u64) -> u128 {
        if n == 0 || self.check(n, n).is_ok() {
            return 0;
        }
        // Measured: up to 1.1 ms for the worst numbers, and a microsecond for numbers up to 10^6.
        u128::from(factor::cost(n)) * 2 + u128::from(factor::estimated_divisors(n)) * 50
    }

    fn least(&self) -> u64 {
        let mut banned = self.banned.iter();
        (1..=u64::MAX).find(|number| banned.next() != Some(number)).unwrap_or(1)
    }
}
