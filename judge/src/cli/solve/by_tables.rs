//! The answer where moves cannot be written as "x y": by the tables of the heaps, with the moves in words.

use std::collections::BTreeMap;

use anyhow::Context;
use itertools::Itertools;
use serde::Serialize;
use zeroxor::grundy::{Budget, GrundyTable, TableError, TooLarge, ValueKind, table};
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Heap, HeapMove};
use zeroxor::{GameSpec, Nimber, Outcome, Position, Symmetry, symmetry};

use super::{SolveArgs, TOO_LARGE, listed_only, nimber_out_of_reach, solver, winner};
use crate::report::SCHEMA;

/// Maximum number of moves that are counted.
const MAX_COUNTED: u128 = 100_000_000;

/// Maximum number of moves that are tried to find those to list, if they are too many to count.
const MAX_TRIED: usize = 4_000_000;

/// A heap with the table of its game.
struct TabledHeap<'a> {
    placed: PlacedHeap<'a>,
    table: &'a dyn GrundyTable,
}

/// A move in words: what is taken from a heap, and the heaps that are left of it.
#[derive(Serialize)]
struct HeapSplit {
    heap: u64,
    take: u64,
    leaves: Vec<u64>,
}

#[derive(Serialize)]
struct Answer {
    schema: u32,
    game: String,
    winner: &'static str,
    /// `null` where it is out of reach.
    nimber: Option<u64>,
    winning_moves: Vec<HeapSplit>,
    winning_moves_are_first: bool,
    /// Moves that leave the same heaps at other places count once. `null` where counting is out of reach.
    winning_moves_total: Option<usize>,
}

/// The answer, for a person or a program.
///
/// # Errors
///
/// If the tables of the heaps cost too much, those of the heaps that cancel in pairs left out.
pub(super) fn answer(args: &SolveArgs, game: &GameSpec) -> anyhow::Result<String> {
    let position = Position::for_solver(game)?;
    let answer = Answer::of(game, &position, usize::try_from(args.moves).unwrap_or(usize::MAX))?;
    if args.nimber {
        let nimber = answer.nimber.with_context(|| nimber_out_of_reach(answer.winner))?;
        return Ok(format!("{nimber}\n"));
    }
    if args.json { Ok(serde_json::to_string(&answer)? + "\n") } else { Ok(answer.in_words()) }
}

