//! Symmetry: what cancels in pairs needs no Grundy value.

use crate::Move;
use crate::compat::{Itertools, SmallList};
use crate::position::{PlacedHeap, Position};
use crate::rules::Heap;

/// What symmetry alone says of a position.
///
/// ```
/// use zeroxor::{Move, Position, Symmetry, symmetry};
///
/// // A row of 10^18 cards: after one move from the middle two equal halves are left.
/// let row = Position::new(&"1000000000000000000 1 2".parse()?)?;
/// let Symmetry::Reply(mv) = symmetry(&row) else { unreachable!("L < R") };
/// assert_eq!(mv, Move { place: 500_000_000_000_000_000, take: 2 });
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Symmetry<'a> {
    /// All live heaps cancel in pairs: the XOR is 0, the player to move loses.
    Cancelled,
    /// After this move they do.
    Reply(Move),
    /// One of each kind that is left over, and no move by which the rest cancels.
    Unsettled(Vec<PlacedHeap<'a>>),
}

/// Cancels equal heaps in pairs, and looks for the move that lets all the rest cancel.
///
/// Two equal heaps are a P-position together: whatever is done to one, the other player does to the other (E.
/// R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways for your Mathematical Plays", the Tweedledum
/// and Tweedledee argument). A move leaves at most two heaps of one, so it can settle at most three. Time:
/// O(k) for k kinds of heaps.
///
/// ```
/// use zeroxor::{Position, Symmetry, symmetry};
///
/// let pairs = Position::new(&"square 99 40 99 40".parse()?)?;
/// assert!(matches!(symmetry(&pairs), Symmetry::Cancelled));
///
/// // Two of the three piles cancel; the third cannot be emptied by one move.
/// let piles = Position::new(&"square 99 40 99".parse()?)?;
/// let Symmetry::Unsettled(heaps) = symmetry(&piles) else { unreachable!("40 is no square") };
/// assert_eq!(heaps.iter().map(|placed| placed.heap.size).collect::<Vec<_>>(), [40]);
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
pub fn symmetry(position: &Position) -> Symmetry<'_> {
    let odd = unpaired(position);
    if odd.is_empty() {
        return Symmetry::Cancelled;
    }
    if odd.iter().map(|placed| placed.index).all_equal()
        && let Some(mv) = cancelling_move(&odd)
    {
        return Symmetry::Reply(mv);
    }
    Symmetry::Unsettled(odd)
}

/// One heap of each kind whose number is odd.
pub(crate) fn unpaired(position: &Position) -> Vec<PlacedHeap<'_>> {
    position.live_classes().filter(|class| class.copies % 2 == 1).map(|class| class.first).collect_vec()
}

/// The move after which these heaps, all of one game and no two equal, cancel in pairs.
pub(crate) fn cancelling_move(heaps: &[PlacedHeap<'_>]) -> Option<Move> {
    if heaps.len() > 3 {
        return None;
    }
    heaps.iter().enumerate().find_map(|(mover, placed)| {
        let others = heaps.iter().enumerate().filter(|&(other, _)| other != mover);
        let wanted: SmallList<Heap> = others.map(|(_, placed)| placed.heap).collect();
        placed.rules.cancelling_move(placed.heap, &wanted).map(|take| placed.at(take))
    })
}
