//! Subtract-a-divisor: a move takes a divisor of the pile's current size that is not banned. Both 1 and the size itself
//! are divisors; with `proper`, the size may not be taken.

use std::iter;
use std::sync::Arc;

use super::{Pile, Takes, banned, factor};
use crate::rules::starts::{random_heaps, random_numbers};
use crate::rules::{Clause, GameEntry, GameKind, MAX_SIZE, Violation, in_words};

pub(in crate::rules) static ENTRY: GameEntry = GameEntry {
    name: "divisor",
    form: "divisor n1 n2 ... [proper] [ban d1 d2 ...]",
    help: "piles; a move takes a divisor of the pile that is not banned, or with \"proper\" not the whole pile",
    keywords: &["proper", "ban"],
    max_heap: MAX_SIZE,
    rules: |clauses| Some(Arc::new(Pile(Divisor::new(clauses)))),
    in_sums: "6|6 proper",
    extremes: "N|N ban 1|N ban 1 2|N N N N|N proper|N N N proper",
    small: &[
        (1, 30, "N|N ban 1|N ban 2|N ban 1 2"),
        (2, 7, "N"),
        (1, 30, "N proper|N proper ban 1|N proper ban 2|N proper ban 1 2"),
        (2, 7, "N proper"),
    ],
    random: |max, random| {
        let banned = Clause::banning(&random_numbers(3, max.min(12), random));
        let proper = (random.count(0..=2) == 0).then_some(Clause::Proper);
        (proper.into_iter().chain(banned).collect(), random_heaps(max, random))
    },
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    /// Whether the whole pile may not be taken.
    pub(crate) is_proper: bool,
    /// The numbers that may not be taken, in ascending order.
    pub(crate) banned: Vec<u64>,
}

impl Divisor {
    pub(crate) fn new(clauses: &[Clause]) -> Self {
        Self { is_proper: clauses.contains(&Clause::Proper), banned: banned(clauses) }
    }
}

impl Takes for Divisor {
    fn words(&self) -> String {
        let mut clauses = Clause::banning(&self.banned);
        if self.is_proper {
            clauses.insert(0, Clause::Proper);
        }
        in_words(GameKind::Divisor, &clauses)
    }

    fn check(&self, n: u64, take: u64) -> Result<(), Violation> {
        if !n.is_multiple_of(take) {
            return Err(Violation::NotADivisor { of: n });
        }
        match self.banned.binary_search(&take) {
            Ok(_) => Err(Violation::Banned),
            Err(_) if self.is_proper && take == n => Err(Violation::WholePile),
            Err(_) => Ok(()),
        }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        if n == 0 {
            return Box::new(iter::empty());
        }
        let mut divisors = factor::divisors(n);
        divisors.retain(|&divisor| self.check(n, divisor).is_ok());
        divisors.sort_unstable();
        Box::new(divisors.into_iter())
    }

    fn has_takes(&self, n: u64) -> bool {
        // The other divisors are computed only if these two are banned.
        n > 0 && ([1, n].iter().any(|&take| self.check(n, take).is_ok()) || self.count(n) > 0)
    }

    fn max_plies(&self, n: u64) -> u64 {
        let mut banned = self.banned.iter();
        match (1..=u64::MAX).find(|number| banned.next() != Some(number)) {
            // 1 is a proper divisor that may be taken, so the last pile is 1.
            Some(1) if self.is_proper => n.saturating_sub(1),
            least => n / least.unwrap_or(1),
        }
    }
}
