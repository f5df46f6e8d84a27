//! The answer where moves cannot be written as "x y": by the tables of the heaps, with the moves in words.

use anyhow::Context;
use itertools::Itertools;
use serde::Serialize;
use zeroxor::grundy::{Budget, GrundyTable, TableError, ValueKind, table};
use zeroxor::rules::{self, Heap, Rules};
use zeroxor::{GameSpec, Nimber, Outcome};

use super::{SolveArgs, TOO_LARGE, listed_only, winner};
use crate::report::SCHEMA;

/// So many moves are tried in search of those to list and to count.
const MAX_TRIED: usize = 100_000_000;

/// A heap with its rules and the table of its game.
struct TabledHeap<'a> {
    heap: Heap,
    rules: &'a dyn Rules,
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
    nimber: u64,
    winning_moves: Vec<HeapSplit>,
    /// Always: they are found in the order in which they are listed.
    winning_moves_are_first: bool,
    /// Moves that leave the same heaps at other places count once. `null` where counting is out of reach.
    winning_moves_total: Option<usize>,
}

/// The answer, for a person or a program.
///
/// # Errors
///
/// If the tables of the heaps cost too much.
pub(super) fn answer(args: &SolveArgs, game: &GameSpec) -> anyhow::Result<String> {
    let mut budget = Budget::GAME.with_cpu_limit(Budget::GAME_TIME);
    let mut components = Vec::new();
    for component in game.components() {
        let (rules, heaps) = rules::of_game(component)?;
        let largest = heaps.iter().copied().max().context("expected a heap, got none")?;
        let table =
            table(component, largest, ValueKind::Nimber, &mut budget, &mut |_| ()).map_err(|error| {
                match error {
                    TableError::TooLarge(error) => anyhow::Error::from(error).context(TOO_LARGE),
                    error => error.into(),
                }
            })?;
        components.push((rules, heaps, table));
    }
    let heaps = components.iter().flat_map(|(rules, heaps, table)| {
        heaps.iter().map(|&heap| TabledHeap { heap, rules: rules.as_ref(), table: table.as_ref() })
    });
    let heaps = heaps.collect_vec();
    let nimber: Nimber = heaps.iter().map(TabledHeap::nimber).sum();
    if args.nimber {
        return Ok(format!("{nimber}\n"));
    }
    let is_lost = nimber == Nimber::ZERO;
    let most = usize::try_from(args.moves).unwrap_or(usize::MAX);
    let mut tried = heaps.iter().filter(|_| !is_lost).flat_map(|heap| heap.search(nimber));
    let mut found = tried.by_ref().take(MAX_TRIED).flatten();
    let winning_moves = found.by_ref().take(most).collect_vec();
    let counted = winning_moves.len() + found.count();
    let answer = Answer {
        schema: SCHEMA,
        game: game.to_string(),
        winner: winner(if is_lost { Outcome::P } else { Outcome::N }),
        nimber: nimber.0,
        winning_moves,
        winning_moves_are_first: true,
        winning_moves_total: tried.next().is_none().then_some(counted),
    };
    if args.json { Ok(serde_json::to_string(&answer)? + "\n") } else { Ok(answer.in_words()) }
}

impl TabledHeap<'_> {
    fn nimber(&self) -> Nimber {
        self.table.nimber(self.heap)
    }

    /// The moves after which the XOR of all heaps, now `xor`, is 0, but for those that leave the same heaps in another order or
    /// at another place; `None` for each that was tried in vain.
    fn search(&self, xor: Nimber) -> impl Iterator<Item = Option<HeapSplit>> {
        let searched = self.table.search(self.heap, self.nimber() ^ xor);
        searched.map(|found| {
            let found = found?;
            let left = self.rules.apply(self.heap, found).ok()?;
            let is_first = match left[..] {
                [(place, _)] => place == 0,
                [(_, first), (_, second)] => first <= second,
                _ => true,
            };
            if !is_first {
                return None;
            }
            let leaves = left.iter().map(|(_, heap)| heap.size).collect();
            Some(HeapSplit { heap: self.heap.size, take: found.count, leaves })
        })
    }
}

impl Answer {
    fn in_words(&self) -> String {
        let Self { game, winner, nimber, winning_moves, winning_moves_total, .. } = self;
        let total = winning_moves_total.map_or_else(|| "out of reach".to_owned(), |total| total.to_string());
        let listed = winning_moves.len();
        let is_all = *winning_moves_total == Some(listed);
        let shown = if is_all { String::new() } else { listed_only(listed, true) };
        let mut text =
            format!("game: {game}\nwinner: {winner}\nnimber: {nimber}\nwinning moves: {total}{shown}\n");
        for HeapSplit { heap, take, leaves } in winning_moves {
            let leaves = if leaves.is_empty() { "nothing".to_owned() } else { leaves.iter().join(" ") };
            text += &format!("  heap {heap}: take {take}, leave {leaves}\n");
        }
        text
    }
}
