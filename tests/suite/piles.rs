//! Compares the games of piles with their definitions, and with published terms and counts.

use std::collections::BTreeSet;

use itertools::Itertools;
use proptest::prelude::*;
use zeroxor::grundy::{ValueKind, subtraction_period};
use zeroxor::rules::{Heap, Rules, Shape, Window};
use zeroxor::{GameKind, GameSpec, Nimber, mex};

use crate::definition::{assert_as_defined, assert_moves_found, by_rules, position, terms, values};

fn header(game: &str, list: &[u64], n: u64) -> String {
    let keyword = GameKind::named(game).and_then(|kind| kind.keywords().last()).unwrap();
    format!("{game} {n} {keyword} {}", list.iter().join(" "))
}

/// Returns windows of one number each.
fn windows(takes: &[u64]) -> Vec<Window> {
    takes.iter().filter_map(|&take| Window::new(take, take)).collect()
}

/// Checks every game, with the clauses of all its small and extreme starts and with other lists.
#[test]
fn every_game_of_piles() {
    let is_of_piles = |kind: &GameKind| kind.components()[0].rules().unwrap().0.shape() == Shape::Pile;
    for kind in GameKind::all().filter(is_of_piles) {
        let lists = [&[2, 3, 5, 7, 11, 13, 17][..], &[1, 4, 6, 9]].into_iter();
        let lists = lists.filter(|_| !kind.keywords().is_empty()).map(|list| header(kind.name(), list, 100));
        let starts = kind.small(20).into_iter().chain(kind.extremes(20).into_iter().flatten());
        let rules = starts.map(|start| position(&start.to_string()).rules(0).unwrap().words());
        let rules: BTreeSet<String> = rules.collect();
        let rules = rules.iter().map(|rules| GameSpec::of_rules(rules).unwrap().to_string());
        for header in rules.chain(lists) {
            assert_as_defined(&header, 0..=100, 100);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// In a table up to 10^18, the values agree with the definition for small piles, and for one pile near 10^18.
    #[test]
    fn periods_of_subtraction_sets(list in prop::collection::vec(1_u64..25, 1..5), scale in 1_u64..4, far in 0_u64..2000) {
        let list: Vec<u64> = list.iter().map(|take| take * scale).collect();
        let grundy_table = values(&header("subtract", &list, 1), Heap::of(1_000_000_000_000_000_000), ValueKind::Nimber);
        let g = by_rules(&header("subtract", &list, 1), 1000);
        for (size, &value) in (0..).zip(&g) {
            prop_assert_eq!(grundy_table.nimber(Heap::of(size)), Nimber(value));
        }
        // The value of a huge pile is the mex of the values of its followers.
        let heap = Heap::of(1_000_000_000_000_000_000 - far);
        let options = list.iter().map(|take| grundy_table.nimber(Heap::of(heap.size - take)));
        prop_assert_eq!(grundy_table.nimber(heap), mex(options));
    }
}

/// Compares the period and pre-period of a set, and of its multiples, with the values. If all numbers of the set are
/// multiplied by 10^15, the period and pre-period are multiplied by 10^15 too.
#[test]
fn periods_of_scaled_sets() {
    for bits in 1_u64..64 {
        let set: Vec<u64> = (0..6).filter(|bit| bits >> bit & 1 == 1).map(|bit| bit + 1).collect();
        for scale in [1, 3, 7] {
            let takes: Vec<u64> = set.iter().map(|take| take * scale).collect();
            let n = 60 * scale as usize;
            let g = by_rules(&header("subtract", &takes, 1), n as u64);
            // A repetition that reaches over two thirds of this table is a period.
            let repeats =
                |length: usize| (0..=n - length).rev().take_while(|&at| g[at] == g[at + length]).count();
            let length = (1..=n / 3).find(|&length| repeats(length) > 2 * n / 3 - length).unwrap();
            let start = n - length + 1 - repeats(length);
            let found = subtraction_period(&windows(&takes)).unwrap();
            assert_eq!(found, (start as u128, length as u128), "{takes:?}");
            let huge: Vec<u64> = takes.iter().map(|take| take * 1_000_000_000_000_000).collect();
            let scaled = subtraction_period(&windows(&huge)).unwrap();
            assert_eq!(scaled, (found.0 * 10_u128.pow(15), found.1 * 10_u128.pow(15)), "{takes:?}");
        }
    }
}

/// Checks each single range of numbers up to 12, and some ranges with other numbers or overlapping ranges.
#[test]
fn ranges() {
    for (l, r) in (1..=12).flat_map(|r| (1..=r).map(move |l| (l, r))) {
        assert_as_defined(&format!("subtract 1 take {l}..{r}"), 0..=60, 60);
        let period = subtraction_period(&[Window::new(l, r).unwrap()]);
        assert_eq!(period, Ok((0, u128::from(l + r))));
    }
    for takes in
        ["1 3..9 12", "12 3..9 1 5", "2..4 7..8", "2..4 3..6 5", "2..4 5..6", "50..1000000000000000000 3"]
    {
        assert_as_defined(&format!("subtract 1 take {takes}"), 0..=60, 60);
    }
}

/// Checks the shares `1..n/K` for K from 1 to 20, in tables that store all values, and in tables of large piles, which
/// do not.
#[test]
fn shares_of_piles() {
    for divisor in 1..=20 {
        let header = format!("subtract 1 take 1..n/{divisor}");
        assert_as_defined(&header, 0..=300, 300);
        assert_as_defined(&header, 0..=300, 1_000_000_000_000_000_000);
    }
}

/// Checks piles of up to 10^18 stones, which are too large for a table of all values.
#[test]
fn moves_in_large_piles() {
    const LARGE: u64 = 1_000_000_000_000_000_000;
    for game in [
        "subtract 1 take 3..9",
        "subtract 1 take 5..1000000000000",
        "subtract 1 take 1..999999999999999999",
        "subtract 1 take 1000000000000000000",
        "subtract 1 take 1..n/1",
        "subtract 1 take 1..n/2",
        "subtract 1 take 1..n/3",
        "subtract 1 take 1..n/9999",
        "subtract 1 take 1..n/300000000000",
        "subtract 1 take 1..n/999999999999999999",
        "divisor 1 proper",
    ] {
        let heaps = [LARGE, LARGE / 3, 999_999_999_999].map(Heap::of);
        assert_moves_found(game, &heaps, |value| vec![0, 1, 2, 3, 4, value / 2, value / 3]);
    }
}

/// Large piles with known prime factors: a prime, products of large primes, and of powers of small primes.
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
            // The value of a pile is its exponent of 2, plus 1; it is 0 for an empty pile.
            let value = |left: u64| if left == 0 { 0 } else { left.trailing_zeros() + 1 };
            let to = divisors.iter().copied().filter(|divisor| value(n - divisor) == target);
            let found = grundy_table.search(heap, Nimber(target.into())).flatten().map(|take| take.count);
            assert!(found.eq(to.clone()), "{n} to {target}");
            assert_eq!(grundy_table.count_to(heap, Nimber(target.into())), Some(to.count() as u128));
        }
        // If all divisors are banned, the pile has no move. If all but one are banned, it has a move.
        let mut bans: Vec<u64> = divisors.into_iter().collect();
        assert!(position(&header("divisor", &bans, n)).is_over(), "{n}");
        bans.remove(bans.len() / 2);
        assert!(!position(&header("divisor", &bans, n)).is_over(), "{n}");
    }
}

/// A030193, the P-positions of subtract-a-square.
#[test]
fn losing_piles_of_subtract_a_square() {
    let losing = terms(include_str!("../data/A030193.txt"));
    let last = *losing.last().unwrap();
    let outcomes = values("square 1", Heap::of(last), ValueKind::Outcome);
    assert!((0..=last).filter(|&pile| outcomes.nimber(Heap::of(pile)) == Nimber::ZERO).eq(losing));
}
