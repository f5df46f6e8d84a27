//! Sums of games in misère play, compared with plain recursion over positions.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use zeroxor::misere::{Budget, Solver};
use zeroxor::{Nimber, Outcome, Position};

use crate::definition::{Nimbers, small_starts};

/// A budget with which few heaps have a quotient.
const SMALL: Budget = Budget { steps: 1_000_000_000, elements: 6 };

fn parse(game: &str) -> Position {
    Position::new(&format!("misere {game}").parse().unwrap()).unwrap()
}

/// Compares the outcome and the winning moves of a position with plain recursion.
fn compare(position: &Position, nimbers: &mut Nimbers, mut solver: Solver) {
    let expected = if nimbers.of(position) == Nimber::ZERO { Outcome::P } else { Outcome::N };
    assert_eq!(solver.outcome(position), Ok(expected), "{position}");
    let moves = nimbers.winning_moves(position);
    assert_eq!(solver.winning_moves(position), Ok(moves.clone()), "{position}");
    let mv = solver.winning_move(position).unwrap();
    assert!(mv.map_or(moves.is_empty(), |mv| moves.contains(&mv)), "{position}");
}

/// Compares random sums of small games.
fn compare_sums(cases: u32, budget: Budget) {
    let part = prop::sample::select(small_starts(7).collect::<Vec<_>>());
    let sum = |parts: Vec<String>| {
        let position = parse(&parts.join(" + "));
        let mut solver = Solver::new(&position, budget);
        // A few sums need a longer search than the small budget has room for.
        prop_assume!(budget.elements > SMALL.elements || solver.winning_moves(&position).is_ok());
        compare(&position, &mut Nimbers::default(), solver);
        Ok(())
    };
    let config = Config { cases, failure_persistence: None, max_global_rejects: 9, ..Config::default() };
    TestRunner::new(config).run(&prop::collection::vec(part, 1..=4), sum).unwrap();
}

#[test]
fn random_sums() {
    compare_sums(10, Budget::PER_HEAP);
    // Few heaps have a quotient, so most of these positions are searched.
    compare_sums(10, SMALL);
}

#[test]
#[ignore = "takes a minute"]
fn many_random_sums() {
    compare_sums(1000, Budget::PER_HEAP);
    compare_sums(1000, SMALL);
}

/// Checks sums of several games. One game has too many heaps to be listed, but it has a period. The period is proven in
/// the quotient that also has the heaps of the other games.
#[test]
fn large_heaps_beside_games_without_a_period() {
    for game in ["subtract N take 1 4 + nim 2 3", "octal 0.123 N + grundy 6 + square 2"] {
        let mut nimbers = Nimbers::default();
        for size in 1..=2004 {
            // The depth of the recursion is small, because smaller sizes are known.
            let position = parse(&game.replace('N', &size.to_string()));
            nimbers.of(&position);
            if size > 2001 {
                compare(&position, &mut nimbers, Solver::new(&position, Budget::PER_HEAP));
            }
        }
    }
}

/// The bot finds a winning move in rows that are far too long to try all moves.
#[test]
fn winning_moves_of_large_heaps() {
    for game in [
        "octal 0.77 N 27 25",
        "octal 0.123 N 8",
        "segment N 1 2 + octal 0.77 8",
        "segment N 1 1 + octal 0.77 8",
        "subtract N take 1 4 + octal 0.77 8",
    ] {
        for size in 1_000_000_000_000_u64..1_000_000_000_004 {
            let mut position = parse(&game.replace('N', &size.to_string()));
            let mut solver = zeroxor::Solver::new();
            let (outcome, mv) = (solver.outcome(&position), solver.winning_move(&position).unwrap());
            assert_eq!(outcome, Ok(if mv.is_some() { Outcome::N } else { Outcome::P }), "{position}");
            if let Some(mv) = mv {
                position.play(mv).unwrap();
                assert_eq!(solver.outcome(&position), Ok(Outcome::P), "{position}");
            }
        }
    }
}

#[test]
fn refusals() {
    let refused = |game: &str| {
        let position = parse(game);
        let budget = Budget { steps: 100_000, ..SMALL };
        Solver::new(&position, budget).outcome(&position).unwrap_err().to_string()
    };
    let heaps = "is proven, and the list of all heaps needs more than 2000 heaps";
    let in_07 = "a heap of 5 in octal 0.07 was found, and a search needs more than 100000 steps";
    let in_77 = "a heap of 3 in octal 0.77 was found, and a search needs more than 4000 plies";
    for (game, error) in [
        ("square 100000", format!("no period of the heaps of square {heaps}")),
        ("nim 5000 + octal 0.77 5000 + nim 1", format!("no period of the heaps of nim {heaps}")),
        ("octal 0.07 40 40 40 40 40", format!("no misère quotient with {in_07}")),
        ("octal 0.07 1000 + octal 0.77 700 700 700 700 700 700", format!("no misère quotient with {in_77}")),
    ] {
        assert_eq!(refused(game), format!("misère play: {error}"), "{game}");
    }
}
