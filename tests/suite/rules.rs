//! Compares the library's rules with slow rules that keep each card of a row. Also tests the budget of positions, rules
//! from outside the crate, and the example programs.

use std::collections::{BTreeSet, HashSet};
use std::process::Command;

use proptest::prelude::*;
use zeroxor::grundy::TooLarge;
use zeroxor::rules::{Clause, Followers, Heap, HeapMove, PileGame, Rules, Shape, Violation};
use zeroxor::{Analysis, GameKind, GameSpec, Move, Nimber, Outcome, Player, Position, Side, Solver, mex};

use crate::definition::{Cards, Nimbers, followers, placed_heaps, position};

/// Checks that the legal moves of `position` are those of the problem statement. For at most 7 places, also checks all
/// positions that can be reached.
fn assert_same_rules(position: &Position, cards: &Cards) {
    let n = cards.is_free.len() as u64;
    let legal = cards.legal_moves();
    let listed: Vec<Move> = position.moves().collect();
    assert_eq!(listed.iter().map(|mv| (mv.place, mv.take)).collect::<BTreeSet<_>>(), legal);
    assert_eq!(position.move_count(), legal.len() as u128);
    assert_eq!(position.is_over(), legal.is_empty());
    for (number, mv) in (0..).zip(&listed) {
        assert_eq!(position.nth_move(number).as_ref(), Some(mv));
    }
    assert_eq!(position.nth_move(position.move_count()), None);
    for (place, take) in (0..=n + 1).flat_map(|x| (1..=n + 1).map(move |y| (x, y))) {
        let mut after = position.clone();
        let played = after.play(Move { place, take });
        assert_eq!(played.is_ok(), legal.contains(&(place, take)), "{place} {take} on {position}");
        if played.is_ok() && position.places() <= 7 {
            let mut left = cards.clone();
            left.is_free[place as usize - 1..(place + take) as usize - 1].fill(false);
            assert_same_rules(&after, &left);
        }
    }
}

#[test]
fn every_move_in_every_small_game() {
    for n in 1..=7 {
        for (l, r) in (1..=n).flat_map(|r| (1..=r).map(move |l| (l, r))) {
            assert_same_rules(&position(&format!("{n} {l} {r}")), &Cards { l, r, is_free: vec![true; n] });
        }
    }
}

proptest! {
    /// Plays a random game with the same moves in `position` and with `cards`.
    #[test]
    fn random_games(n in 8_usize..60, l in 1_usize..6, more in 0_usize..6, picks in prop::collection::vec(any::<u32>(), 60)) {
        let r = (l + more).min(n);
        let mut position = position(&format!("{n} {l} {r}"));
        let mut cards = Cards { l, r, is_free: vec![true; n] };
        for pick in picks {
            assert_same_rules(&position, &cards);
            let Some(count) = std::num::NonZeroU128::new(position.move_count()) else { break };
            let mv = position.nth_move(u128::from(pick) % count).unwrap();
            position.play(mv).unwrap();
            cards.is_free[mv.place as usize - 1..(mv.place + mv.take) as usize - 1].fill(false);
        }
    }
}

#[test]
fn nth_move_in_a_row_of_10_18_cards() {
    let position = position("1000000000000000000 3 500000000000000000");
    let count = position.move_count();
    assert_eq!(position.nth_move(0), Some(Move { place: 1, take: 3 }));
    let last = Move { place: 500_000_000_000_000_001, take: 500_000_000_000_000_000 };
    assert_eq!(position.nth_move(count - 1), Some(last));
    for number in [1, 10_u128.pow(18) - 3, 10_u128.pow(18) - 2, count / 2, count - 2] {
        let mut after = position.clone();
        after.play(position.nth_move(number).unwrap()).unwrap();
    }
}

#[test]
fn illegal_moves_in_a_row_name_their_rule() {
    let mut row = position("10 2 3");
    row.play(Move { place: 4, take: 3 }).unwrap();
    let mut rule = |place, take| row.play(Move { place, take }).unwrap_err().rule;
    assert_eq!(rule(11, 2), Violation::NoSuchPlace { places: 10 });
    assert_eq!(rule(5, 2), Violation::Taken);
    assert_eq!(rule(1, 1), Violation::OutsideWindow { l: 2, r: 3 });
    assert_eq!(rule(1, u64::MAX), Violation::OutsideWindow { l: 2, r: 3 });
    assert_eq!(rule(3, 2), Violation::RunTooShort { free: 1 });
    assert_eq!(rule(10, 2), Violation::RunTooShort { free: 1 });
    let message = row.play(Move { place: 3, take: 2 }).unwrap_err().to_string();
    assert_eq!(
        message,
        "taking 2 at place 3 is not legal: the run of free cards from that place on has length 1"
    );
}

