//! Answers for games in which a move may leave three heaps. The text "x y" cannot describe such a move, so the moves
//! are listed in words. The answers come from the tables of the heaps.

use std::collections::{BTreeMap, BinaryHeap};

use anyhow::Context;
use itertools::Itertools;
use serde::Serialize;
use zeroxor::grundy::{GrundyTable, Limit, TableError, TooLarge, ValueKind, table};
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Heap, HeapMove, Shape};
use zeroxor::{GameSpec, Nimber, Outcome, Position, Solver, Symmetry, symmetry};

use super::{Answer, SolveArgs, TOO_LARGE, winner};
use crate::SCHEMA;

/// Maximum number of moves of a position in which all moves are tried.
const MAX_COUNTED: u128 = 100_000_000;

/// Maximum number of tried moves in positions with more than [`MAX_COUNTED`] moves.
const MAX_TRIED: usize = 4_000_000;

/// A move in words: the number taken from a heap, and the heaps that the move leaves. The moves of a heap are listed
/// in this order: first by the number taken, then by the heaps left.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct HeapSplit {
    /// The size of the heap. For a pair: the number that shrinks, before the move.
    heap: u64,
    take: u64,
    /// The sizes of the heaps left, none of them 0. For a pair: the number that shrinks, after the move.
    leaves: Vec<u64>,
}

/// The answer, as JSON or in words; with `--nimber` only the nimber.
pub(super) fn answer(args: &SolveArgs, game: &GameSpec) -> anyhow::Result<String> {
    let position = Position::for_solver(game)?;
    let answer = find(game, &position, usize::try_from(args.moves).unwrap_or(usize::MAX))?;
    if args.nimber {
        return answer.only_nimber();
    }
    if args.json {
        return Ok(answer.json()?);
    }
    let lines = answer.lines_after_winner(false, HeapSplit::in_words);
    Ok(format!("game: {}\nwinner: {}\n{lines}", answer.game, answer.winner))
}

