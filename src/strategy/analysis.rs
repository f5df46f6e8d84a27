//! The analysis of a position: outcome, nimber and winning moves.

use std::collections::BinaryHeap;

use super::Solver;
use crate::grundy::cache::{HeapTables, Purpose};
use crate::grundy::{GrundyTable, TooLarge, ValueKind};
use crate::position::{PlacedHeap, Position};
use crate::{Move, Nimber, Outcome};
use itertools::Itertools;

/// The outcome, the nimber and the winning moves of a position.
///
/// ```
/// use zeroxor::{Analysis, Nimber, Outcome, Position, Solver};
///
/// let position = Position::new(&"nim 3 5 7".parse()?)?;
/// let analysis = Analysis::of(&position, &mut Solver::new(), 10)?;
/// assert_eq!((analysis.outcome, analysis.nimber), (Outcome::N, Some(Nimber(1))));
/// let moves: Vec<String> = analysis.winning_moves.iter().map(|mv| mv.to_string()).collect();
/// assert_eq!(moves, ["1 1", "2 1", "3 1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Analysis {
    /// Who wins.
    pub outcome: Outcome,
    /// The XOR of the heaps' nimbers; `None` in misère play, or if only the outcome could be computed.
    pub nimber: Option<Nimber>,
    /// Winning moves, in ascending order of their places. There are fewer than requested only if there are no more
    /// winning moves, or if the search took too long. If the position is won and moves are requested, there is at least
    /// one, except at the end of misère play.
    pub winning_moves: Vec<Move>,
    /// Whether `winning_moves` are known to be the first winning moves by place; `false` if the search took too long.
    pub winning_moves_are_first: bool,
    /// The number of winning moves; `None` if counting them takes too long.
    pub winning_moves_total: Option<u128>,
}

impl Analysis {
    /// Analyses a position, and lists up to `moves` winning moves.
    ///
    /// A legal move wins if it leaves a P-position. The nimber, the number of winning moves and the list of moves each
    /// have a cost limit of a few seconds. A nimber or number that costs more is omitted, and a list that costs more is
    /// incomplete.
    ///
    /// # Errors
    ///
    /// If the game is too large to find the outcome.
    pub fn of(position: &Position, solver: &mut Solver, moves: usize) -> Result<Self, TooLarge> {
        let outcome = solver.outcome(position)?;
        let is_misere = position.is_misere();
        let (mut winning_moves, winning_moves_are_first, winning_moves_total) = if outcome == Outcome::P {
            (Vec::new(), true, Some(0))
        } else if is_misere {
            match solver.misere(position, Purpose::Winning, |solver| solver.winning_moves(position)) {
                Ok(all) => {
                    let first = all.iter().copied().sorted().take(moves).collect_vec();
                    (first, true, Some(all.len() as u128))
                }
                Err(_) => (Vec::new(), moves == 0, None),
            }
        } else {
            let heaps = position.live_heaps().collect_vec();
            let mut values = |kind| solver.cache.values(position, &heaps, kind, Purpose::Winning).ok();
            let values = match values(ValueKind::Nimber) {
                None if heaps.len() == 1 => values(ValueKind::Outcome),
                values => values,
            };
            let (found, are_first) = match &values {
                Some(values) if moves > 0 => find_moves(&heaps, values, moves),
                _ => (Vec::new(), moves == 0),
            };
            (found, are_first, values.and_then(|values| count_moves(&heaps, &values)))
        };
        let nimber = match outcome {
            _ if is_misere => None,
            Outcome::P => Some(Nimber::ZERO),
            Outcome::N => solver.nimber(position).ok(),
        };
        if outcome == Outcome::N && winning_moves.is_empty() && moves > 0 {
            // The search took too long. The solver finds a move in another way.
            winning_moves.extend(solver.winning_move(position)?);
        }
        Ok(Self { outcome, nimber, winning_moves, winning_moves_are_first, winning_moves_total })
    }
}

/// Maximum number of search steps for the winning moves that are still missing after [`MAX_ORDERED`] steps.
const MAX_SEARCH: usize = 100_000_000;

/// Maximum number of search steps for the first winning moves by place.
const MAX_ORDERED: usize = 4_000_000;

const MAX_COUNT: u128 = 1_000_000_000;

/// Returns the table of the heap's game, and the nimber that a winning move in the heap must leave.
fn target<'a>(values: &'a HeapTables, xor: Nimber, placed: &PlacedHeap<'_>) -> (&'a dyn GrundyTable, Nimber) {
    let table = values.table(placed.rules_index);
    (table, table.nimber(placed.heap) ^ xor)
}

/// Returns up to `most` moves that make the XOR zero, and whether they are known to be the first ones by place.
fn find_moves(heaps: &[PlacedHeap<'_>], values: &HeapTables, most: usize) -> (Vec<Move>, bool) {
    let xor = values.xor(heaps);
    let mut searched = heaps.iter().flat_map(|placed| {
        let (table, target) = target(values, xor, placed);
        table.search(placed.heap, target).map(|found| found.map(|mv| placed.at(mv)))
    });
    let mut first = BinaryHeap::new();
    for mv in searched.by_ref().take(MAX_ORDERED).flatten() {
        first.push(mv);
        if first.len() > most {
            first.pop();
        }
    }
    let missing = most - first.len();
    let mut searched = searched.peekable();
    let are_first = searched.peek().is_none();
    first.extend(searched.take(MAX_SEARCH).flatten().take(missing));
    (first.into_sorted_vec(), are_first)
}

/// Returns the number of moves that make the XOR zero; `None` if counting them takes too long.
fn count_moves(heaps: &[PlacedHeap<'_>], values: &HeapTables) -> Option<u128> {
    let xor = values.xor(heaps);
    let costs = heaps.iter().map(|placed| values.table(placed.rules_index).count_cost(placed.heap));
    let is_affordable = costs.fold(0, u128::saturating_add) <= MAX_COUNT;
    let counts = heaps.iter().map(|placed| {
        let (table, target) = target(values, xor, placed);
        table.count_to(placed.heap, target)
    });
    is_affordable.then(|| counts.sum()).flatten()
}
