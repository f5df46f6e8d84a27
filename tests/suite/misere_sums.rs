//! Sums of games in misère play, compared with plain recursion over positions.

use std::cell::RefCell;
use std::collections::HashMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use zeroxor::misere::{Budget, HeapGame, Quotient, Solver};
use zeroxor::rules::Heap;
use zeroxor::{GameSpec, Move, Outcome, Position};

/// A budget with which few heaps have a quotient.
const SMALL: Budget = Budget { steps: 1_000_000_000, elements: 6 };

/// Forms of games, with `N` for a size.
const GAMES: [&str; 14] = [
    "nim N",
    "octal 0.77 N",
    "octal 0.07 N",
    "octal 0.15 N",
    "octal 0.123 N",
    "octal 0.71 N N",
    "segment N 1 1",
    "grundy N",
    "octal 4.7 N",
    "subtract N take 1 3",
    "subtract N N take 2 3",
    "square N",
    "divisor N",
    "prime N",
];

fn parse(game: &str) -> (GameSpec, Position) {
    let game: GameSpec = game.parse().unwrap();
    let position = Position::new(&game).unwrap();
    (game, position)
}

/// The outcomes of the positions of a game by plain recursion: a player who has no move wins.
#[derive(Default)]
struct Recursion(HashMap<Vec<(usize, Heap)>, bool>);

impl Recursion {
    fn is_p(&mut self, position: &Position) -> bool {
        let mut heaps: Vec<(usize, Heap)> =
            position.heaps().map(|placed| (placed.index, placed.heap)).collect();
        heaps.sort_unstable();
        if let Some(&is_p) = self.0.get(&heaps) {
            return is_p;
        }
        let is_p = position.moves().next().is_some() && self.winning_moves(position).is_empty();
        self.0.insert(heaps, is_p);
        is_p
    }

    fn winning_moves(&mut self, position: &Position) -> Vec<Move> {
        let wins = |mv: &Move| {
            let mut next = position.clone();
            next.play(*mv).unwrap();
            self.is_p(&next)
        };
        position.moves().filter(wins).collect()
    }
}

/// Compares the solver with plain recursion on random sums of `GAMES`, at most 8 heaps in each.
fn compare_sums(cases: u32, budget: Budget) {
    let part =
        (0..GAMES.len(), 1..=7_u64).prop_map(|(game, size)| GAMES[game].replace('N', &size.to_string()));
    let compare = |parts: Vec<String>| {
        let (game, position) = parse(&parts.join(" + "));
        let mut recursion = Recursion::default();
        let mut solver = Solver::new(&game, budget).unwrap();
        let expected = if recursion.is_p(&position) { Outcome::P } else { Outcome::N };
        prop_assert_eq!(solver.outcome(&position), Ok(expected), "{}", position);
        let moves = recursion.winning_moves(&position);
        prop_assert_eq!(solver.winning_moves(&position), Ok(moves), "{}", position);
        Ok(())
    };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&prop::collection::vec(part, 1..=4), compare).unwrap();
}

#[test]
fn random_sums() {
    compare_sums(100, Budget::PER_HEAP);
}

/// Most positions are searched, because the quotient has few heaps.
#[test]
fn searched_sums() {
    compare_sums(100, SMALL);
}

#[test]
#[ignore = "takes a minute"]
fn many_random_sums() {
    compare_sums(1000, Budget::PER_HEAP);
    compare_sums(1000, SMALL);
}

#[test]
fn nim() {
    let sizes = [1_u64, 2, 3, 4, 5];
    let recursion = RefCell::new(Recursion::default());
    for a in sizes {
        for b in sizes {
            for c in sizes {
                let (game, position) = parse(&format!("nim {a} {b} {c}"));
                let mut solver = Solver::new(&game, SMALL).unwrap();
                let is_p = recursion.borrow_mut().is_p(&position);
                assert_eq!(
                    solver.outcome(&position),
                    Ok(if is_p { Outcome::P } else { Outcome::N }),
                    "{position}"
                );
                let moves = recursion.borrow_mut().winning_moves(&position);
                assert_eq!(solver.winning_moves(&position), Ok(moves), "{position}");
            }
        }
    }
    let (game, position) = parse("nim 1000000000000000000 3 1");
    let moves = Solver::new(&game, SMALL).unwrap().winning_moves(&position);
    assert_eq!(moves, Ok(vec![Move { place: 1, take: 999_999_999_999_999_998 }]));
}

/// Heaps that are too large to be listed have the elements of smaller ones, because of the period.
#[test]
fn large_heaps() {
    let game: HeapGame = "0.77".parse().unwrap();
    let quotient = Quotient::compute(game, 200, Budget::PER_HEAP).unwrap();
    for size in 1_000_000_000_000..1_000_000_000_012 {
        let (game, position) = parse(&format!("octal 0.77 {size} 27 25"));
        let expected = quotient.is_p(&[size, 27, 25]).unwrap();
        let outcome = Solver::new(&game, Budget::PER_HEAP).unwrap().outcome(&position).unwrap();
        assert_eq!(outcome == Outcome::P, expected, "{size}");
    }
    for size in 1_000_000_000_000_u64..1_000_000_000_005 {
        // By recursion, subtracting 1 or 4 has the period 5.
        let outcomes = [size, 10 + size % 5].map(|size| {
            let (game, position) = parse(&format!("subtract {size} take 1 4 + octal 0.123 9"));
            Solver::new(&game, Budget::PER_HEAP).unwrap().outcome(&position).unwrap()
        });
        assert_eq!(outcomes[0], outcomes[1], "{size}");
    }
}

/// Checks what is said of positions that are too large.
#[test]
fn refusals() {
    let refused = |game: &str| {
        let (game, position) = parse(game);
        let budget = Budget { steps: 1_000_000, ..SMALL };
        Solver::new(&game, budget).unwrap().outcome(&position).unwrap_err().to_string()
    };
    assert_eq!(
        refused("square 100000"),
        "misère play: there are more than 2000 different heaps, and no period of them is proven, and a search is too large"
    );
    assert_eq!(
        refused("octal 0.07 40 40 40 40 40"),
        "misère play: no misère quotient with a heap of 10 in octal 0.07 was found, and a search exceeds the budget"
    );
    assert_eq!(
        refused("octal 0.07 1000 + octal 0.77 700 700 700 700 700 700"),
        "misère play: no misère quotient with a heap of 5 in octal 0.77 was found, and a search of 4700 plies is too deep"
    );
}
