//! Grundy's game: a move splits a heap into two heaps that are not equal (P. M. Grundy 1939, "Mathematics and games").
//!
//! A move takes no cards, so the protocol cannot write it.

#[cfg(feature = "analysis")]
use super::About;
use super::{Followers, GameEntry, Heap, HeapMove, MoveRun, Rules, Shape, Splits, Violation, is_equal};

pub(crate) static ENTRY: GameEntry = GameEntry {
    name: "grundy",
    form: "grundy n1 n2 ...",
    help: "heaps; a move splits a heap into two unequal heaps; only for tables",
    #[cfg(feature = "analysis")]
    about: About { examples: &[], tables: &["grundy --to 10000"] },
};

/// The rules of Grundy's game. The offset of a move is the size of the smaller part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grundy;

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
        Box::new((1..heap.size.div_ceil(2)).map(|offset| HeapMove { offset, count: 0 }))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let HeapMove { offset, count } = mv;
        if count > 0 || offset == 0 || offset >= heap.size.div_ceil(2) {
            return Err(Violation::NoSuchSplit);
        }
        Ok(Followers::from_iter([(0, Heap::of(offset)), (offset, Heap::of(heap.size - offset))]))
    }

    fn move_count(&self, heap: Heap) -> u128 {
        heap.size.div_ceil(2).saturating_sub(1).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        let offset = u64::try_from(n).ok().filter(|_| n < self.move_count(heap))? + 1;
        Some(HeapMove { offset, count: 0 })
    }

    fn has_moves(&self, heap: Heap) -> bool {
        heap.size > 2
    }

    /// Returns n - 1 for a heap of n cards: each move adds one heap, and n cards make at most n heaps.
    fn max_plies(&self, heap: Heap) -> u64 {
        heap.size.saturating_sub(1)
    }
}

impl Splits for Grundy {
    fn runs(&self, heap: Heap) -> Box<dyn Iterator<Item = MoveRun> + '_> {
        let offsets = 1..=heap.size.div_ceil(2).saturating_sub(1);
        let run = MoveRun::Two { take: 0, left: heap.size, offsets };
        Box::new(self.has_moves(heap).then_some(run).into_iter())
    }
}
