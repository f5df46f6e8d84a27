//! Prime factors and divisors of 64-bit numbers.
//!
//! Small factors are found by trial division. The rest is split by Brent's version (R. P. Brent 1980, "An improved
//! Monte Carlo factorization algorithm") of Pollard's method (J. M. Pollard 1975, "A Monte Carlo method for
//! factorization") until each part is prime by the Miller-Rabin test (G. L. Miller 1976, "Riemann's hypothesis and
//! tests for primality"; M. O. Rabin 1980, "Probabilistic algorithm for testing primality"). The bases of this test
//! make it exact for 64-bit numbers, and nothing is random.

use std::iter;

use crate::integers::narrow;

/// Factors less than `TRIALS` are found by trial division.
const TRIALS: u64 = 256;

/// The first twelve primes. The least composite number that passes the test for all of them has 79 bits (J. Sorenson
/// and J. Webster 2017, "Strong pseudoprimes to twelve prime bases").
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Number of differences that are multiplied before one greatest common divisor is computed.
const BATCH: u64 = 128;

/// Returns the prime factors of `n` in ascending order, with multiplicity. For 0 and 1 there are none.
///
/// Time: an expected O(n^(1/4)) products modulo n, see [`cost`].
fn primes(n: u64) -> Vec<u64> {
    let (mut primes, rest) = by_trial(n);
    split(rest, &mut primes);
    primes.sort_unstable();
    primes
}

/// Returns the approximate maximum number of steps of [`primes`]. A step is a few nanoseconds.
pub(crate) fn cost(n: u64) -> u64 {
    let root = n.isqrt();
    if root < TRIALS { root } else { TRIALS + 16 * root.isqrt() }
}

/// Estimates the number of divisors of `n` by trial division only. A rest that may be composite counts as two primes.
/// So the estimate is at most twice the number of divisors, and at least 1/32 of this number (if the rest has seven
/// prime factors).
pub(crate) fn estimated_divisors(n: u64) -> u64 {
    let (small, rest) = by_trial(n);
    let of_rest = match rest {
        1 => 1,
        _ if is_small_prime(rest) => 2,
        _ => 4,
    };
    small.chunk_by(u64::eq).map(|equal| equal.len() as u64 + 1).product::<u64>() * of_rest
}

/// Returns the divisors of `n` in no order.
pub(crate) fn divisors(n: u64) -> Vec<u64> {
    // Most numbers have few divisors.
    let mut divisors = Vec::with_capacity(16);
    divisors.push(1);
    for equal in primes(n).chunk_by(u64::eq) {
        // Each copy of a prime after the first multiplies the divisors that the copy before it has added.
        for at in 0..divisors.len() * equal.len() {
            divisors.push(divisors[at] * equal[0]);
        }
    }
    divisors
}

/// Returns the prime factors that trial division finds, in ascending order, and the rest: 1, a prime, or a number
/// without prime factors less than [`TRIALS`].
fn by_trial(mut n: u64) -> (Vec<u64>, u64) {
    let mut primes = Vec::new();
    if n == 0 {
        return (primes, 1);
    }
    for trial in iter::once(2).chain((3..TRIALS).step_by(2)) {
        if trial * trial > n {
            break;
        }
        while n.is_multiple_of(trial) {
            primes.push(trial);
            n /= trial;
        }
    }
    (primes, n)
}

/// Adds the prime factors of `n` to `primes`. `n` is a rest of [`by_trial`] or a factor of one.
fn split(n: u64, primes: &mut Vec<u64>) {
    if n == 1 {
        return;
    }
    if is_small_prime(n) || BASES.iter().all(|&base| passes(n, base)) {
        primes.push(n);
        return;
    }
    let factor = factor(n);
    split(factor, primes);
    split(n / factor, primes);
}

/// Returns whether a rest `n` > 1 of [`by_trial`] is a prime for sure: a composite has two factors from [`TRIALS`] on.
fn is_small_prime(n: u64) -> bool {
    n < TRIALS * TRIALS
}

/// Returns whether the odd number `n` is a prime or a strong pseudoprime to `base`, which must be no multiple of `n`.
fn passes(n: u64, base: u64) -> bool {
    let twos = (n - 1).trailing_zeros();
    let first = power(base, (n - 1) >> twos, n);
    let mut squares =
        iter::successors(Some(first), |&root| Some(multiply(root, root, n))).take(twos as usize);
    first == 1 || squares.any(|square| square == n - 1)
}