/// Computes the tables of the games of these heaps, keyed by the index of their rules.
fn tables(
    game: &GameSpec,
    position: &Position,
    heaps: &[PlacedHeap<'_>],
) -> Result<BTreeMap<usize, Box<dyn GrundyTable>>, TooLarge> {
    let mut limit = Limit::GAME;
    let mut tables = BTreeMap::new();
    for (spec, component) in game.components().iter().zip(position.components()) {
        let sizes = heaps
            .iter()
            .filter(|placed| placed.rules_index == component.rules_index)
            .map(|placed| placed.heap);
        if let Some(largest) = sizes.max().filter(|_| !tables.contains_key(&component.rules_index)) {
            let made = table(spec, largest, ValueKind::Nimber, &mut limit);
            let made = made.map_err(|error| match error {
                TableError::TooLarge(error) => error,
                error => unreachable!("a game in play has a table: {error}"),
            })?;
            tables.insert(component.rules_index, made);
        }
    }
    Ok(tables)
}

/// Finds the answer from the tables of all heaps. If these cost too much, uses a move that makes all heaps cancel,
/// or the tables of the heaps that do not cancel in pairs. Lists at most `most` moves. Moves that leave the same heaps at
/// other places count once.
fn find(game: &GameSpec, position: &Position, most: usize) -> anyhow::Result<Answer<HeapSplit>> {
    let (all, symmetry) = (position.heaps().collect_vec(), symmetry(position));
    let answer = |outcome, nimber: Option<Nimber>| Answer {
        schema: SCHEMA,
        game: game.to_string(),
        winner: winner(outcome),
        nimber: nimber.map(|nimber| nimber.0),
        winning_moves: Vec::new(),
        winning_moves_are_first: outcome == Outcome::P,
        winning_moves_total: (outcome == Outcome::P).then_some(0),
    };
    if matches!(symmetry, Symmetry::Cancelled) {
        return Ok(answer(Outcome::P, Some(Nimber::ZERO)));
    }
    let (heaps, tables) = match (tables(game, position, &all), &symmetry) {
        (Ok(tables), _) => (all, tables),
        (Err(_), Symmetry::Reply(mv)) => {
            let nimber = Solver::new().nimber(position).ok();
            // The move is in the last heap that begins at `mv.place` or before it.
            let moved = all.iter().rfind(|placed| placed.place <= mv.place);
            let split = moved.and_then(|placed| {
                let mv = HeapMove { offset: mv.place - placed.place, count: mv.take };
                HeapSplit::of(placed, mv)
            });
            let winning_moves = split.map(|(split, _)| split).into_iter().take(most).collect();
            return Ok(Answer { winning_moves, ..answer(Outcome::N, nimber) });
        }
        (Err(error), Symmetry::Unsettled(unpaired)) => {
            let Ok(tables) = tables(game, position, unpaired) else {
                // The solver may find the outcome without these tables.
                let outcome = Solver::new().outcome(position).map_err(|_| error).context(TOO_LARGE)?;
                return Ok(answer(outcome, None));
            };
            (unpaired.clone(), tables)
        }
        (Err(error), Symmetry::Cancelled) => return Err(error).context(TOO_LARGE),
    };
    let are_all = heaps.len() == position.heaps().count();
    let tabled = heaps.iter().filter_map(|placed| Some((placed, tables.get(&placed.rules_index)?)));
    let tabled = tabled.collect_vec();
    let nimber: Nimber = tabled.iter().map(|(placed, table)| table.nimber(placed.heap)).sum();
    if nimber == Nimber::ZERO {
        return Ok(answer(Outcome::P, Some(nimber)));
    }
    // A move that leaves the same heaps as an earlier move is left out.
    let mut searched = tabled.iter().enumerate().flat_map(|(index, &(placed, table))| {
        let target = table.nimber(placed.heap) ^ nimber;
        table.search(placed.heap, target).map(move |found| {
            let (split, is_first) = HeapSplit::of(placed, found?)?;
            is_first.then_some((index, split))
        })
    });
    let moves = heaps.iter().map(|placed| placed.rules.move_count(placed.heap));
    let are_counted = are_all && moves.fold(0, u128::saturating_add) <= MAX_COUNTED;
    let tried = if are_counted { usize::MAX } else { MAX_TRIED };
    let (mut first, mut counted) = (BinaryHeap::new(), 0);
    for found in searched.by_ref().take(tried).flatten() {
        counted += 1;
        first.push(found);
        if first.len() > most {
            first.pop();
        }
    }
    let is_complete = are_all && searched.next().is_none();
    Ok(Answer {
        winning_moves: first.into_sorted_vec().into_iter().map(|(_, split)| split).collect(),
        winning_moves_are_first: is_complete,
        winning_moves_total: is_complete.then_some(counted),
        ..answer(Outcome::N, Some(nimber))
    })
}

impl HeapSplit {
    /// A move in words, and whether it is the first move that leaves these heaps.
    fn of(placed: &PlacedHeap<'_>, HeapMove { offset, count: take }: HeapMove) -> Option<(Self, bool)> {
        let Heap { size, second } = placed.heap;
        if placed.rules.shape() == Shape::Pair {
            let heap = if offset == 0 { size } else { second };
            return Some((Self { heap, take, leaves: vec![heap.checked_sub(take)?] }, true));
        }
        let followers = placed.rules.apply(placed.heap, HeapMove { offset, count: take }).ok()?;
        let is_first = match followers[..] {
            [(place, _)] => place == 0,
            [(_, first), (_, second)] => first <= second,
            _ => true,
        };
        let leaves = followers.iter().map(|(_, heap)| heap.size).filter(|&size| size > 0).collect();
        Some((Self { heap: size, take, leaves }, is_first))
    }

    fn in_words(&self) -> String {
        let Self { heap, take, leaves } = self;
        let leaves = if leaves.is_empty() { "nothing".to_owned() } else { leaves.iter().join(" ") };
        format!("heap {heap}: take {take}, leave {leaves}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that moves are listed heap by heap, first by the number taken, then by the heaps left, and that no heap
    /// left is empty.
    #[test]
    fn the_order_of_moves() {
        let mut compared = 0;
        let games = (7..20).flat_map(|n| {
            [
                format!("grundy 1 + segment {n} 2 3"),
                format!("grundy 2 + segment {n} 4 7 + nim 9"),
                format!("euclid 3 {n} + grundy 6 + nim 1"),
                format!("octal 4.7 {n}"),
                format!("octal c.f8 {n} + square 9 4"),
                format!("grundy 1 + octal 0.077 {n}"),
            ]
        });
        for game in games {
            let spec: GameSpec = game.parse().unwrap();
            let heaps = spec.components().iter().flat_map(|game| {
                let (rules, heaps) = game.rules().unwrap();
                let largest = heaps.iter().copied().max().unwrap();
                let table = table(game, largest, ValueKind::Nimber, &mut Limit::GAME.clone());
                let table = table.unwrap();
                let of_heap = |heap| {
                    let nimber = |heap| table.nimber(heap);
                    let moves =
                        rules.moves(heap).map(|mv| (mv, rules.apply(heap, mv).unwrap())).collect_vec();
                    let splits = moves.into_iter().map(|(mv, left)| {
                        let after: Nimber = left.iter().map(|&(_, left)| nimber(left)).sum();
                        let sizes = left.iter().map(|(_, left)| left.size);
                        let leaves = sizes.filter(|&size| size > 0).sorted().collect_vec();
                        let take = mv.count;
                        if rules.shape() == Shape::Pair {
                            let heap = if mv.offset > 0 { heap.second } else { heap.size };
                            return (after, HeapSplit { heap, take, leaves: vec![heap - take] });
                        }
                        (after, HeapSplit { heap: heap.size, take, leaves })
                    });
                    (nimber(heap), splits.sorted().dedup().collect_vec())
                };
                heaps.into_iter().map(of_heap).collect_vec()
            });
            let heaps = heaps.collect_vec();
            let xor: Nimber = heaps.iter().map(|(nimber, _)| *nimber).sum();
            let wins = heaps.into_iter().flat_map(|(nimber, splits)| {
                let wins = splits.into_iter().filter(move |(after, _)| nimber ^ *after == xor);
                wins.map(|(_, split)| split).sorted().collect_vec()
            });
            let expected = wins.collect_vec();
            compared += expected.len();
            for most in [1, 3, 1000] {
                let found = find(&spec, &Position::for_solver(&spec).unwrap(), most).unwrap();
                assert!(found.winning_moves.iter().eq(expected.iter().take(most)), "{game}");
            }
        }
        assert!(compared > 100, "only {compared} moves");
    }
}
