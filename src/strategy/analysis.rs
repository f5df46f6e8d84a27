//! The analysis of a position: all that theory says of it.

use super::Solver;
use super::solver::xor;
use crate::compat::Itertools;
use crate::grundy::cache::Values;
use crate::grundy::{TooLarge, ValueKind};
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
    /// How many winning moves there are; `None` if counting them is out of reach.
    pub winning_moves_total: Option<u128>,
}

impl Analysis {
    /// Analyses a position, and lists up to `moves` winning moves.
    ///
    /// Every legal move that leaves a P-position wins. They are looked for heap by heap, and only as many as
    /// are asked for. What takes too long is left out: the nimber, the number of winning moves, and moves to
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
    /// assert_eq!(analysis.winning_moves.len(), 2);
    /// assert_eq!(analysis.winning_moves_total, Some(1001));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(position: &Position, solver: &mut Solver, moves: usize) -> Result<Self, TooLarge> {
        let outcome = solver.outcome(position)?;
        if outcome == Outcome::P {
            let nimber = Some(Nimber::ZERO);
            return Ok(Self { outcome, nimber, winning_moves: Vec::new(), winning_moves_total: Some(0) });
        }
        let heaps = position.live_heaps().collect_vec();
        let mut values = |kind| {
            let keys = heaps.iter().map(PlacedHeap::key);
            solver.cache.values(position.shared_rules(), keys, kind, &mut solver.budget, false).ok()
        };
        let full = values(ValueKind::Nimber);
        let nimber = full.as_ref().map(|values| xor(values, &heaps));
        let values = match full {
            Some(values) => Some(values),
            None if heaps.len() > 1 => None,
            None => values(ValueKind::Outcome),
        };
        let (mut winning_moves, winning_moves_total) = match values {
            Some(values) => winning(&heaps, &values, moves),
            None => (Vec::new(), None),
        };
        if winning_moves.is_empty() && moves > 0 {
            // The search was given up; the solver finds one another way.
            winning_moves.extend(solver.winning_move(position)?);
        }
        winning_moves.sort_unstable();
        Ok(Self { outcome, nimber, winning_moves, winning_moves_total })
    }
}

/// So many splits and followers at most are looked at in search of moves to list.
const MAX_SEARCH: usize = 100_000_000;

/// So many steps at most are taken to count moves.
const MAX_COUNT: u128 = 1_000_000_000;

/// Up to `most` moves that make the XOR zero, as far as they are in reach, and how many there are.
fn winning(heaps: &[PlacedHeap<'_>], values: &Values, most: usize) -> (Vec<Move>, Option<u128>) {
    let xor = xor(values, heaps);
    let target = |placed: &PlacedHeap<'_>| {
        let table = values.table(placed.index);
        (table, table.nimber(placed.heap) ^ xor)
    };
    let searched = heaps.iter().flat_map(|placed| {
        let (table, target) = target(placed);
        table.search(placed.heap, target).map(|found| found.map(|mv| placed.at(mv)))
    });
    let moves = searched.take(MAX_SEARCH).flatten().take(most).collect();
    let costs = heaps.iter().map(|placed| values.table(placed.index).count_cost(placed.heap));
    let is_in_reach = costs.fold(0, u128::saturating_add) <= MAX_COUNT;
    let counts = heaps.iter().map(|placed| {
        let (table, target) = target(placed);
        table.count_to(placed.heap, target)
    });
    (moves, is_in_reach.then(|| counts.sum()).flatten())
}