/// A move that takes nothing is illegal. Rows that can be split allow such a move, but not before the first card.
#[test]
fn a_move_that_takes_nothing_is_illegal() {
    for game in GameKind::all().flat_map(GameKind::components) {
        let mut start = Position::new(&game).unwrap();
        let rule = if game.kind() == Some(GameKind::Grundy) {
            Violation::SplitBeforeFirst
        } else {
            Violation::Nothing
        };
        assert_eq!(start.play(Move { place: 1, take: 0 }).unwrap_err().rule, rule, "{game}");
    }
    // In a sum, the place decides to which game the move belongs.
    let mut sum = position("5 1 2 + octal 4.7 5 + nim 5");
    sum.play(Move { place: 5, take: 1 }).unwrap();
    for place in [3, 5, 11] {
        assert_eq!(sum.play(Move { place, take: 0 }).unwrap_err().rule, Violation::Nothing, "{place}");
    }
    sum.play(Move { place: 8, take: 0 }).unwrap();
    assert_eq!(sum.to_string(), "segment 1 2: 4 | octal 4.7: 2 3 | nim: 5");
}

#[test]
fn illegal_splits_name_their_rule() {
    let mut rows = position("octal 4.7 6 + grundy 8");
    rows.play(Move { place: 3, take: 1 }).unwrap();
    rows.play(Move { place: 9, take: 0 }).unwrap();
    let mut error = |place, take| rows.play(Move { place, take }).unwrap_err();
    assert_eq!(error(3, 0).rule, Violation::Taken);
    for first in [1, 4, 7, 9] {
        assert_eq!(error(first, 0).rule, Violation::SplitBeforeFirst, "{first}");
    }
    assert_eq!(error(7, 1).rule, Violation::OnlySplits);
    assert_eq!(error(8, 0).rule, Violation::EqualParts { size: 1 });
    assert_eq!(error(12, 0).rule, Violation::EqualParts { size: 3 });
    assert_eq!(
        error(12, 0).to_string(),
        "taking 0 at place 12 is not legal: that splits the row into equal parts of 3; they must be different"
    );
    // A move cannot take cards from two rows, even if the rows are side by side.
    let mut rows = position("octal 4.77 6");
    rows.play(Move { place: 4, take: 0 }).unwrap();
    assert_eq!(rows.play(Move { place: 3, take: 2 }).unwrap_err().rule, Violation::RunTooShort { free: 1 });
    let heaps: Vec<_> = rows.heaps().map(|placed| (placed.place, placed.heap.size)).collect();
    assert_eq!(heaps, [(1, 3), (4, 3)]);
}

/// Returns the legal moves `(place, take)` in rows of single cards. `rows` has the number of each card's row, or 0 if
/// the card has been taken. `digit(take)` is the code's digit for moves that take `take` cards. A move may leave two
/// equal rows only if `can_halve` is true.
fn legal_by_digits(rows: &[usize], digit: impl Fn(usize) -> u8, can_halve: bool) -> BTreeSet<(u64, u64)> {
    let n = rows.len();
    let of_row = |row: usize| (0..n).filter(move |&card| row > 0 && rows[card] == row).collect::<Vec<_>>();
    let all = (0..n).flat_map(|first| (0..=n - first).map(move |take| (first, take)));
    let legal = all.filter(|&(first, take)| {
        let cards = of_row(rows[first]);
        let left = cards.iter().filter(|&&card| card < first).count();
        let right = cards.iter().filter(|&&card| card >= first + take).count();
        let heaps = u8::from(left > 0) + u8::from(right > 0);
        (first..first + take).all(|card| cards.contains(&card))
            && !cards.is_empty()
            && digit(take) >> heaps & 1 == 1
            && (can_halve || left != right)
    });
    legal.map(|(first, take)| (first as u64 + 1, take as u64)).collect()
}

