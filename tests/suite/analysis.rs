//! Compares the analysis of positions, the counts of moves and the counts of winning pairs with plain enumeration.

use zeroxor::grundy::ValueKind;
use zeroxor::grundy::winning_pairs;
use zeroxor::rules::Heap;
use zeroxor::{Analysis, Nimber, Outcome, Position, Solver};

use crate::definition::{self, Nimbers, position, values};

/// Compares the outcome, the nimber and all winning moves of a position with the definition.
fn assert_analysis(start: &Position) {
    let mut nimbers = Nimbers::default();
    let nimber = nimbers.of(start);
    let to_zero = definition::followers(start).filter(|(_, after)| nimbers.of(after) == Nimber::ZERO);
    let mut wins: Vec<_> = to_zero.map(|(mv, _)| mv).collect();
    wins.sort_unstable();
    let total = wins.len() as u128;
    let analysis = Analysis::of(start, &mut Solver::new(), usize::MAX).unwrap();
    assert_eq!(analysis.outcome == Outcome::P, nimber == Nimber::ZERO, "{start}");
    assert_eq!(analysis.nimber, Some(nimber), "{start}");
    assert_eq!(analysis.winning_moves, wins, "{start}");
    assert_eq!(analysis.winning_moves_total, Some(total), "{start}");
    let some = Analysis::of(start, &mut Solver::new(), 1).unwrap();
    assert_eq!((&*some.winning_moves, some.winning_moves_total), (&wins[..wins.len().min(1)], Some(total)));
    assert!(analysis.winning_moves_are_first && some.winning_moves_are_first, "{start}");
}

#[test]
fn small_positions() {
    for n in 1..=9 {
        for (l, r) in (1..=n).flat_map(|r| (1..=r).map(move |l| (l, r))) {
            assert_analysis(&position(&format!("{n} {l} {r}")));
        }
        let piles = definition::pile_games().filter(|game| !game.keywords().contains(&"take"));
        for game in piles.map(|game| game.name()).chain(["euclid 5", "euclid 8", "nim 3", "square 6"]) {
            assert_analysis(&position(&format!("{game} {n}")));
        }
    }
    for sum in [
        "subtract 9 take 2..4",
        "subtract 20 9 take 3..5",
        "subtract 8 take 1 3..4",
        "subtract 30 17 take 1..n/2",
        "subtract 40 take 1..n/3 + nim 2",
        "divisor 12 18 proper",
        "divisor 30 proper ban 1 + subtract 9 take 1..n/1",
        "segment 4 1 2 + square 6 ban 1 + euclid 5 2",
        "nim 2 3 + divisor 6 ban 1 + subtract 7 take 2 3",
        "euclid 7 3 + euclid 3 7 + 5 2 3",
        "4 2 2 + 4 2 2 + nim 1",
    ] {
        assert_analysis(&position(sum));
    }
}

/// Checks that the outcome and the nimber of a sum follow from the nimbers of its heaps, even if its games cannot be
/// played.
#[test]
fn sums_of_games_that_cannot_be_played() {
    let mut compared = 0;
    for (game, value) in [
        ("grundy", values("grundy 1", Heap::of(20), ValueKind::Nimber)),
        ("octal 4.004", values("octal 4.004 1", Heap::of(20), ValueKind::Nimber)),
        ("octal 0.98", values("octal 0.98 1", Heap::of(20), ValueKind::Nimber)),
    ] {
        for (a, b, c) in (1..12).flat_map(|a| (1..=a).flat_map(move |b| (1..=b).map(move |c| (a, b, c)))) {
            let sum = format!("{game} {a} {b} {c} + nim 2");
            let position = Position::for_solver(&sum.parse().unwrap()).unwrap();
            let mut solver = Solver::new();
            let nimber: Nimber =
                [a, b, c].map(|n| value.nimber(Heap::of(n))).into_iter().sum::<Nimber>() ^ Nimber(2);
            assert_eq!(solver.nimber(&position), Ok(nimber), "{sum}");
            assert_eq!(solver.outcome(&position).unwrap() == Outcome::P, nimber == Nimber::ZERO, "{sum}");
            compared += 1;
        }
    }
    assert_eq!(compared, 858);
}

/// Checks that two equal heaps cancel without computing their values: the result is that of the other heaps.
#[test]
fn equal_heaps_cancel() {
    const LARGE: u64 = 1_000_000_000;
    for game in ["grundy", "octal 4.004", "octal 0.98", "square", "segment", "octal 0.6"] {
        let heaps = |sizes: &[u64]| match game {
            "segment" => sizes.iter().map(|n| format!("segment {n} 3 3")).collect::<Vec<_>>().join(" + "),
            _ => format!("{game} {}", sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")),
        };
        for small in [7, 8] {
            let alone = heaps(&[small]);
            let sum = heaps(&[LARGE, small, LARGE, small, small]);
            let [alone, sum] = [alone, sum].map(|game| Position::for_solver(&game.parse().unwrap()).unwrap());
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
fn all_rectangles_to_40() {
    let is_won = |a: usize, b: usize| {
        let heap = Heap { size: a as u64, second: b as u64 };
        values(&format!("euclid {a} {b}"), heap, ValueKind::Outcome).nimber(heap) != Nimber::ZERO
    };
    // Compute the counts of [1..a] x [1..b], and use them for all rectangles.
    let mut sums = vec![vec![0_i64; 41]; 41];
    for (a, b) in (1..=40).flat_map(|a| (1..=40).map(move |b| (a, b))) {
        sums[a][b] = sums[a - 1][b] + sums[a][b - 1] - sums[a - 1][b - 1] + i64::from(is_won(a, b));
    }
    for (a1, a2) in (1..=40).flat_map(|a2| (1..=a2).map(move |a1| (a1, a2))) {
        for (b1, b2) in (1..=40).flat_map(|b2| (1..=b2).map(move |b1| (b1, b2))) {
            let count = sums[a2][b2] - sums[a1 - 1][b2] - sums[a2][b1 - 1] + sums[a1 - 1][b1 - 1];
            let found = winning_pairs((a1 as u64, a2 as u64), (b1 as u64, b2 as u64));
            assert_eq!(Ok(found), u128::try_from(count), "[{a1}, {a2}] x [{b1}, {b2}]");
        }
    }
    assert_eq!(winning_pairs((5, 4), (1, 9)), 0, "an empty range has no pairs");
}
