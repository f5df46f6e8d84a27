//! Tests of the best delaying move against its definition.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use zeroxor::rules::Heap;
use zeroxor::{Move, Nimber, Outcome, Position, Solver};

use crate::definition::{self, Nimbers, followers, placed_heaps, position};

/// How good a delaying move is: how many replies win, then how many moves are left, both counted one by one. The least is
/// the best.
fn rank(after: &Position, mut is_lost: impl FnMut(&Position) -> bool) -> (usize, Reverse<u64>) {
    let play: u64 = after.heaps().map(|placed| placed.rules.max_plies(placed.heap)).sum();
    let wins = followers(after).filter(|(_, next)| is_lost(next)).count();
    (wins, Reverse(play))
}

/// The best delaying move, and of several the first one.
fn best_by_definition(now: &Position, mut is_lost: impl FnMut(&Position) -> bool) -> Option<Move> {
    followers(now).map(|(mv, after)| (rank(&after, &mut is_lost), mv)).min().map(|(_, mv)| mv)
}

#[test]
fn leaves_the_fewest_winning_replies_then_most_play() {
    let mut compared = 0;
    for header in [
        "11 1 1",
        "11 1 2",
        "11 2 2",
        "12 3 3",
        "10 1 3",
        "12 2 4",
        "10 1 9",
        "square 20",
        "square 9 7 5",
        "divisor 6 8 4 ban 1",
        "subtract 7 8 9 take 1 4",
        "nim 3 4 5",
        "segment 6 2 3 + square 8 ban 1 + euclid 7 3",
        "euclid 8 3 + euclid 9 2 + nim 2",
    ] {
        let mut nimbers = Nimbers::default();
        let mut strategy = Solver::new();
        let mut seen = HashSet::new();
        let mut todo = vec![position(header)];
        while let Some(now) = todo.pop() {
            if !seen.insert(placed_heaps(&now)) || seen.len() > 3000 {
                continue;
            }
            if nimbers.of(&now) == Nimber::ZERO && !now.is_over() {
                let chosen = strategy.best_move(&now).unwrap().unwrap();
                let best = best_by_definition(&now, |next| nimbers.of(next) == Nimber::ZERO);
                assert_eq!(Some(chosen), best, "on {now}");
                assert_eq!(Solver::new().best_move(&now), Ok(Some(chosen)), "not deterministic");
                compared += 1;
            }
            todo.extend(followers(&now).map(|(_, after)| after));
        }
    }
    assert!(compared > 300, "only {compared} lost positions were compared");
}

/// Sums of longer rows, of equal and of different lengths: all moves, with their winning replies counted one by one.
#[test]
fn best_delaying_moves_in_long_rows() {
    for (l, r, rows) in [
        (1, 1, vec![180, 180]),
        (3, 3, vec![200, 200, 77, 77]),
        (1, 2, vec![150, 150]),
        (1, 7, vec![140, 140]),
        (2, 9, vec![150, 90, 150, 90]),
        (1, 40, vec![110, 110]),
        (3, 90, vec![130, 130]),
        (1, 128, vec![128, 128]),
        (20, 90, vec![200, 200]),
    ] {
        let g = definition::segment(l, r, 200);
        let header = rows.iter().map(|n| format!("segment {n} {l} {r}")).collect::<Vec<_>>().join(" + ");
        let mut now = position(&header);
        let mut strategy = Solver::new();
        strategy.prepare_delaying(&now);
        for _ in 0..5 {
            let chosen = strategy.best_move(&now).unwrap().unwrap();
            assert_eq!(chosen, best_by_values(&now, &g), "{now}");
            now.play(chosen).unwrap();
            now.play(strategy.winning_move(&now).unwrap().unwrap()).unwrap();
        }
    }
}

/// The best delaying move, computed from the values of all segments.
fn best_by_values(now: &Position, g: &[u64]) -> Move {
    let mut replies: HashMap<u64, HashMap<u64, usize>> = HashMap::new();
    let rank = |mv: Move| {
        let mut after = now.clone();
        after.play(mv).unwrap();
        let sizes: Vec<u64> = after.live_heaps().map(|placed| placed.heap.size).collect();
        let xor = sizes.iter().fold(0, |xor, &n| xor ^ g[n as usize]);
        let rules = now.rules(0).unwrap();
        let wins: usize = sizes
            .iter()
            .map(|&n| {
                let counts = replies.entry(n).or_insert_with(|| {
                    let left = rules.moves(Heap::of(n)).map(|take| rules.apply(Heap::of(n), take).unwrap());
                    let xors =
                        left.map(|left| left.iter().fold(0, |xor, (_, heap)| xor ^ g[heap.size as usize]));
                    xors.fold(HashMap::new(), |mut counts, xor| {
                        *counts.entry(xor).or_default() += 1;
                        counts
                    })
                });
                counts.get(&(g[n as usize] ^ xor)).copied().unwrap_or(0)
            })
            .sum();
        let play: u64 = sizes.iter().map(|&n| rules.max_plies(Heap::of(n))).sum();
        (wins, Reverse(play), mv)
    };
    now.moves().map(rank).min().unwrap().2
}

/// Piles whose divisors are not found soon by trial division: two primes, and a prime with a product of two primes.
#[test]
fn divisors_of_large_piles() {
    for header in [
        "divisor 999999999999999989 999999999999999877",
        "divisor 999999866000004473 999999999999999967",
        "divisor 999999999999999989 999999999999999877 + nim 1 2 3",
    ] {
        let now = position(header);
        let mut strategy = Solver::new();
        let is_lost = |next: &Position| Solver::new().outcome(next) == Ok(Outcome::P);
        assert!(is_lost(&now), "{header}");
        assert_eq!(strategy.best_move(&now), Ok(best_by_definition(&now, is_lost)), "{header}");
    }
}

/// A position that is lost by symmetry has a delaying move, even if the tables would be too large.
#[test]
fn a_lost_position_with_tables_that_would_be_too_large() {
    let row = "segment 1000000000000000000 3 3";
    let mv = Solver::new().best_move(&position(&format!("{row} + {row}"))).unwrap();
    assert_eq!(mv, Some(Move { place: 1, take: 3 }));
}