/// Compares the moves in all positions that can be reached from a small row with [`legal_by_digits`].
#[test]
fn every_move_of_rows_that_are_split() {
    let games = [("grundy 9", "4.0", false), ("octal 4.7 6", "4.7", true), ("octal 4.[3] 6", "4.[3]", true)];
    for (game, code, can_halve) in games.into_iter().chain([("octal 4.12 4 3", "4.12", true)]) {
        let code: zeroxor::OctalCode = code.parse().unwrap();
        let start = position(game);
        let numbers = (1..).zip(start.heaps());
        let rows: Vec<usize> =
            numbers.flat_map(|(row, placed)| vec![row; placed.heap.size as usize]).collect();
        let (mut seen, mut todo) = (HashSet::new(), vec![(start, rows)]);
        while let Some((position, rows)) = todo.pop() {
            let legal = legal_by_digits(&rows, |take| code.digit(take as u64), can_halve);
            let listed: Vec<(u64, u64)> = position.moves().map(|mv| (mv.place, mv.take)).collect();
            assert_eq!(
                (listed.len(), position.move_count()),
                (legal.len(), legal.len() as u128),
                "{game}: {position}"
            );
            assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), legal, "{game}: {position}");
            assert_eq!(position.is_over(), legal.is_empty(), "{game}: {position}");
            let n = rows.len() as u64;
            for (place, take) in (0..=n + 1).flat_map(|place| (0..=n + 1).map(move |take| (place, take))) {
                let mut after = position.clone();
                let is_legal = after.play(Move { place, take }).is_ok();
                assert_eq!(is_legal, legal.contains(&(place, take)), "{game}: {place} {take} on {position}");
                if !is_legal || !seen.insert(placed_heaps(&after)) {
                    continue;
                }
                // The cards to the right of the taken cards, or of the split, become a new row.
                let (first, mut left, row) = (place as usize - 1, rows.clone(), rows[place as usize - 1]);
                let new = rows.iter().max().unwrap() + 1;
                left[first..first + take as usize].fill(0);
                left[first + take as usize..]
                    .iter_mut()
                    .filter(|card| **card == row)
                    .for_each(|card| *card = new);
                todo.push((after, left));
            }
        }
        assert!(seen.len() > 100, "{game}: {}", seen.len());
    }
}

#[test]
fn a_sum_numbers_its_places_consecutively() {
    let mut sum = position("segment 4 2 2 + 3 1 1 + segment 5 2 2");
    assert_eq!(sum.places(), 12);
    assert!(sum.rules(1).is_some() && sum.rules(2).is_none(), "equal rules are kept once");
    // This move would take cards of two rows.
    assert!(sum.play(Move { place: 4, take: 2 }).is_err());
    sum.play(Move { place: 6, take: 1 }).unwrap();
    sum.play(Move { place: 11, take: 2 }).unwrap();
    assert_eq!(sum.to_string(), "segment 2 2: 4 3 | segment 1 1: 1 1");
}

#[test]
fn specifications_that_are_no_game() {
    for header in [
        "5 3 2",
        "5 0 2",
        "5 2 6",
        "0 0 0",
        "segment 5 2",
        "segment 5 2 3 4",
        "segment 5 1 2 ban 1",
        "chess 8",
        "3 1 1 + chess",
    ] {
        assert!(header.parse::<GameSpec>().is_err(), "{header}");
    }
    assert!(Position::new(&GameSpec::Piles { game: PileGame::Nim, piles: vec![], clauses: vec![] }).is_err());
    let row = "1000000000000000000 1 1";
    assert!(Position::new(&[row; 18].join(" + ").parse().unwrap()).is_ok());
    let error = Position::new(&[row; 19].join(" + ").parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "expected fewer than 2^64 places in total, got more");
}

/// Checks that the limit counts finding out which piles have moves: this needs the divisors of each pile whose
/// size is banned. Otherwise a game with tens of thousands of banned piles, each a product of two large
/// numbers, would be refused only after half a minute.
#[test]
fn banned_piles_count() {
    let piles = |count: u64| (0..count).map(|n| 999_999_937 * (999_999_000 - n)).collect::<Vec<_>>();
    let divisor = |piles, banned: Vec<u64>| GameSpec::Piles {
        game: PileGame::Divisor,
        piles,
        clauses: Clause::banning(&banned),
    };
    let game = |count| divisor(piles(count), piles(count));
    let outcome = |count| Solver::new().outcome(&Position::new(&game(count)).unwrap());
    let error = outcome(25_000).unwrap_err();
    assert!(matches!(error, TooLarge::Work { limit: 3_000_000_000, unit: "steps", .. }), "{error}");
    let pair = divisor([piles(1), piles(1)].concat(), piles(1));
    assert_eq!(Solver::new().outcome(&Position::new(&pair).unwrap()), Ok(Outcome::P));
}

/// Grundy's game: a move splits a heap into two unequal heaps.
#[derive(Debug)]
struct GrundysGame;

impl Rules for GrundysGame {
    fn words(&self) -> String {
        "grundy".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Row
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new((1..heap.size.div_ceil(2)).map(|count| HeapMove { offset: 0, count }))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        if mv.offset > 0 || mv.count >= heap.size.div_ceil(2) {
            return Err(Violation::Other("a heap is split into a smaller part and a larger one"));
        }
        Ok(Followers::from_iter([(0, Heap::of(mv.count)), (mv.count, Heap::of(heap.size - mv.count))]))
    }
}

