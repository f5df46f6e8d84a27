//! Subtract-a-divisor: a move takes a divisor of the pile's present size that is not banned, 1 and the size
//! itself included.
//!
//! Without bans g(n) = v2(n) + 1, where v2 is the exponent of 2 in n, and g(0) = 0. By induction: take d from n. If
//! v2(d) < v2(n) then v2(n-d) = v2(d), and each such exponent occurs, so these moves have the values 1 to v2(n). If
//! v2(d) = v2(n), the difference of two odd numbers is even: either d = n, with the value 0, or v2(n-d) > v2(n), with
//! a value above v2(n) + 1. The least value missing is v2(n) + 1.

use super::tabled::{Mex, Tabled};
use super::{
    Budget, Detail, Heap, Illegal, MAX_SIZE, Opened, Setup, SetupError, Take, Takes, Theory, TooLarge,
    banned, piles, table_of, take, words,
};
use crate::Nimber;
use crate::games::Stand;

/// Divisors are found by trial, up to the root of a pile. Moves are not compared where that takes more.
const MAX_TRIALS: u128 = 1_000_000;

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
        let root = n.isqrt();
        let low = (1..=root).filter(move |&divisor| n.is_multiple_of(divisor));
        let high = (1..=root)
            .rev()
            .filter(move |&divisor| n.is_multiple_of(divisor))
            .map(move |divisor| n / divisor);
        let all = low.chain(high.filter(move |&divisor| divisor > root));
        Box::new(all.filter(|divisor| self.banned.binary_search(divisor).is_err()))
    }

    fn effort(&self, n: u64) -> u128 {
        // Each follower's divisors are found by trial.
        let trials = u128::from(n.isqrt());
        if trials > MAX_TRIALS { u128::MAX } else { u128::from(self.count(n)) * 2 * trials }
    }

    fn is_live(&self, n: u64) -> bool {
        // Most piles can be taken whole; only where that is banned are the divisors looked for.
        n > 0 && (self.check(n, n).is_ok() || self.takes(n).next().is_some())
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
            return Ok(Box::new(Unbanned(Tabled { takes, value: exponent as fn(u64) -> u64 })));
        }
        let what = || table_of("nimbers", largest, &self.rules());
        // The divisors of all numbers up to n are about n ln n, each some steps; values and factors are four bytes each.
        let piles = u128::from(largest) + 1;
        budget.spend(what, piles * u128::from(largest.max(1).ilog2()) * 10, piles * 8)?;
        let values = self.values(largest as usize);
        Ok(Box::new(Tabled { takes, value: move |n| values[n as usize].into() }))
    }
}

/// v2(n) + 1, and 0 for no stones.
fn exponent(n: u64) -> u64 {
    if n == 0 { 0 } else { u64::from(n.trailing_zeros()) + 1 }
}

/// The theory without bans, where no divisor but a power of 2 need be known to move.
struct Unbanned(Tabled<Divisor, fn(u64) -> u64>);

impl Unbanned {
    /// Whether all divisors of a pile can be gone through.
    fn is_small(heap: Heap) -> bool {
        u128::from(heap.size.isqrt()) <= MAX_TRIALS
    }
}

impl Theory for Unbanned {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.0.nimber(heap)
    }

    /// To a smaller value by the power of 2 with that exponent less one, or by the whole pile. To a larger one it takes a
    /// search, which is left out where it would be long: no zero XOR needs such a move, as one to a smaller value serves.
    fn move_to(&self, heap: Heap, target: Nimber) -> Option<Take> {
        match target.0 {
            _ if heap.size == 0 => None,
            0 => Some(take(heap.size)),
            exponent if target < self.nimber(heap) => Some(take(1 << (exponent - 1))),
            _ => Self::is_small(heap).then(|| self.0.move_to(heap, target)).flatten(),
        }
    }

    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Take> + '_> {
        if Self::is_small(heap) {
            self.0.moves_to(heap, target)
        } else {
            Box::new(self.move_to(heap, target).into_iter())
        }
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Self::is_small(heap).then(|| self.0.count_to(heap, target)).flatten()
    }

    fn stand(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<Stand> {
        Self::is_small(heap).then(|| self.0.stand(heap, elsewhere)).flatten()
    }
}

impl Divisor {
    /// The Grundy values from 0 to `n`, about n ln n steps.
    fn values(&self, n: usize) -> Vec<u32> {
        let factors = smallest_factors(n);
        let mut values = vec![0; n + 1];
        let mut mex = Mex::default();
        let mut divisors = Vec::new();
        for size in 0..=n {
            divisors_of(size, &factors, &mut divisors);
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

/// The smallest prime factor of each number from 2 to `n`.
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

/// All divisors of a number, none of 0, in no order.
fn divisors_of(mut number: usize, factors: &[u32], divisors: &mut Vec<u64>) {
    divisors.clear();
    if number == 0 {
        return;
    }
    divisors.push(1);
    while number > 1 {
        let prime = factors[number];
        let known = divisors.len();
        let mut power = 1;
        while factors[number] == prime {
            number /= prime as usize;
            power *= u64::from(prime);
            for at in 0..known {
                divisors.push(divisors[at] * power);
            }
        }
    }
}
