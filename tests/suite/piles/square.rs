//! Subtract a square: published terms, counts, and bans.

use zeroxor::grundy::ValueKind;
use zeroxor::rules::Heap;
use zeroxor::{Move, Nimber, Outcome, Solver};

use crate::definition::{position, terms};

use super::{grundy_table, header};

/// A030193, the P-positions of subtract-a-square, and A014586, its nimbers.
#[test]
fn published_terms_of_subtract_a_square() {
    let losing = terms(include_str!("../../data/A030193.txt"));
    let outcomes = grundy_table("square 1", *losing.last().unwrap(), ValueKind::Outcome);
    let found = (0..=*losing.last().unwrap()).filter(|&n| outcomes.nimber(Heap::of(n)) == Nimber::ZERO);
    assert_eq!(found.collect::<Vec<_>>(), losing);
    assert_eq!(losing[..15], [0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57]);
    let nimbers = terms(include_str!("../../data/A014586.txt"));
    let values = grundy_table("square 1", nimbers.len() as u64, ValueKind::Nimber);
    for (n, nimber) in (0..).zip(nimbers) {
        assert_eq!(values.nimber(Heap::of(n)), Nimber(nimber), "pile {n}");
    }
}

/// How many P-positions there are from 0 to 2^k.
#[track_caller]
fn assert_losing(k: u32, count: usize) {
    let outcomes = grundy_table("square 1", 1 << k, ValueKind::Outcome);
    let losing = (0..=1 << k).filter(|&n| outcomes.nimber(Heap::of(n)) == Nimber::ZERO);
    assert_eq!(losing.count(), count, "to 2^{k}");
}

#[test]
fn counts_of_subtract_a_square() {
    assert_losing(20, 14_421);
    assert_losing(24, 100_145);
    assert_losing(26, 262_950);
}

#[test]
#[ignore = "takes some seconds"]
fn count_of_subtract_a_square_to_a_quarter_of_a_billion() {
    assert_losing(28, 691_247);
}

#[test]
#[ignore = "takes half a minute"]
fn count_of_subtract_a_square_to_a_billion() {
    assert_losing(30, 1_816_355);
}

/// The largest nimber to 2^20.
#[test]
fn largest_nimber_of_subtract_a_square() {
    let values = grundy_table("square 1", 1 << 20, ValueKind::Nimber);
    assert_eq!((0..=1 << 20).map(|n| values.nimber(Heap::of(n))).max(), Some(Nimber(170)));
}

/// Bans that leave many losing piles: without the multiples of 25, those that are 0 or 2 modulo 5; without
/// the even squares, the even ones.
#[test]
fn outcomes_where_many_piles_lose() {
    let n = 3_000_000;
    for (divisor, modulus, losing) in [(25, 5, [0, 2]), (4, 2, [0, 0])] {
        let bans: Vec<u64> = (1..=1800).map(|root| divisor * root * root).collect();
        let outcomes = grundy_table(&header("square", &bans, 1), n, ValueKind::Outcome);
        for pile in 0..=n {
            let loses = losing.contains(&(pile % modulus));
            assert_eq!(
                outcomes.nimber(Heap::of(pile)) == Nimber::ZERO,
                loses,
                "{pile} without {divisor} k^2"
            );
        }
    }
}

/// 7 with 1 banned: 7 - 4 = 3 leaves the other player stuck, so First wins. Widely copied as Second.
#[test]
fn who_cannot_move_loses_above_zero_too() {
    let seven = position("square 7 ban 1");
    let mut player = Solver::new();
    assert_eq!(player.outcome(&seven), Ok(Outcome::N));
    assert_eq!(player.best_move(&seven), Ok(Some(Move { place: 1, take: 4 })));
    assert!(position("square 3 ban 1").is_over());
    assert_eq!(
        player.outcome(&position("square 20")),
        Ok(Outcome::P),
        "Subtraction Square is won by the second player"
    );
}