fn heaps(sizes: &[u64]) -> Position {
    Position::of_heaps(GrundysGame, sizes).unwrap()
}

/// The values of Grundy's game, 0 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 (P. M. Grundy 1939; OEIS A002188).
#[test]
fn outcomes_of_grundys_game() {
    let expected = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3];
    let mut g: Vec<Nimber> = Vec::new();
    for n in 0..expected.len() {
        g.push(mex((1..n.div_ceil(2)).map(|part| g[part] ^ g[n - part]).collect::<Vec<_>>()));
    }
    assert_eq!(g, expected.map(Nimber));
    for (a, b) in (0..20).flat_map(|a| (0..20).map(move |b| (a, b))) {
        let outcome = if g[a] == g[b] { Outcome::P } else { Outcome::N };
        assert_eq!(Solver::new().outcome(&heaps(&[a as u64, b as u64])), Ok(outcome), "{a} {b}");
    }
}

/// Compares the analysis and the best delaying move in positions of Grundy's game with the definition.
#[test]
fn analysis_and_delaying_moves_of_grundys_game() {
    for sizes in [&[9, 6][..], &[11], &[5, 7, 8], &[8, 8, 3], &[4, 4]] {
        let start = heaps(sizes);
        let mut nimbers = Nimbers::default();
        let mut solver = Solver::new();
        let mut todo = vec![start];
        let mut seen = HashSet::new();
        while let Some(now) = todo.pop().filter(|_| seen.len() < 100) {
            if !seen.insert(placed_heaps(&now)) {
                continue;
            }
            let nimber = nimbers.of(&now);
            let analysis = Analysis::of(&now, &mut solver, usize::MAX).unwrap();
            assert_eq!(analysis.nimber, Some(nimber), "{now}");
            let mut winning: Vec<Move> = followers(&now)
                .filter(|(_, after)| nimbers.of(after) == Nimber::ZERO)
                .map(|(mv, _)| mv)
                .collect();
            winning.sort_unstable();
            assert_eq!(analysis.winning_moves_total, Some(winning.len() as u128), "{now}");
            assert_eq!(analysis.winning_moves, winning, "{now}");
            if nimber == Nimber::ZERO {
                // After the best delaying move the fewest replies win.
                let replies = |after: &Position, nimbers: &mut Nimbers| {
                    followers(after).filter(|(_, next)| nimbers.of(next) == Nimber::ZERO).count()
                };
                let fewest = followers(&now).map(|(_, after)| replies(&after, &mut nimbers)).min();
                let chosen = solver.best_delaying_move(&now).map(|mv| {
                    let mut after = now.clone();
                    after.play(mv).unwrap();
                    replies(&after, &mut nimbers)
                });
                assert_eq!(chosen, fewest, "{now}");
            }
            todo.extend(followers(&now).map(|(_, after)| after));
        }
    }
}

/// By mirroring, Second wins a pair of heaps that are too large for any table.
#[test]
fn pairs_need_no_values() {
    let mut player = Player::new(heaps(&[1_000_000_000_000, 1_000_000_000_000]));
    assert_eq!(player.winning_side(), Ok(Side::Second));
    player.opponent_played(Move { place: 1, take: 12345 }).unwrap();
    assert_eq!(player.winning_move(), Ok(Some(Move { place: 1_000_000_000_001, take: 12345 })));
}

#[test]
fn own_rules_forbid_a_move() {
    let error = heaps(&[6]).play(Move { place: 1, take: 3 }).unwrap_err();
    let expected = "taking 3 at place 1 is not legal: a heap is split into a smaller part and a larger one";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_examples_run() {
    // A test is among the targets, so that cargo uses the library that `cargo test --workspace` has compiled. If only
    // examples were built, cargo would compile the library again, without the features that only the tests'
    // dependencies need.
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--workspace", "--examples", "--test", "summary"]);
    assert!(build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    let test = std::env::current_exe().unwrap();
    let examples = test.ancestors().nth(2).unwrap().join("examples");
    for (example, line) in [
        ("own_game", "First has no move"),
        ("solve_sum", "segment 20 3 5 + nim 3 5: First wins"),
        ("play_game", "judge> 0 0"),
    ] {
        let output = Command::new(examples.join(example)).output().unwrap();
        let (shown, error) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(
            output.status.success() && shown.lines().any(|shown| shown == line),
            "{example}: {shown}{error}"
        );
    }
}
