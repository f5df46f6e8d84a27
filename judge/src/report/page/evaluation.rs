//! The evaluation of a game by perfect play: nimbers, winners, and the blunders of both sides.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use itertools::Itertools;
use serde::Serialize;
use zeroxor::grundy::{self, GrundyTable, Limit, TooLarge, ValueKind};
use zeroxor::rules::Heap;
use zeroxor::{GameSpec, Move, Outcome, Position, Solver};

use crate::json::Number;
use crate::referee::game::exchange::side_to_move;
use crate::report::page::board::Board;

const MAX_TIME: Duration = Duration::from_secs(3);

/// Sizes of the tables that are tried in turn if a table up to the largest heap would be too large.
const SMALLER: [u64; 3] = [1_000_000, 100_000, 2000];

#[derive(Debug, Serialize)]
pub(crate) struct Evaluation {
    /// The side that wins, at the start and after each move; `null` if the winner cannot be computed within the limits.
    winners: Vec<Option<String>>,
    blunders: Vec<BlunderOnPage>,
    /// What cannot be computed.
    #[serde(skip)]
    pub(crate) notes: Vec<String>,
}

/// A move from a position that the mover wins to a position that the other side wins.
#[derive(Debug, Serialize)]
struct BlunderOnPage {
    ply: usize,
    /// A move that would have kept the win; `None` if it cannot be computed within the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<[Number; 2]>,
    /// A move by which the other side wins now.
    #[serde(skip_serializing_if = "Option::is_none")]
    refutation: Option<[Number; 2]>,
}

impl Evaluation {
    pub(crate) fn new(start: &Position, moves: &[Move], board: &Board) -> Self {
        let mut notes = Vec::new();
        let unknown = board.unknown_nimbers();
        if unknown > 0 && !start.is_misere() {
            notes.push(format!(
                "The nimbers of {unknown} heaps cannot be computed: their tables would be too large."
            ));
        }
        let mut evaluator = Evaluator { solver: Solver::new(), deadline: Instant::now() + MAX_TIME };
        // Both positions are advanced move by move, because copying a position for each move would cost far more.
        let (mut before, mut position) = (start.clone(), start.clone());
        let mut blunders = Vec::new();
        let mut outcomes = vec![evaluator.find(|solver| solver.outcome(start))];
        for (ply, &mv) in (1..).zip(moves) {
            if position.play(mv).is_err() {
                break;
            }
            let outcome = evaluator.find(|solver| solver.outcome(&position));
            if [outcomes[ply - 1], outcome] == [Some(Outcome::N); 2] {
                let better = evaluator.winning_move(&before);
                let refutation = better.and_then(|_| evaluator.winning_move(&position));
                blunders.push(BlunderOnPage { ply, better, refutation });
            }
            outcomes.push(outcome);
            let _ = before.play(mv);
        }
        let (all, missing) = (outcomes.len(), outcomes.iter().filter(|outcome| outcome.is_none()).count());
        if missing > 0 {
            let of = format!("{missing} of {all} positions");
            notes.push(format!("The winner at {of} cannot be computed within the limits."));
        }
        let unexplained = blunders.iter().filter(|blunder| blunder.better.is_none()).count();
        if unexplained > 0 {
            let of = format!("{unexplained} of {} blunders", blunders.len());
            notes.push(format!("For {of} no better move is shown, because finding one would take too long."));
        }
        let winners = (1..).zip(outcomes).map(|(ply, outcome)| {
            let winner = outcome? == Outcome::N;
            Some(side_to_move(if winner { ply } else { ply + 1 }).to_string())
        });
        Self { winners: winners.collect(), blunders, notes }
    }

    pub(crate) fn is_blunder(&self, ply: usize) -> bool {
        self.blunders.binary_search_by_key(&ply, |blunder| blunder.ply).is_ok()
    }

    /// Returns who wins after `moves` moves: a side, `?` if that is not known, or nothing after the last shown move.
    pub(crate) fn winner(&self, moves: usize) -> &str {
        self.winners.get(moves).map_or("", |winner| winner.as_deref().unwrap_or("?"))
    }
}

/// A solver that gives no answers after `deadline`.
struct Evaluator {
    solver: Solver,
    deadline: Instant,
}

impl Evaluator {
    fn find<T>(&mut self, find: impl FnOnce(&mut Solver) -> Result<T, TooLarge>) -> Option<T> {
        if Instant::now() >= self.deadline { None } else { find(&mut self.solver).ok() }
    }

    fn winning_move(&mut self, position: &Position) -> Option<[Number; 2]> {
        let mv = self.find(|solver| solver.winning_move(position))??;
        Some([Number(mv.place), Number(mv.take)])
    }
}

