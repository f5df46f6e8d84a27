//! Symmetry: equal heaps cancel in pairs and need no Grundy values.

use crate::Move;
use crate::position::{PlacedHeap, Position};
use crate::rules::Heap;
use itertools::Itertools;
use smallvec::SmallVec;

/// Returns a move after which all heaps that have moves cancel in pairs, so that the move wins; `None` if no such move is
/// known.
///
/// Two equal heaps together are a P-position: each move in one heap is answered by the same move in the other (the
/// Tweedledum and Tweedledee argument of E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways for your
/// Mathematical Plays"). A move replaces one heap by at most two heaps, which can cancel at most two others. So no move
/// makes more than three remaining heaps cancel.
///
/// Time: O(k) for k classes of equal heaps.
pub fn symmetric_move(position: &Position) -> Option<Move> {
    cancelling_move(&unpaired(position))
}

/// Returns one heap of each class that has moves and an odd number of heaps.
pub(crate) fn unpaired(position: &Position) -> Vec<PlacedHeap<'_>> {
    position.live_classes().filter(|class| class.copies % 2 == 1).map(|class| class.first).collect_vec()
}

/// Returns a move after which `heaps` cancel in pairs. `heaps` must be all different.
pub(crate) fn cancelling_move(heaps: &[PlacedHeap<'_>]) -> Option<Move> {
    if heaps.len() > 3 || !heaps.iter().map(|placed| placed.rules_index).all_equal() {
        return None;
    }
    heaps.iter().enumerate().find_map(|(mover, placed)| {
        let others = heaps.iter().enumerate().filter(|&(other, _)| other != mover);
        let wanted: SmallVec<[Heap; 2]> = others.map(|(_, placed)| placed.heap).collect();
        placed.rules.cancelling_move(placed.heap, &wanted).map(|take| placed.at(take))
    })
}
