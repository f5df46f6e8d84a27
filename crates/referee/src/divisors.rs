//! Divisors that are not banned, and primes, for the referee's rules of piles.

use std::collections::BTreeSet;

/// Returns true if some divisor of `n`, 1 and `n` included, is not banned; false for 0.
///
/// The function factors `n` by means of the banned divisors. If every divisor is banned, then the smallest banned
/// divisor above 1 is prime. Dividing `n` by this prime as often as possible and continuing with the quotient factors
/// `n`. If no banned divisor is left or the smallest one is not prime, some divisor is not banned. Otherwise the
/// exponents give the number of divisors, which is compared with the number of banned divisors.
///
/// Time: O(b) divisions for b banned numbers up to `n`, or O(sqrt(n)) if that is less, and some primality tests.
pub(super) fn has_allowed_divisor(n: u64, banned: &BTreeSet<u64>) -> bool {
    if n == 0 || !banned.contains(&n) {
        return n > 0;
    }
    let root = n.isqrt();
    if root < banned.len() as u64 {
        let are_both_banned = |divisor| banned.contains(&divisor) && banned.contains(&(n / divisor));
        return (1..=root).any(|divisor| n.is_multiple_of(divisor) && !are_both_banned(divisor));
    }
    let banned_divisors: Vec<u64> =
        banned.range(1..=n).copied().filter(|&number| n.is_multiple_of(number)).collect();
    let (mut rest, mut count) = (n, 1);
    while rest > 1 {
        let factor =
            banned_divisors.iter().copied().find(|&divisor| divisor > 1 && rest.is_multiple_of(divisor));
        // Without a factor, `rest` itself is a divisor that is not banned. If the factor is composite, its prime
        // factors are not banned, because `find` returns the smallest banned divisor of `rest`.
        let Some(factor) = factor.filter(|&factor| is_prime(factor)) else { return true };
        let mut exponent = 0;
        while rest.is_multiple_of(factor) {
            rest /= factor;
            exponent += 1;
        }
        count *= exponent + 1;
    }
    banned_divisors.len() < count
}

/// Checks whether `n` is prime by the test of G. L. Miller (1976) and M. O. Rabin (1980), which is exact below 2^64
/// with these bases (J. Sorenson and J. Webster 2017, "Strong pseudoprimes to twelve prime bases").
pub(super) fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|&base| n.is_multiple_of(base)) {
        return BASES.contains(&n);
    }
    let modulus = u128::from(n);
    let twos = (n - 1).trailing_zeros();
    let power = |base: u64| {
        let (mut power, mut square, mut exponent) = (1, u128::from(base), (n - 1) >> twos);
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = power * square % modulus;
            }
            square = square * square % modulus;
            exponent /= 2;
        }
        power
    };
    BASES.iter().all(|&base| {
        let first = power(base);
        let mut squares = std::iter::successors(Some(first), |&x| Some(x * x % modulus)).take(twos as usize);
        first == 1 || squares.any(|square| square == modulus - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes() {
        let by_trial = |n: u64| n > 1 && (2..=n.isqrt()).all(|divisor| !n.is_multiple_of(divisor));
        assert!((0..20_000).all(|n| is_prime(n) == by_trial(n)));
        assert!([999_999_999_999_999_989, 999_999_999_999_999_877].into_iter().all(is_prime));
        // Carmichael numbers, a strong pseudoprime to the first nine bases, and a product of two large primes.
        let composite = [561, 294_409, 3_825_123_056_546_413_051, 999_999_883 * 999_999_937];
        assert!(!composite.into_iter().any(is_prime));
    }

    /// Compares the function with the definition for every set of bans among the first ten divisors. With ten more bans
    /// above 60, the function tests every divisor up to the root instead.
    #[test]
    fn bans_of_small_numbers() {
        for n in 0..=60_u64 {
            let divisors: Vec<u64> = (1..=n).filter(|&divisor| n.is_multiple_of(divisor)).collect();
            for set in 0..1_u32 << divisors.len().min(10) {
                let banned = divisors.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
                let mut banned: BTreeSet<u64> = banned.map(|(_, &divisor)| divisor).collect();
                let expected = divisors.iter().any(|divisor| !banned.contains(divisor));
                assert_eq!(has_allowed_divisor(n, &banned), expected, "{n} {banned:?}");
                banned.extend(1000..1010);
                assert_eq!(has_allowed_divisor(n, &banned), expected, "{n} {banned:?}");
            }
        }
    }

    /// Checks large numbers of which all divisors are banned, or all but one.
    #[test]
    fn large_numbers() {
        const P: u64 = 999_999_883;
        const Q: u64 = 999_999_937;
        let numbers = [
            (P * Q, vec![1, P, Q, P * Q]),
            (P * P, vec![1, P, P * P]),
            (2 * P, vec![1, 2, P, 2 * P]),
            (999_999_999_999_999_989, vec![1, 999_999_999_999_999_989]),
            (1 << 59, (0..60).map(|exponent| 1 << exponent).collect()),
        ];
        for (n, divisors) in numbers {
            let all: BTreeSet<u64> = divisors.iter().copied().collect();
            assert!(!has_allowed_divisor(n, &all), "{n}");
            for divisor in &divisors {
                let mut banned = all.clone();
                banned.remove(divisor);
                assert!(has_allowed_divisor(n, &banned), "{n} without {divisor}");
            }
        }
    }
}
