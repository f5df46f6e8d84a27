//! Tables that try the moves of a heap one by one.

use std::sync::Arc;

use super::generic::{LongestPlay, fewest_replies};
use super::{DelayMove, GrundyTable, Nimber};
use crate::integers::narrow;
use crate::rules::{Heap, HeapMove, Octal, Pile, Rules, Takes, heaps_left};
use smallvec::SmallVec;

/// Rules whose tables try the moves of a heap one by one.
pub(super) trait TriedRules: Clone + Send + Sync {
    type Left: AsRef<[Heap]>;

    fn rules(&self) -> &dyn Rules;

    /// Returns the moves of a heap in order, each with the heaps that it leaves. Some of these may be empty. The type of
    /// the iterator is known to the compiler, which makes the loops over it several times as fast as those over
    /// [`Rules::moves`].
    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_;
}

impl<T: Takes + Clone + PartialEq + 'static> TriedRules for Pile<T> {
    type Left = [Heap; 1];

    fn rules(&self) -> &dyn Rules {
        self
    }

    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_ {
        self.moves(heap).map(move |mv| (mv, [Heap::of(heap.size - mv.count)]))
    }
}

impl TriedRules for Octal {
    type Left = [Heap; 3];

    fn rules(&self) -> &dyn Rules {
        self
    }

    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_ {
        self.listed(heap).map(move |mv| (mv, heaps_left(heap, mv).map(Heap::of)))
    }
}

/// Grundy's game, whose moves are listed faster than those of other codes.
#[derive(Clone, Debug)]
pub(super) struct UnequalSplits;

impl TriedRules for UnequalSplits {
    type Left = [Heap; 2];

    fn rules(&self) -> &dyn Rules {
        &Octal::GRUNDYS_GAME
    }

    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_ {
        let splits = (1..heap.size).map(move |offset| [offset, heap.size - offset]);
        let unequal = splits.filter(|[first, second]| first != second);
        unequal.map(|sizes| (HeapMove { offset: sizes[0], count: 0 }, sizes.map(Heap::of)))
    }
}

impl TriedRules for Arc<dyn Rules> {
    type Left = SmallVec<[Heap; 2]>;

    fn rules(&self) -> &dyn Rules {
        self.as_ref()
    }

    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_ {
        self.moves(heap).map(move |mv| {
            let left = self.apply(heap, mv).unwrap_or_default();
            (mv, left.iter().map(|&(_, left)| left).collect())
        })
    }
}

/// A value for each size: the nimber, or 0 or 1 for the outcome. The value of an empty heap is 0.
pub(super) trait Values: Send + Sync {
    fn value(&self, n: u64) -> u64;

    /// Returns the sizes less than `below` whose value is 0, in ascending order.
    fn zeros(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new((0..below).filter(|&n| self.value(n) == 0))
    }
}

impl Values for Vec<u32> {
    fn value(&self, n: u64) -> u64 {
        self[narrow::<usize>(n)].into()
    }
}

pub(super) struct Tabulated<R, V> {
    rules: R,
    values: V,
    longest: LongestPlay,
}

impl<R: TriedRules, V: Values> Tabulated<R, V> {
    /// A table in which the longest play of a heap is only estimated.
    pub(super) fn new(rules: &R, values: V) -> Self {
        Self { rules: rules.clone(), values, longest: LongestPlay::new(0) }
    }

    /// Computes the longest play of heaps up to `largest` exactly, as far as that is fast.
    pub(super) fn with_longest_play(self, largest: Heap) -> Self {
        Self { longest: LongestPlay::new(largest.size), ..self }
    }

    fn nimber_of(&self, left: &R::Left) -> Nimber {
        left.as_ref().iter().map(|&left| self.nimber(left)).sum()
    }
}

impl<R: TriedRules, V: Values> GrundyTable for Tabulated<R, V> {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(self.values.value(heap.size))
    }

    fn p_positions(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        self.values.zeros(below)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let tried = self.rules.tried(heap);
        Box::new(tried.map(move |(mv, left)| (self.nimber_of(&left) == target).then_some(mv)))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        self.rules.rules().move_count(heap).saturating_mul(10)
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.rules.tried(heap).filter(|(_, left)| self.nimber_of(left) == target).count() as u128)
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let plies = self.longest.within(self.rules.rules(), heap.size);
        fewest_replies(self, heap, self.rules.tried(heap), plies, elsewhere)
    }
}
