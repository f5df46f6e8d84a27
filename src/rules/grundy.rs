//! Grundy's game: a move splits a heap into two heaps that are not equal (P. M. Grundy 1939, "Mathematics and games").

use super::{
    Followers, GameEntry, Heap, HeapMove, Rules, Shape, Violation, cancelling_move_taking, is_equal,
};

pub(crate) static ENTRY: GameEntry = GameEntry {
    name: "grundy",
    form: "grundy n1 n2 ...",
    help: "rows; the move \"x 0\" splits a row before card x into two rows of different length",
};

/// The rules of Grundy's game. The offset of a move is the size of the left part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grundy;

impl Grundy {
    /// Returns all moves of a heap of `n` cards in order.
    pub(crate) fn splits(n: u64) -> impl Iterator<Item = HeapMove> {
        let offsets = (1..n).filter(move |offset| n - offset != *offset);
        offsets.map(|offset| HeapMove { offset, count: 0 })
    }
}

impl Rules for Grundy {
    fn words(&self) -> String {
        "grundy".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Row
    }

    fn is_same(&self, other: &dyn Rules) -> bool {
        is_equal(self, other)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new(Self::splits(heap.size))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let HeapMove { offset, count } = mv;
        if count > 0 {
            return Err(Violation::OnlySplits);
        }
        if offset == 0 {
            return Err(Violation::SplitBeforeFirst);
        }
        let right = heap.size.checked_sub(offset).filter(|&right| right > 0);
        let right = right.ok_or(Violation::RunTooShort { free: 0 })?;
        if right == offset {
            return Err(Violation::EqualParts { size: offset });
        }
        Ok(Followers::from_iter([(0, Heap::of(offset)), (offset, Heap::of(right))]))
    }

    fn can_split(&self) -> bool {
        true
    }

    fn move_count(&self, heap: Heap) -> u128 {
        // Of an even number of cards, the split into equal parts is left out.
        (heap.size.div_ceil(2).saturating_sub(1) * 2).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        let n = u64::try_from(n).ok().filter(|&n| u128::from(n) < self.move_count(heap))?;
        let is_after_middle = 2 * (n + 1) >= heap.size;
        Some(HeapMove { offset: n + 1 + u64::from(is_after_middle && heap.size.is_multiple_of(2)), count: 0 })
    }

    fn has_moves(&self, heap: Heap) -> bool {
        heap.size > 2
    }

    /// Returns n - 1 for a heap of n cards: each move divides two neighbouring cards for good.
    fn max_plies(&self, heap: Heap) -> u64 {
        heap.size.saturating_sub(1)
    }

    /// Finds a move that leaves heaps in `wanted`, or heaps of at most two cards, which have no move.
    fn cancelling_move(&self, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
        cancelling_move_taking(self, heap, 0, wanted, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::octal::tests::assert_cancelling;

    #[test]
    fn cancelling_move_agrees_with_a_search() {
        assert_cancelling(&Grundy, 16, 24);
        let huge = Grundy.cancelling_move(Heap::of(1_000_000), &[Heap::of(400_000), Heap::of(600_000)]);
        assert!(huge.is_some());
    }
}
