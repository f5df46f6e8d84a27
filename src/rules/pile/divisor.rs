//! Subtract-a-divisor: a move takes a divisor of the pile's present size that is not banned, 1 and the size
//! itself included.

use std::iter;

use super::{Takes, Violation, factor, sorted, with_list};

/// The rules.
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
        with_list("divisor", "ban", self.banned.iter().copied())
    }

    fn check(&self, n: u64, take: u64) -> Result<(), Violation> {
        if !n.is_multiple_of(take) {
            return Err(Violation::NotADivisor { size: n });
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
        // To count the divisors is to find them.
        u128::from(factor::cost(n)) * 10 + u128::from(factor::estimated_divisors(n)) * 50
    }

    fn has_takes(&self, n: u64) -> bool {
        // Most piles can be taken whole; only where that is banned are the divisors looked for.
        n > 0 && (self.check(n, n).is_ok() || self.count(n) > 0)
    }

    fn has_takes_cost(&self, n: u64) -> u128 {
        if n == 0 || self.check(n, n).is_ok() {
            return 0;
        }
        // The worst numbers take 1.1 ms, and those up to 10^6 a microsecond.
        u128::from(factor::cost(n)) * 2 + u128::from(factor::estimated_divisors(n)) * 50
    }

    fn least(&self) -> u64 {
        let mut banned = self.banned.iter();
        (1..=u64::MAX).find(|number| banned.next() != Some(number)).unwrap_or(1)
    }
}
