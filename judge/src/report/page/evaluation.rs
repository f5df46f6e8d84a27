//! The evaluation of a game by perfect play: nimbers, winners, and the blunders of both sides.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;
use zeroxor::grundy::{self, GrundyTable, Limit, ValueKind};
use zeroxor::rules::Heap;
use zeroxor::{GameSpec, Move, Outcome, Position, Solver};

use crate::json::Number;
use crate::referee::game::exchange::side_to_move;
use crate::report::page::board::Board;

/// Time limit of an evaluation. After this time, the solver is not called any more.
const MAX_TIME: Duration = Duration::from_secs(3);

/// Sizes of the tables that are tried in turn if a table up to the largest heap would be too large.
const SMALLER: [u64; 3] = [1_000_000, 100_000, 2000];

#[derive(Debug, Serialize)]
pub(crate) struct Evaluation {
    /// The side that wins, at the start and after each move; `null` if the winner cannot be computed within the limits.
    winners: Vec<Option<String>>,
    blunders: Vec<BlunderOnPage>,
    #[serde(skip)]
    notes: Vec<String>,
}

/// A move from a position that the mover wins to a position that the other side wins.
#[derive(Debug, Serialize)]
struct BlunderOnPage {
    /// The number of the move, from 1.
    ply: usize,
    /// A move that would have kept the win; `None` if it cannot be computed within the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<[Number; 2]>,
    /// A move by which the other side wins now.
    #[serde(skip_serializing_if = "Option::is_none")]
    refutation: Option<[Number; 2]>,
}

impl Evaluation {
    /// Evaluates a game, and enters the nimbers of its heaps on the board.
    pub(crate) fn new(game: &GameSpec, start: &Position, moves: &[Move], board: &mut Board) -> Self {
        let mut notes: Vec<String> = enter_nimbers(game, start, board).into_iter().collect();
        let mut evaluator = Evaluator { solver: Solver::new(), deadline: Instant::now() + MAX_TIME };
        // Both positions are advanced move by move, because copying a position for each move would cost far more.
        let (mut before, mut position) = (start.clone(), start.clone());
        let mut outcomes = Vec::with_capacity(moves.len() + 1);
        let mut blunders = Vec::new();
        for (ply, nimber) in board.nimbers().into_iter().enumerate() {
            let mv = ply.checked_sub(1).and_then(|at| moves.get(at));
            if mv.is_some_and(|&mv| position.play(mv).is_err()) {
                break;
            }
            // Nimbers do not tell who wins in misère play.
            let outcome = match nimber.filter(|_| !start.is_misere()) {
                Some(0) => Some(Outcome::P),
                Some(_) => Some(Outcome::N),
                None => evaluator.outcome(&position),
            };
            if ply > 0 && outcomes.last() == Some(&Some(Outcome::N)) && outcome == Some(Outcome::N) {
                let better = evaluator.winning_move(&before);
                let refutation = better.and_then(|_| evaluator.winning_move(&position));
                blunders.push(BlunderOnPage { ply, better, refutation });
            }
            outcomes.push(outcome);
            if mv.is_some_and(|&mv| before.play(mv).is_err()) {
                break;
            }
        }
        let (all, missing) = (outcomes.len(), outcomes.iter().filter(|outcome| outcome.is_none()).count());
        if missing > 0 {
            let of = format!("{missing} of {all} positions");
            notes.push(format!("The winner at {of} cannot be computed within the limits."));
        }
        let winners = (1..).zip(outcomes).map(|(ply, outcome)| {
            let winner = outcome? == Outcome::N;
            Some(side_to_move(if winner { ply } else { ply + 1 }).to_string())
        });
        Self { winners: winners.collect(), blunders, notes }
    }

    pub(crate) fn blunders(&self) -> impl Iterator<Item = usize> {
        self.blunders.iter().map(|blunder| blunder.ply)
    }

    /// Returns who wins after `moves` moves: a side, `?` if that is not known, or nothing after the last shown move.
    pub(crate) fn winner(&self, moves: usize) -> &str {
        self.winners.get(moves).map_or("", |winner| winner.as_deref().unwrap_or("?"))
    }

    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let missing = self.blunders.iter().filter(|blunder| blunder.better.is_none()).count();
        let blunders = self.blunders.len();
        let unexplained = (missing > 0).then(|| {
            format!(
                "For {missing} of {blunders} blunders no better move is shown, because finding one would take too long."
            )
        });
        self.notes.iter().cloned().chain(unexplained)
    }

    pub(crate) fn truncate(&mut self, moves: usize) {
        self.winners.truncate(moves + 1);
        self.blunders.retain(|blunder| blunder.ply <= moves);
    }
}