/// The tables of the games of these heaps, by the index of their rules.
fn tables(
    game: &GameSpec,
    position: &Position,
    heaps: &[PlacedHeap<'_>],
) -> Result<BTreeMap<usize, Box<dyn GrundyTable>>, TooLarge> {
    let mut budget = Budget::GAME.with_cpu_limit(Budget::GAME_TIME);
    let mut tables = BTreeMap::new();
    for (spec, component) in game.components().iter().zip(position.components()) {
        let sizes = heaps.iter().filter(|placed| placed.index == component.rules).map(|placed| placed.heap);
        if let Some(largest) = sizes.max().filter(|_| !tables.contains_key(&component.rules)) {
            let made = table(spec, largest, ValueKind::Nimber, &mut budget, &mut |_| ());
            let made = made.map_err(|error| match error {
                TableError::TooLarge(error) => error,
                error => unreachable!("a game in play has a table: {error}"),
            })?;
            tables.insert(component.rules, made);
        }
    }
    Ok(tables)
}

impl Answer {
    /// By the tables of all heaps; if they cost too much, by those of the heaps that have no equal.
    fn of(game: &GameSpec, position: &Position, most: usize) -> anyhow::Result<Self> {
        let (all, symmetry) = (position.heaps().collect_vec(), symmetry(position));
        let answer = |outcome, nimber: Option<Nimber>| Self {
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
                let nimber = solver().nimber(position).ok();
                // A move that makes heaps cancel lies within its heap.
                let moved = all.iter().rfind(|placed| placed.place <= mv.place);
                let split = moved.and_then(|placed| {
                    let mv = HeapMove { offset: mv.place - placed.place, count: mv.take };
                    let left = placed.rules.apply(placed.heap, mv).ok()?;
                    Some(HeapSplit::of(placed, mv, &left))
                });
                let winning_moves = split.into_iter().take(most).collect();
                return Ok(Self { winning_moves, ..answer(Outcome::N, nimber) });
            }
            (Err(error), Symmetry::Unsettled(unpaired)) => {
                let Ok(tables) = tables(game, position, unpaired) else {
                    // One game may cancel beside others whose values are in reach.
                    let outcome = solver().outcome(position).map_err(|_| error).context(TOO_LARGE)?;
                    return Ok(answer(outcome, None));
                };
                (unpaired.clone(), tables)
            }
            (Err(error), Symmetry::Cancelled) => return Err(error).context(TOO_LARGE),
        };
        let are_all = heaps.len() == position.heaps().count();
        let tabled = heaps.iter().filter_map(|placed| {
            Some(TabledHeap { placed: *placed, table: tables.get(&placed.index)?.as_ref() })
        });
        let tabled = tabled.collect_vec();
        let nimber: Nimber = tabled.iter().map(TabledHeap::nimber).sum();
        if nimber == Nimber::ZERO {
            return Ok(answer(Outcome::P, Some(nimber)));
        }
        let mut searched = tabled.iter().flat_map(|heap| heap.search(nimber));
        let moves = heaps.iter().map(|placed| placed.rules.move_count(placed.heap));
        let are_counted = are_all && moves.fold(0, u128::saturating_add) <= MAX_COUNTED;
        let tried = if are_counted { usize::MAX } else { MAX_TRIED };
        let winning_moves = searched.by_ref().take(tried).flatten().take(most).collect_vec();
        let total = are_counted.then(|| winning_moves.len() + searched.flatten().count());
        Ok(Self {
            winning_moves,
            winning_moves_are_first: are_all,
            winning_moves_total: total,
            ..answer(Outcome::N, Some(nimber))
        })
    }
}

impl HeapSplit {
    /// A move that leaves the heaps `left`.
    fn of(placed: &PlacedHeap<'_>, mv: HeapMove, left: &[(u64, Heap)]) -> Self {
        let leaves = left.iter().map(|(_, heap)| heap.size).collect();
        Self { heap: placed.heap.size, take: mv.count, leaves }
    }
}

impl TabledHeap<'_> {
    fn nimber(&self) -> Nimber {
        self.table.nimber(self.placed.heap)
    }

    /// The moves after which the XOR of all heaps, now `xor`, is 0, but for those that leave the same heaps in another order or
    /// at another place; `None` for each that was tried in vain.
    fn search(&self, xor: Nimber) -> impl Iterator<Item = Option<HeapSplit>> {
        let searched = self.table.search(self.placed.heap, self.nimber() ^ xor);
        searched.map(|found| {
            let found = found?;
            let left = self.placed.rules.apply(self.placed.heap, found).ok()?;
            let is_first = match left[..] {
                [(place, _)] => place == 0,
                [(_, first), (_, second)] => first <= second,
                _ => true,
            };
            is_first.then(|| HeapSplit::of(&self.placed, found, &left))
        })
    }
}

impl Answer {
    fn in_words(&self) -> String {
        let Self {
            game, winner, nimber, winning_moves, winning_moves_are_first, winning_moves_total, ..
        } = self;
        let nimber = nimber.map_or_else(|| "out of reach".to_owned(), |nimber| nimber.to_string());
        let total = winning_moves_total.map_or_else(|| "out of reach".to_owned(), |total| total.to_string());
        let listed = winning_moves.len();
        let is_all = *winning_moves_total == Some(listed);
        let shown = if is_all { String::new() } else { listed_only(listed, *winning_moves_are_first) };
        let mut text =
            format!("game: {game}\nwinner: {winner}\nnimber: {nimber}\nwinning moves: {total}{shown}\n");
        for HeapSplit { heap, take, leaves } in winning_moves {
            let leaves = if leaves.is_empty() { "nothing".to_owned() } else { leaves.iter().join(" ") };
            text += &format!("  heap {heap}: take {take}, leave {leaves}\n");
        }
        text
    }
}
