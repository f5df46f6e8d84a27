//! Piles near 10^18 and their divisors.

use std::collections::BTreeSet;

use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;
use zeroxor::rules::{Heap, Rules};

use crate::definition::{position, values};

use super::header;

/// Piles near 10^18, whose prime factors are known: a prime, products of large ones, powers of small ones.
#[test]
fn divisors_of_large_piles() {
    for factors in [
        &[(999_999_999_999_999_989, 1)][..],
        &[(999_999_929, 1), (999_999_937, 1)],
        &[(999_999_937, 2)],
        &[(2, 1), (7, 2), (99_999_989, 2)],
        &[(2, 18), (5, 18)],
        &[(2, 1), (3, 37)],
    ] {
        let divisors = factors.iter().fold(BTreeSet::from([1]), |known, &(prime, most)| {
            known.iter().flat_map(|&divisor| (0..=most).map(move |k| divisor * u64::pow(prime, k))).collect()
        });
        let n = *divisors.last().unwrap();
        let heap = Heap::of(n);
        let start = position(&format!("divisor {n}"));
        let rules: &dyn Rules = start.rules(0).unwrap();
        assert!(rules.moves(heap).map(|take| take.count).eq(divisors.iter().copied()), "{n}");
        assert_eq!(rules.move_count(heap), divisors.len() as u128, "{n}");
        assert_eq!(rules.nth_move(heap, divisors.len() as u128 - 1).unwrap().count, n);
        let grundy_table = values(&format!("divisor {n}"), heap, ValueKind::Nimber);
        for target in 0..64 {
            // v2 + 1 of what is left, and 0 of nothing.
            let value = |left: u64| if left == 0 { 0 } else { left.trailing_zeros() + 1 };
            let to = divisors.iter().copied().filter(|divisor| value(n - divisor) == target);
            let found = grundy_table.moves_to(heap, Nimber(target.into())).map(|take| take.count);
            assert!(found.eq(to.clone()), "{n} to {target}");
            assert_eq!(grundy_table.count_to(heap, Nimber(target.into())), Some(to.count() as u128));
        }
        // With all but one of its divisors banned it still has a move.
        let mut bans: Vec<u64> = divisors.into_iter().collect();
        assert!(position(&header("divisor", &bans, n)).is_over(), "{n}");
        bans.remove(bans.len() / 2);
        assert!(!position(&header("divisor", &bans, n)).is_over(), "{n}");
    }
}