/// The nimbers of heaps by the index of their rules, each table with its largest heap.
#[derive(Default)]
pub(crate) struct NimberTables(BTreeMap<usize, (Heap, Box<dyn GrundyTable>)>);

impl NimberTables {
    /// Computes the tables of a game. Rules whose tables would be too large have none, and in misère play all rules,
    /// because nimbers do not tell who wins.
    pub(crate) fn new(game: &GameSpec, start: &Position) -> Self {
        let mut tables = BTreeMap::new();
        let mut limit = Limit::GAME;
        // A move leaves only smaller heaps.
        let largest = start.heaps().map(|placed| (placed.rules_index, placed.heap)).into_grouping_map().max();
        for (component, part) in start.components().iter().zip(game.components()) {
            let index = component.rules_index;
            if let Some(&largest) =
                largest.get(&index).filter(|_| !game.is_misere() && !tables.contains_key(&index))
            {
                tables.extend(table(part, largest, &mut limit).map(|table| (index, table)));
            }
        }
        Self(tables)
    }

    pub(crate) fn nimber(&self, rules_index: usize, heap: Heap) -> Option<u64> {
        let (_, table) = self.0.get(&rules_index).filter(|(largest, _)| heap <= *largest)?;
        Some(table.nimber(heap).0)
    }
}

/// Computes the nimbers up to `largest`, or up to a smaller heap if `limit` is too low, which is returned too.
fn table(game: &GameSpec, largest: Heap, limit: &mut Limit) -> Option<(Heap, Box<dyn GrundyTable>)> {
    let smaller = SMALLER.into_iter().filter(|&size| size < largest.size).map(Heap::of);
    [largest].into_iter().chain(smaller).find_map(|heap| {
        let table = grundy::table(game, heap, ValueKind::Nimber, limit);
        Some((heap, table.ok()?))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn evaluation(game: &str, moves: &[(u64, u64)]) -> (Evaluation, Board) {
        let game: GameSpec = game.parse().unwrap();
        let start = Position::new(&game).unwrap();
        let moves: Vec<Move> = moves.iter().map(|&(place, take)| Move { place, take }).collect();
        let board = Board::new(&start, &moves, &NimberTables::new(&game, &start));
        (Evaluation::new(&start, &moves, &board), board)
    }

    #[test]
    fn winners_and_blunders_of_both_sides() {
        let (evaluation, board) = evaluation("6 1 2", &[(1, 1), (2, 1), (3, 1)]);
        let board = serde_json::to_value(&board).unwrap();
        assert_eq!(board["heaps"], json!([[1, 6, 3]]));
        assert_eq!(
            board["moves"],
            json!([[1, 1, 1, [[2, 5, 4]]], [2, 1, 2, [[3, 4, 1]]], [3, 1, 3, [[4, 3, 3]]]])
        );
        let winners: Vec<_> = evaluation.winners.iter().flatten().map(String::as_str).collect();
        assert_eq!(winners, ["First", "Second", "First", "Second"]);
        let blunders: Vec<_> = evaluation.blunders.iter().map(|blunder| blunder.ply).collect();
        assert_eq!(blunders, [1, 2, 3]);
        assert_eq!(evaluation.blunders[0].better, Some([Number(3), Number(2)]));
        assert_eq!(evaluation.blunders[0].refutation, Some([Number(4), Number(1)]));
        assert!(evaluation.notes.is_empty());
    }

    #[test]
    fn misere_play() {
        let (evaluation, board) = evaluation("misere nim 1 2", &[(2, 1), (1, 1), (2, 1)]);
        assert_eq!(board.unknown_nimbers(), 5);
        let winners: Vec<_> = evaluation.winners.iter().flatten().map(String::as_str).collect();
        assert_eq!(winners, ["First", "Second", "Second", "Second"]);
        assert_eq!(evaluation.blunders.len(), 1);
        assert_eq!(evaluation.blunders[0].better, Some([Number(2), Number(2)]));
        assert!(evaluation.notes.is_empty());
    }

    /// Neither the nimbers of three long segments nor the winners can be computed.
    #[test]
    fn notes_say_what_cannot_be_computed() {
        let (evaluation, _) = evaluation("square 1000000000 2", &[(1, 9), (1, 16)]);
        assert_eq!(evaluation.winners, [const { None }; 3]);
        let notes = evaluation.notes.join(" ");
        assert!(notes.contains("The nimbers of 3 heaps cannot be computed"), "{notes}");
        assert!(notes.contains("at 3 of 3 positions"), "{notes}");
    }

    #[test]
    fn a_sum_of_several_games() {
        let (evaluation, _) =
            evaluation("4 1 2 + nim 1000000000000000000 + euclid 9 4", &[(5, 999_999_999_999_999_999)]);
        assert!(evaluation.winners.iter().all(Option::is_some) && evaluation.notes.is_empty());
    }
}
