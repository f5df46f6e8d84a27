//! Games of one's own: rules from outside the crate, and the example programs.

use std::process::Command;

use zeroxor::rules::{Followers, Heap, HeapMove, Rules, Shape, Violation};
use zeroxor::{Analysis, Move, Nimber, Outcome, Player, Position, Solver, mex};

use crate::definition::{Nimbers, followers};

/// Grundy's game: a move splits a heap into two unequal ones.
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
fn values_by_the_definition() {
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

/// Moves, analysis and the best delaying move, against the whole position by the definition.
#[test]
fn play_and_analysis() {
    for sizes in [&[9, 6][..], &[11], &[5, 7, 8], &[12, 12, 3], &[4, 4]] {
        let start = heaps(sizes);
        let mut nimbers = Nimbers::default();
        let mut solver = Solver::new();
        let mut todo = vec![start];
        let mut seen = std::collections::HashSet::new();
        while let Some(now) = todo.pop().filter(|_| seen.len() < 300) {
            if !seen.insert(crate::definition::placed_heaps(&now)) {
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
                // The fewest replies win after the best delaying move.
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

/// A pair beyond every table is won by mirroring.
#[test]
fn pairs_need_no_values() {
    let mut player = Player::new(heaps(&[1_000_000_000_000, 1_000_000_000_000]));
    assert_eq!(player.winning_side(), Ok(zeroxor::Side::Second));
    player.opponent_played(Move { place: 1, take: 12345 }).unwrap();
    assert_eq!(player.winning_move(), Ok(Some(Move { place: 1_000_000_000_001, take: 12345 })));
}

#[test]
fn the_rules_are_kept() {
    let error = heaps(&[6]).play(Move { place: 1, take: 3 }).unwrap_err();
    let expected = "taking 3 at place 1 is not legal: a heap is split into a smaller part and a larger one";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_examples_run() {
    for (example, line) in [
        ("own_game", "First has no move"),
        ("solve_sum", "segment 20 3 5 + nim 3 5: First wins"),
        ("play_game", "judge> 0 0"),
    ] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--example", example]).current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = cargo.output().unwrap();
        let (said, error) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.lines().any(|said| said == line), "{example}: {said}{error}");
    }
}
