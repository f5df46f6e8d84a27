//! Subtract-a-divisor: the exponent of 2, or a table if there are bans.
//!
//! Without bans g(0) = 0 and g(n) = v2(n) + 1, where v2(n) is the exponent of 2 in n; if only proper divisors may be
//! taken, g(n) = v2(n). Proof by induction: let a move take d from n. If v2(d) < v2(n), then v2(n-d) = v2(d). Each
//! exponent less than v2(n) occurs as a v2(d), so these followers have the values 1 to v2(n). If v2(d) = v2(n) and
//! d = n, the follower has the value 0. If v2(d) = v2(n) and d < n, then v2(n-d) > v2(n), because the difference of
//! two odd numbers is even, so the follower has a value greater than v2(n) + 1. The least missing value is v2(n) + 1.
//!
//! If d = n is not allowed, all values are less by one: the followers with v2(d) < v2(n) have the values 0 to
//! v2(n) - 1, and all others have values greater than v2(n).

use std::iter;

use super::{Cost, Engine, GrundyTable, Heap, Mex, Pile, Tabulated, TooLarge, ValueKind, Values};
use crate::integers::narrow;
use crate::rules::{Divisor, Takes, factor};

impl Engine for Pile<Divisor> {
    fn comparison_cost(&self, heap: Heap) -> Option<u128> {
        // Each move needs the divisors of the pile and of a follower. The number of moves is only estimated, because
        // `comparison_cost` is called for every pile.
        let n = heap.size;
        Some(u128::from(factor::estimated_divisors(n)) * 2 * u128::from(factor::cost(n)))
    }

    /// The numbers up to n have about n ln n divisors in total. Each divisor costs 13 steps and a binary search in the
    /// list of banned divisors.
    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        if self.0.banned.is_empty() {
            return Cost::default();
        }
        let piles = u128::from(largest.size) + 1;
        let each = 13 + u128::from(self.0.banned.len().ilog2());
        Cost { steps: piles * u128::from(largest.size.max(1).ilog2()) * each, bytes: piles * 8 }
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        if self.0.banned.is_empty() {
            return Ok(Box::new(Tabulated::new(self, Exponents { are_proper: self.0.is_proper })));
        }
        let table = Tabulated::new(self, values(&self.0, narrow(largest.size)));
        // The longest play may contain other takes than the least one, which does not divide every pile.
        Ok(Box::new(table.with_longest_play(largest)))
    }
}

/// The values without bans.
struct Exponents {
    /// Whether only proper divisors may be taken.
    are_proper: bool,
}

impl Values for Exponents {
    fn value(&self, n: u64) -> u64 {
        if n == 0 { 0 } else { u64::from(n.trailing_zeros()) + u64::from(!self.are_proper) }
    }
}

/// Returns the Grundy values of the piles from 0 to `n`, in about n ln n operations.
fn values(rules: &Divisor, n: usize) -> Vec<u32> {
    let factors = smallest_factors(n);
    let mut values: Vec<u32> = vec![0; n + 1];
    let mut mex = Mex::default();
    let mut divisors = Vec::new();
    for size in 1..=n {
        let mut left = size;
        let primes = iter::from_fn(|| {
            let prime = factors[left];
            left = left.checked_div(prime as usize)?;
            Some(prime.into())
        });
        factor::divisors(primes, &mut divisors);
        mex.clear();
        let allowed = divisors.iter().filter(|&&divisor| rules.check(size as u64, divisor).is_ok());
        for &divisor in allowed {
            mex.see(values[size - narrow::<usize>(divisor)]);
        }
        values[size] = mex.least();
    }
    values
}

/// Returns the smallest prime factor of each number up to `n`; 0 for the numbers 0 and 1.
fn smallest_factors(n: usize) -> Vec<u32> {
    let mut factors = vec![0; n + 1];
    for prime in 2..=n {
        if factors[prime] == 0 {
            for multiple in (prime..=n).step_by(prime) {
                if factors[multiple] == 0 {
                    factors[multiple] = narrow(prime);
                }
            }
        }
    }
    factors
}
