//! The analysis of a position: all that theory says of it.

use crate::crates::Itertools;
use crate::games::{Budget, Detail, TooLarge};
use crate::table::{Seat, Table};
use crate::theories::Learned;
use crate::{Move, Nimber, Outcome, Strategy, Symmetry, symmetry};

/// What theory says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Who wins.
    pub outcome: Outcome,
    /// The XOR of the heaps' nimbers; `None` where only the outcome is in reach.
    pub nimber: Option<Nimber>,
    /// Winning moves, as many as were asked for, by place.
    pub winning_moves: Vec<Move>,
    /// How many winning moves there are; `None` if counting them is out of reach.
    pub winning_moves_total: Option<u128>,
}

impl Analysis {
    /// Analyses a position, and lists up to `moves` winning moves.
    ///
    /// Every legal move that leaves a P-position wins. They are looked for heap by heap, and only as many as
    /// are asked for, but where few win it may take a scan of all.
    ///
    /// # Errors
    ///
    /// If even the outcome takes a Grundy table out of reach.
    pub fn of(table: &Table, strategy: &mut Strategy, moves: usize) -> Result<Self, TooLarge> {
        let outcome = strategy.outcome(table)?;
        if outcome == Outcome::P {
            let nimber = Some(Nimber::ZERO);
            return Ok(Self { outcome, nimber, winning_moves: Vec::new(), winning_moves_total: Some(0) });
        }
        let heaps = table.live_heaps().collect_vec();
        let full = strategy.theories.learn_in(Detail::Nimber, table, Budget::TABLE).ok();
        let nimber = full.as_ref().map(|theories| theories.xor(&heaps));
        let theories = match full {
            Some(theories) => Some(theories),
            None => strategy.theories.learn(table, Budget::TABLE).ok(),
        };
        let (mut winning_moves, winning_moves_total) = match theories {
            Some(theories) => winning(&heaps, &theories, moves),
            None => (mirror(table).into_iter().take(moves).collect(), None),
        };
        winning_moves.sort_unstable();
        Ok(Self { outcome, nimber, winning_moves, winning_moves_total })
    }
}

/// Up to `most` moves that make the XOR zero, and how many there are.
fn winning(heaps: &[Seat<'_>], theories: &Learned, most: usize) -> (Vec<Move>, Option<u128>) {
    let xor = theories.xor(heaps);
    let targets =
        heaps.iter().map(|seat| (seat, theories.of(seat.game), theories.nimber(seat) ^ xor)).collect_vec();
    let moves = targets
        .iter()
        .flat_map(|(seat, theory, target)| theory.moves_to(seat.heap, *target).map(|take| seat.at(take)));
    let counts = targets.iter().map(|(seat, theory, target)| theory.count_to(seat.heap, *target));
    (moves.take(most).collect(), counts.sum())
}

/// The move that wins by symmetry, where no theory reaches.
fn mirror(table: &Table) -> Option<Move> {
    match symmetry(table) {
        Symmetry::Reply(mv) => Some(mv),
        Symmetry::Cancelled | Symmetry::Unsettled(_) => None,
    }
}
