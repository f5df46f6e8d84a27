//! Subtract-a-prime: a move takes a prime number of stones that is not banned.
//!
//! Without bans, the nimbers are <https://oeis.org/A014589>, and the P-positions are <https://oeis.org/A025043>.

use std::sync::{Arc, LazyLock};

use super::sequence::{FromSequence, NumberSequence};
use super::{Pile, banned};
use crate::integers::narrow;
use crate::rules::starts::{random_heaps, random_numbers};
use crate::rules::{Clause, GameEntry, GameKind, Violation};

/// The largest size of a pile, limited because all primes up to this size are kept in a list.
const MAX_PILE: u64 = 10_000_000;

/// The primes up to [`MAX_PILE`], found by the sieve of Eratosthenes.
static NUMBERS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut is_prime = vec![true; narrow::<usize>(MAX_PILE) + 1];
    let mut primes = Vec::new();
    for number in 2..is_prime.len() {
        if is_prime[number] {
            primes.push(narrow(number));
            for multiple in (number * number..is_prime.len()).step_by(number) {
                is_prime[multiple] = false;
            }
        }
    }
    primes
});

static PRIMES: NumberSequence = NumberSequence {
    kind: GameKind::Prime,
    refusal: Violation::NotAPrime,
    number: |index| NUMBERS[narrow::<usize>(index) - 1].into(),
    count,
    // If the number of primes grew in proportion to n, the total would be half of n * count(n). It grows a little more
    // slowly, so the total is a little more than half.
    moves: |n| u128::from(n) * u128::from(count(n)) / 9 * 5,
};

/// Returns the number of primes up to `n`; the primes up to [`MAX_PILE`] if `n` is larger.
fn count(n: u64) -> u64 {
    NUMBERS.partition_point(|&prime| u64::from(prime) <= n) as u64
}

pub(in crate::rules) static ENTRY: GameEntry = GameEntry {
    name: "prime",
    form: "prime n1 n2 ... [ban p1 p2 ...]",
    help: "piles; a move takes a prime number that is not banned",
    keywords: &["ban"],
    max_heap: MAX_PILE,
    rules: |clauses| Some(Arc::new(Pile(FromSequence::new(&PRIMES, &banned(clauses))))),
    in_sums: "7 ban 2",
    extremes: "N|N ban 2|N ban 2 3|N N N N",
    small: &[(1, 30, "N|N ban 2|N ban 3|N ban 2 3"), (2, 7, "N")],
    random: |max, random| {
        let mut banned = random_numbers(4, max.min(30), random);
        banned.retain(|&number| NUMBERS.binary_search(&narrow(number)).is_ok());
        (Clause::banning(&banned), random_heaps(max, random))
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy::nimbers;

    #[test]
    fn primes_up_to_the_largest_pile() {
        assert_eq!(count(MAX_PILE), 664_579);
        assert_eq!((PRIMES.number)(664_579), 9_999_991);
        assert!(nimbers(&"prime 1".parse().unwrap(), MAX_PILE + 1..=MAX_PILE + 1).is_err());
    }
}
