//! Subtract-a-divisor: a move takes a divisor of the pile's present size that is not banned, 1 and the size
//! itself included.
//!
//! Without bans g(n) = v2(n) + 1, where v2 is the exponent of 2 in n, and g(0) = 0. By induction: take d from
//! n. If v2(d) < v2(n) then v2(n-d) = v2(d), and each such exponent occurs, so these moves have the values 1
//! to v2(n). If v2(d) = v2(n), the difference of two odd numbers is even: either d = n, with the value 0, or
//! v2(n-d) > v2(n), with a value above v2(n) + 1. The least value missing is v2(n) + 1.

use std::iter;

use super::tabled::{Mex, Tabled};
use super::{
    Budget, Detail, Illegal, MAX_SIZE, Opened, Setup, SetupError, Takes, Theory, TooLarge, banned, factor,
    piles, table_of, words,
};

const FORM: &str =
    "\"divisor n1 n2 ... [ban d1 d2 ...]\" with piles from 1 to 1000000000000000000 and bans of at least 1";

/// Sets up the piles.
pub(in crate::games) fn open(setup: &Setup) -> Result<Opened, SetupError> {
    let banned = banned(setup, FORM)?;
    piles(setup, FORM, MAX_SIZE, Divisor { banned })
}

/// The rules; bans in ascending order.
#[derive(Clone, Debug)]
struct Divisor {
    banned: Vec<u64>,
}

impl Takes for Divisor {
    fn rules(&self) -> String {
        words("divisor", "ban", self.banned.iter().copied())
    }

    fn check(&self, n: u64, take: u64) -> Result<(), Illegal> {
        if !n.is_multiple_of(take) {
            return Err(Illegal::NotADivisor { size: n });
        }
        match self.banned.binary_search(&take) {
            Ok(_) => Err(Illegal::Banned),
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

    fn effort(&self, n: u64) -> u128 {
        // For each move the divisors of the pile and of a follower are found. Here, where all piles are
        // asked, an estimate of how many moves there are has to do.
        u128::from(factor::estimated_divisors(n)) * 2 * u128::from(factor::effort(n))
    }

    fn is_live(&self, n: u64) -> bool {
        // Most piles can be taken whole; only where that is banned are the divisors looked for.
        n > 0 && (self.check(n, n).is_ok() || self.count(n) > 0)
    }

    fn least(&self) -> u64 {
        let mut banned = self.banned.iter();
        (1..=u64::MAX).find(|number| banned.next() != Some(number)).unwrap_or(1)
    }

    fn theory(
        &self,
        largest: u64,
        _detail: Detail,
        budget: &mut Budget,
    ) -> Result<Box<dyn Theory>, TooLarge> {
        let takes = self.clone();
        if self.banned.is_empty() {
            return Ok(Box::new(Tabled { takes, values: exponent }));
        }
        let what = || table_of("nimbers", largest, &self.rules());
        // The divisors of all numbers up to n are about n ln n, each some steps; values and factors are four
        // bytes each.
        let piles = u128::from(largest) + 1;
        budget.spend(what, piles * u128::from(largest.max(1).ilog2()) * 10, piles * 8)?;
        let values = self.values(largest as usize);
        Ok(Box::new(Tabled { takes, values: move |n: u64| values[n as usize].into() }))
    }
}

/// v2(n) + 1, and 0 for no stones.
fn exponent(n: u64) -> u64 {
    if n == 0 { 0 } else { u64::from(n.trailing_zeros()) + 1 }
}

impl Divisor {
    /// The Grundy values from 0 to `n`, about n ln n steps.
    fn values(&self, n: usize) -> Vec<u32> {
        let factors = smallest_factors(n);
        let mut values = vec![0; n + 1];
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
            let allowed = divisors.iter().filter(|divisor| self.banned.binary_search(divisor).is_err());
            for &divisor in allowed {
                mex.see(values[size - divisor as usize]);
            }
            values[size] = mex.least();
        }
        values
    }
}

/// The smallest prime factor of each number from 2 to `n`, and 0 for the smaller ones.
fn smallest_factors(n: usize) -> Vec<u32> {
    let mut factors = vec![0; n + 1];
    for prime in 2..=n {
        if factors[prime] == 0 {
            for multiple in (prime..=n).step_by(prime) {
                if factors[multiple] == 0 {
                    factors[multiple] = prime as u32;
                }
            }
        }
    }
    factors
}