/// A solver that gives no answers after `deadline`.
struct Evaluator {
    solver: Solver,
    deadline: Instant,
}

impl Evaluator {
    fn outcome(&mut self, position: &Position) -> Option<Outcome> {
        if Instant::now() >= self.deadline { None } else { self.solver.outcome(position).ok() }
    }

    fn winning_move(&mut self, position: &Position) -> Option<[Number; 2]> {
        if Instant::now() >= self.deadline {
            return None;
        }
        self.solver.winning_move(position).ok()?.map(|mv| [Number(mv.place), Number(mv.take)])
    }
}

/// Enters the nimbers of the heaps on the board, except in misère play. Returns a note if tables would be too large.
pub(crate) fn enter_nimbers(game: &GameSpec, start: &Position, board: &mut Board) -> Option<String> {
    if game.is_misere() {
        return None;
    }
    let mut largest: BTreeMap<usize, Heap> = BTreeMap::new();
    for heap in board.all_heaps() {
        let (index, heap) = heap.key;
        let entry = largest.entry(index).or_insert(heap);
        *entry = (*entry).max(heap);
    }
    let mut limit = Limit::GAME;
    let mut tables: BTreeMap<usize, (Heap, Box<dyn GrundyTable>)> = BTreeMap::new();
    for (component, part) in start.components().iter().zip(game.components()) {
        let Some(&largest) = largest.get(&component.rules_index) else { continue };
        if !tables.contains_key(&component.rules_index) {
            let table = table(part, largest, &mut limit);
            tables.extend(table.map(|table| (component.rules_index, table)));
        }
    }
    let mut unknown = 0;
    for heap in board.all_heaps() {
        let (index, key) = heap.key;
        let table = tables.get(&index).filter(|(largest, _)| key <= *largest);
        heap.nimber = table.map(|(_, table)| table.nimber(key).0);
        unknown += usize::from(table.is_none());
    }
    (unknown > 0).then(|| {
        format!("The nimbers of {unknown} heaps cannot be computed: their tables would be too large.")
    })
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
    use super::*;

    fn evaluation(game: &str, moves: &[(u64, u64)]) -> (Evaluation, Vec<Option<u64>>) {
        let game: GameSpec = game.parse().unwrap();
        let start = Position::new(&game).unwrap();
        let moves: Vec<Move> = moves.iter().map(|&(place, take)| Move { place, take }).collect();
        let mut board = Board::new(&start, &moves);
        let evaluation = Evaluation::new(&game, &start, &moves, &mut board);
        (evaluation, board.nimbers())
    }

    #[test]
    fn winners_and_blunders_of_both_sides() {
        let (evaluation, nimbers) = evaluation("6 1 2", &[(1, 1), (2, 1), (3, 1)]);
        assert_eq!(nimbers, [Some(3), Some(4), Some(1), Some(3)]);
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
        let (evaluation, nimbers) = evaluation("misere nim 1 2", &[(2, 1), (1, 1), (2, 1)]);
        assert_eq!(nimbers[..2], [None; 2]);
        let winners: Vec<_> = evaluation.winners.iter().flatten().map(String::as_str).collect();
        assert_eq!(winners, ["First", "Second", "Second", "Second"]);
        assert_eq!(evaluation.blunders.len(), 1);
        assert_eq!(evaluation.blunders[0].better, Some([Number(2), Number(2)]));
        assert!(evaluation.notes.is_empty());
    }

    /// Neither the nimbers of three long segments nor the winners can be computed.
    #[test]
    fn notes_say_what_cannot_be_computed() {
        let (evaluation, nimbers) = evaluation("square 1000000000 2", &[(1, 9), (1, 16)]);
        assert_eq!((&nimbers[..], evaluation.winners.len()), (&[None; 3][..], 3));
        let notes = evaluation.notes.join(" ");
        assert!(notes.contains("The nimbers of 3 heaps cannot be computed"), "{notes}");
        assert!(notes.contains("at 3 of 3 positions"), "{notes}");
    }

    #[test]
    fn a_sum_of_several_games() {
        let (evaluation, nimbers) =
            evaluation("4 1 2 + nim 1000000000000000000 + euclid 9 4", &[(5, 999_999_999_999_999_999)]);
        assert_eq!(nimbers.len(), 2);
        assert!(nimbers.iter().all(Option::is_some) && evaluation.notes.is_empty(), "{nimbers:?}");
    }
}
