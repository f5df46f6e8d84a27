//! The analysis of a position: all that theory says of it.

use std::collections::BinaryHeap;

use super::Solver;
use super::solver::xor;
use crate::compat::Itertools;
use crate::grundy::cache::Values;
use crate::grundy::{GrundyTable, TooLarge, ValueKind};
use crate::position::{PlacedHeap, Position};
use crate::{Move, Nimber, Outcome};

/// What theory says of a position.
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
    /// The XOR of the heaps' nimbers; `None` where only the outcome is in reach.
    pub nimber: Option<Nimber>,
    /// Winning moves by place, as many as were asked for. There are fewer where that are all, or where it takes too
    /// long to find more; but one at least of a position that is won.
    pub winning_moves: Vec<Move>,
    /// Whether no winning move comes before the last one listed, but for those that are listed. It is `false` where it takes
    /// too long to look at all moves.
    pub winning_moves_are_first: bool,
    /// How many winning moves there are; `None` if counting them is out of reach.
    pub winning_moves_total: Option<u128>,
}

impl Analysis {
    /// Analyses a position, and lists up to `moves` winning moves.
    ///
    /// Every legal move that leaves a P-position wins. They are searched heap by heap. The first of them by place are
    /// listed, unless there are too many to look at all. What takes too long is left out: the nimber, the number of winning moves, and moves to
    /// list, each within a limit of its own of some seconds at most.
    ///
    /// # Errors
    ///
    /// If even the outcome takes a Grundy table out of reach.
    ///
    /// ```
    /// use zeroxor::{Analysis, Position, Solver};
    ///
    /// // Of many winning moves two are listed, and all are counted.
    /// let position = Position::new(&"1001 1 1".parse()?)?;
    /// let analysis = Analysis::of(&position, &mut Solver::new(), 2)?;
    /// let moves: Vec<String> = analysis.winning_moves.iter().map(|mv| mv.to_string()).collect();
    /// assert_eq!(moves, ["1 1", "2 1"]);
    /// assert_eq!(analysis.winning_moves_total, Some(1001));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(position: &Position, solver: &mut Solver, moves: usize) -> Result<Self, TooLarge> {
        let outcome = solver.outcome(position)?;
        if outcome == Outcome::P {
            let nimber = Some(Nimber::ZERO);
            return Ok(Self {
                outcome,
                nimber,
                winning_moves: Vec::new(),
                winning_moves_are_first: true,
                winning_moves_total: Some(0),
            });
        }
        let heaps = position.live_heaps().collect_vec();
        let mut values = |kind| {
            let keys = heaps.iter().map(PlacedHeap::key);
            solver.cache.values(position.shared_rules(), keys, kind, &mut solver.budget, false).ok()
        };
        let values = match values(ValueKind::Nimber) {
            None if heaps.len() == 1 => values(ValueKind::Outcome),
            values => values,
        };
        let nimber = solver.nimber(position).ok();
        let (mut winning_moves, winning_moves_are_first) = match &values {
            Some(values) if moves > 0 => listed(&heaps, values, moves),
            _ => (Vec::new(), moves == 0),
        };
        if winning_moves.is_empty() && moves > 0 {
            // The search was given up; the solver finds one another way.
            winning_moves.extend(solver.winning_move(position)?);
        }
        let winning_moves_total = values.and_then(|values| counted(&heaps, &values));
        Ok(Self { outcome, nimber, winning_moves, winning_moves_are_first, winning_moves_total })
    }
}

/// Maximum number of splits and followers that are searched for moves to list.
const MAX_SEARCH: usize = 100_000_000;

/// Maximum number of them that are searched for the first moves by place; beyond it any moves are taken.
const MAX_ORDERED: usize = 4_000_000;

/// Maximum number of steps to count moves.
const MAX_COUNT: u128 = 1_000_000_000;

/// The table of a heap's game, and the nimber that a move has to leave of it so that the XOR of all is zero.
fn target<'a>(values: &'a Values, xor: Nimber, placed: &PlacedHeap<'_>) -> (&'a dyn GrundyTable, Nimber) {
    let table = values.table(placed.index);
    (table, table.nimber(placed.heap) ^ xor)
}

/// Up to `most` moves that make the XOR zero, if they are in reach, and whether they are the first by place.
fn listed(heaps: &[PlacedHeap<'_>], values: &Values, most: usize) -> (Vec<Move>, bool) {
    let xor = xor(values, heaps);
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
    let more = most - first.len();
    let mut searched = searched.peekable();
    let are_first = searched.peek().is_none();
    first.extend(searched.take(MAX_SEARCH).flatten().take(more));
    (first.into_sorted_vec(), are_first)
}

/// How many moves make the XOR zero; `None` if counting them is out of reach.
fn counted(heaps: &[PlacedHeap<'_>], values: &Values) -> Option<u128> {
    let xor = xor(values, heaps);
    let costs = heaps.iter().map(|placed| values.table(placed.index).count_cost(placed.heap));
    let is_in_reach = costs.fold(0, u128::saturating_add) <= MAX_COUNT;
    let counts = heaps.iter().map(|placed| {
        let (table, target) = target(values, xor, placed);
        table.count_to(placed.heap, target)
    });
    is_in_reach.then(|| counts.sum()).flatten()
}