/// Returns a factor of `n` other than 1 and `n`. `n` must be a composite rest of trial division.
///
/// A try ends at the latest when the values repeat modulo n, because a difference is then 0. The search succeeds at
/// the latest with c = p - 2 for a prime factor p: the sequence then begins 2, 2 + p, so the first difference is p.
fn factor(n: u64) -> u64 {
    let mut c = 1;
    loop {
        match try_factor(n, c) {
            Some(factor) => return factor,
            None => c += 1,
        }
    }
}

/// Searches for a factor by the sequence x -> x^2 + c, starting at 2. Returns `None` if the sequence repeats modulo all
/// prime factors at once.
///
/// Each value is compared with the latest earlier value whose index (from 0) is a power of 2 minus 1.
fn try_factor(n: u64, c: u64) -> Option<u64> {
    let next = |x| narrow::<u64>((u128::from(x) * u128::from(x) + u128::from(c)) % u128::from(n));
    let mut last = 2;
    for length in iter::successors(Some(1_u64), |length| length.checked_mul(2)) {
        let kept = last;
        for done in (0..length).step_by(narrow(BATCH)) {
            let start = last;
            let mut product = 1;
            for _ in done..length.min(done + BATCH) {
                last = next(last);
                product = multiply(product, kept.abs_diff(last), n);
            }
            if gcd(product, n) > 1 {
                // A difference of the batch has a common factor with n. Find the first such difference.
                let values = iter::successors(Some(next(start)), |&x| Some(next(x)));
                let mut factors = values.map(|x| gcd(kept.abs_diff(x), n));
                return factors.find(|&factor| factor > 1).filter(|&factor| factor < n);
            }
        }
    }
    None
}

fn power(base: u64, mut exponent: u64, n: u64) -> u64 {
    let (mut square, mut power) = (base, 1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = multiply(power, square, n);
        }
        square = multiply(square, square, n);
        exponent /= 2;
    }
    power
}

fn multiply(a: u64, b: u64, n: u64) -> u64 {
    narrow(u128::from(a) * u128::from(b) % u128::from(n))
}

pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted_divisors(n: u64) -> Vec<u64> {
        let mut found = divisors(n);
        found.sort_unstable();
        found
    }

    #[test]
    fn small_numbers() {
        assert_eq!(primes(0), []);
        // The least factor of each number, by the sieve of Eratosthenes.
        let mut least: Vec<usize> = (0..150_000).collect();
        for prime in (2..388).rev() {
            (prime * prime..150_000).step_by(prime).for_each(|multiple| least[multiple] = prime);
        }
        for n in 1..150_000 {
            let left = std::iter::successors(Some(n), |&left| Some(left / least[left]));
            let expected = left.take_while(|&left| left > 1).map(|left| least[left] as u64);
            assert!(primes(n as u64).into_iter().eq(expected), "{n}");
        }
        for n in 1..2_000_u64 {
            let all: Vec<u64> = (1..=n).filter(|&divisor| n.is_multiple_of(divisor)).collect();
            assert_eq!(sorted_divisors(n), all);
            assert_eq!(estimated_divisors(n), all.len() as u64, "{n}");
        }
    }

    /// The largest primes below 10^9, 10^18 and 2^64, products of large primes, Carmichael numbers, the least strong
    /// pseudoprimes to the first few primes, and numbers with many factors.
    #[test]
    fn large_numbers() {
        for factors in [
            &[999_999_937][..],
            &[999_999_999_999_999_989],
            &[18_446_744_073_709_551_557],
            &[999_999_883, 999_999_929],
            &[2, 2, 999_999_937, 999_999_937],
            &[4_294_967_279, 4_294_967_291],
            &[4_294_967_291, 4_294_967_291],
            &[999_979, 999_983, 999_983],
            &[257; 7],
            &[257, 263, 269, 271, 277, 281, 283],
            &[&[2; 18][..], &[5; 18]].concat(),
            &[3, 5, 17, 257, 641, 65_537, 6_700_417],
            &[211, 421, 631],
            &[271, 541, 811],
            &[829, 1_657],
            &[2_251, 11_251],
            &[151, 751, 28_351],
            &[6_763, 10_627, 29_947],
            &[1_303, 16_927, 157_543],
            &[10_670_053, 32_010_157],
            &[149_491, 747_451, 34_233_211],
        ] {
            let n = factors.iter().product();
            assert_eq!(primes(n), factors, "{n}");
            let count: u64 = factors.chunk_by(u64::eq).map(|equal| equal.len() as u64 + 1).product();
            assert_eq!(sorted_divisors(n).len() as u64, count, "{n}");
            let estimate = estimated_divisors(n);
            assert!(estimate <= 2 * count && count <= 32 * estimate, "{n}: {estimate} for {count}");
        }
        assert_eq!(sorted_divisors(897_612_484_786_617_600).len(), 103_680, "no n up to 10^18 has more");
    }
}
