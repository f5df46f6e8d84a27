//! Rules by which a move leaves three heaps at most: the values of the heaps, and the moves between them.

use super::{DelayMove, GrundyTable, Heap, HeapMove, Nimber, Rules};
use crate::grundy::longest_play::LongestPlay;
use crate::grundy::segment::Period;
use crate::narrow::narrow;
use crate::rules::heaps_left;

/// Rules whose moves leave the heaps of [`heaps_left`], and the values of the heaps.
pub(super) struct SplitTable<R> {
    rules: R,
    /// By size.
    values: Vec<u16>,
    /// What tells the values of larger heaps.
    period: Option<Period>,
    longest: LongestPlay,
}

impl<R: Rules> SplitTable<R> {
    /// A table of these values, by size, and by their period if there is one.
    pub(super) fn new(rules: R, values: Vec<u16>, period: Option<Period>) -> Self {
        // Larger heaps have more moves than the exact lengths may take.
        let longest = LongestPlay::new(values.len().saturating_sub(1) as u64);
        Self { rules, values, period, longest }
    }

    fn value(&self, size: u64) -> Nimber {
        let size = self.period.map_or(size, |period| period.earlier(size));
        Nimber(self.values[narrow::<usize>(size)].into())
    }

    /// The nimber that a move leaves: a heap of no card is worth 0.
    fn left(&self, heap: Heap, mv: HeapMove) -> Nimber {
        let [a, b, c] = heaps_left(heap, mv);
        self.value(a) ^ self.value(b) ^ self.value(c)
    }
}

impl<R: Rules> GrundyTable for SplitTable<R> {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.value(heap.size)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        Box::new(self.rules.moves(heap).map(move |mv| Some(mv).filter(|&mv| self.left(heap, mv) == target)))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        self.rules.move_count(heap).saturating_mul(2)
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.moves_to(heap, target).count() as u128)
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let nimber = self.nimber(heap);
        let plies = self.longest.within(&self.rules, heap.size);
        let moves = self.rules.moves(heap).map(|mv| {
            let (followers, left) = (heaps_left(heap, mv), self.left(heap, mv));
            // To win in one follower, it must come to what is left: the heap's old nimber and the others'.
            let here = followers.iter().map(|&size| {
                let target = nimber ^ left ^ self.value(size);
                self.count_to(Heap::of(size), target).unwrap_or(0)
            });
            let left_plies: u64 = followers.iter().map(|&size| plies(size)).sum();
            let shortens = plies(heap.size).saturating_sub(left_plies);
            DelayMove { winning_replies: elsewhere(nimber ^ left) + here.sum::<u128>(), shortens, mv }
        });
        moves.min()
    }
}
