//! Subtract-a-divisor: the exponent of 2, or a table if there are bans.
//!
//! Without bans g(n) = v2(n) + 1, where v2 is the exponent of 2 in n, and g(0) = 0. By induction: take d from
//! n. If v2(d) < v2(n) then v2(n-d) = v2(d), and each such exponent occurs, so these moves have the values 1
//! to v2(n). If v2(d) = v2(n), the difference of two odd numbers is even: either d = n, with the value 0, or
//! v2(n-d) > v2(n), with a value above v2(n) + 1. The least value missing is v2(n) + 1.

use std::iter;

use super::{Engine, GrundyTable, Heap, Mex, Pile, TableRequest, Tabulated, TooLarge, ValueKind, table_of};
use crate::grundy::generic::LongestPlay;
use crate::integers::narrow;
use crate::rules::{Divisor, Takes, factor};

impl Pile<Divisor> {
    /// The steps for the first `n` of the piles up to `largest`. The divisors of all numbers up to n are about n ln n,
    /// each some steps, and more of them if it is searched in a long list of bans.
    fn steps(&self, n: u64, largest: u64) -> u128 {
        let each = 10 + u128::from(self.0.banned.len().max(1).ilog2());
        (u128::from(n) + 1) * u128::from(largest.max(1).ilog2()) * each
    }
}

impl Engine for Pile<Divisor> {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        // For each move the divisors of the pile and of a follower are found. Here, where all piles are
        // asked, an estimate of how many moves there are has to do.
        let n = heap.size;
        u128::from(factor::estimated_divisors(n)) * 2 * u128::from(factor::cost(n))
    }

    fn least_cost(&self, largest: Heap, _kind: ValueKind) -> [u128; 2] {
        let n = largest.size;
        if self.0.banned.is_empty() { [0, 0] } else { [self.steps(n, n), (u128::from(n) + 1) * 8] }
    }

    fn table(&self, request: TableRequest<'_>) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let TableRequest { largest: Heap { size: largest, .. }, kind, budget, .. } = request;
        if self.0.banned.is_empty() {
            return Ok(Box::new(Tabulated::new(self, exponent)));
        }
        let what = || table_of("nimbers", largest, &self.0);
        let [steps, bytes] = self.least_cost(Heap::of(largest), kind);
        budget.spend(what, steps, bytes)?;
        let mut cpu_watch = budget.watch_cpu();
        // The prime factors come first and take an eighth of the time.
        let mut check =
            |done| cpu_watch.check(what, self.steps(largest / 8 + done as u64 / 8 * 7, largest), steps);
        let values = values(&self.0, narrow(largest), &mut check)?;
        let mut table = Tabulated::new(self, move |n: u64| values[narrow::<usize>(n)].into());
        // A number divides only some piles, unless it is 1.
        table.longest = (self.0.least() > 1).then(|| LongestPlay::new(largest));
        Ok(Box::new(table))
    }
}

/// v2(n) + 1, and 0 for no stones.
fn exponent(n: u64) -> u64 {
    if n == 0 { 0 } else { u64::from(n.trailing_zeros()) + 1 }
}

/// The Grundy values from 0 to `n`, about n ln n steps; `check` receives the pile up to which they are known.
fn values(
    rules: &Divisor,
    n: usize,
    check: &mut dyn FnMut(usize) -> Result<(), TooLarge>,
) -> Result<Vec<u32>, TooLarge> {
    let factors = smallest_factors(n);
    let mut values = vec![0; n + 1];
    let mut mex = Mex::default();
    let mut divisors = Vec::new();
    for size in 1..=n {
        check(size)?;
        let mut left = size;
        let primes = iter::from_fn(|| {
            let prime = factors[left];
            left = left.checked_div(prime as usize)?;
            Some(prime.into())
        });
        factor::divisors(primes, &mut divisors);
        mex.clear();
        let allowed = divisors.iter().filter(|divisor| rules.banned.binary_search(divisor).is_err());
        for &divisor in allowed {
            mex.see(values[size - narrow::<usize>(divisor)]);
        }
        values[size] = mex.least();
    }
    Ok(values)
}

/// The smallest prime factor of each number from 2 to `n`, and 0 for the smaller ones.
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
