//! Tests of what needs no play: sums that cannot be played, heaps that cancel, and counts of winning pairs.
//! `proof_by_play` compares the analysis of positions with the definition.

use std::collections::HashSet;

use itertools::Itertools;
use zeroxor::grundy::{ValueKind, winning_pairs};
use zeroxor::rules::Heap;
use zeroxor::{Analysis, Nimber, Outcome, Position, Solver};

use crate::definition::{by_rules, position, values};

/// Checks that the outcome and the nimber of a sum follow from the nimbers of its heaps, even if its games cannot be
/// played.
#[test]
fn sums_of_games_that_cannot_be_played() {
    for game in ["grundy", "octal 4.004", "octal 0.98"] {
        let g = by_rules(&format!("{game} 1"), 11);
        for (c, b, a) in (1..12).tuple_combinations() {
            let sum = format!("{game} {a} {b} {c} + nim 2");
            let position = Position::for_solver(&sum.parse().unwrap()).unwrap();
            let (mut solver, nimber) = (Solver::new(), Nimber(g[a] ^ g[b] ^ g[c] ^ 2));
            assert_eq!(solver.nimber(&position), Ok(nimber), "{sum}");
            assert_eq!(solver.outcome(&position).unwrap() == Outcome::P, nimber == Nimber::ZERO, "{sum}");
        }
    }
}

/// Checks that two equal heaps cancel without computing their values: the result is that of the other heaps.
#[test]
fn equal_heaps_cancel() {
    const LARGE: u64 = 1_000_000_000;
    let games = ["grundy N", "octal 4.004 N", "octal 0.98 N", "square N", "segment N 3 3", "octal 0.6 N"];
    for game in games {
        let sum_of = |sizes: &[u64]| {
            let games = sizes.iter().map(|size| game.replace('N', &size.to_string()));
            Position::for_solver(&games.collect::<Vec<_>>().join(" + ").parse().unwrap()).unwrap()
        };
        for small in [7, 8] {
            let (alone, sum) = (sum_of(&[small]), sum_of(&[LARGE, small, LARGE, small, small]));
            let nimber = Solver::new().nimber(&alone).unwrap();
            assert_eq!(Solver::new().nimber(&sum), Ok(nimber), "{game} {small}");
            assert_eq!(Solver::new().outcome(&sum), Solver::new().outcome(&alone), "{game} {small}");
            let analysis = Analysis::of(&sum, &mut Solver::new(), 0).unwrap();
            assert_eq!(analysis.nimber, Some(nimber), "{game} {small}");
        }
    }
    // One of three equal heaps remains, and its nimber costs too much.
    let three =
        Position::for_solver(&"octal 4.004 1000000000 1000000000 1000000000".parse().unwrap()).unwrap();
    assert_eq!(Solver::new().outcome(&three), Ok(Outcome::N));
    assert!(Solver::new().nimber(&three).is_err());
}

#[test]
fn rows_that_only_symmetry_decides() {
    let analysis = Analysis::of(&position("1000000000000000000 3 5"), &mut Solver::new(), 5).unwrap();
    assert_eq!((analysis.outcome, analysis.nimber, analysis.winning_moves_total), (Outcome::N, None, None));
    assert_eq!(analysis.winning_moves.len(), 1);
}

/// `euclid` compares the values of single pairs with the definition.
#[test]
fn all_small_rectangles() {
    let is_won = |&(a, b): &(u64, u64)| {
        let heap = Heap { size: a, second: b };
        values(&format!("euclid {a} {b}"), heap, ValueKind::Outcome).nimber(heap) != Nimber::ZERO
    };
    let won: HashSet<_> = (1..=13).cartesian_product(1..=13).filter(is_won).collect();
    let ranges = || (1..=13).flat_map(|to| (1..=to).map(move |from| (from, to)));
    for ((a1, a2), (b1, b2)) in ranges().cartesian_product(ranges()) {
        let count = (a1..=a2).cartesian_product(b1..=b2).filter(|pair| won.contains(pair)).count();
        assert_eq!(winning_pairs((a1, a2), (b1, b2)), count as u128, "[{a1}, {a2}] x [{b1}, {b2}]");
    }
    assert_eq!(winning_pairs((5, 4), (1, 9)), 0, "an empty range has no pairs");
}
