//! Tables for rules whose moves leave at most three heaps.

use std::ops::RangeInclusive;

use super::{DelayMove, GrundyTable, Heap, HeapMove, Nimber};
use crate::grundy::generic::{LongestPlay, fewest_replies};
use crate::grundy::segment::Period;
use crate::integers::narrow;
use crate::rules::{MoveRun, Splits, heaps_left};

/// A table for rules whose moves leave the heaps of [`heaps_left`].
pub(in crate::grundy) struct SplitTable<R> {
    rules: R,
    /// The Grundy values, indexed by size.
    values: Vec<u32>,
    /// The period by which the values continue after `values`.
    period: Option<Period>,
    longest: LongestPlay,
}

impl<R: Splits> SplitTable<R> {
    pub(in crate::grundy) fn new(rules: R, values: Vec<u32>, period: Option<Period>) -> Self {
        let longest = LongestPlay::new(values.len().saturating_sub(1) as u64);
        Self { rules, values, period, longest }
    }

    fn value(&self, size: u64) -> Nimber {
        let earlier = self.period.map_or(size, |period| period.earlier(size));
        Nimber(self.values[narrow::<usize>(earlier)].into())
    }

    /// Returns the XOR of the nimbers of the heaps that a move leaves. An empty heap has the nimber 0.
    fn nimber_after(&self, heap: Heap, mv: HeapMove) -> Nimber {
        let [a, b, c] = heaps_left(heap, mv);
        self.value(a) ^ self.value(b) ^ self.value(c)
    }

    /// Returns the period p, and the range of those `offsets` at which a move leaves two heaps that both have at least
    /// as many cards as the pre-period; `None` if there is no period, or if the range has at most p offsets. In this
    /// range, moves at the offsets `a` and `a + p` leave heaps of the same values. So if none of p consecutive offsets
    /// leaves a nimber, no offset of the range leaves it. `left` is the number of cards that the move leaves.
    fn repeated(&self, left: u64, offsets: &RangeInclusive<u64>) -> Option<(u64, RangeInclusive<u64>)> {
        let Period { start, length } = self.period?;
        let (first, last) = (start.max(*offsets.start()), left.checked_sub(start)?.min(*offsets.end()));
        (last.checked_sub(first)? >= length).then_some((length, first..=last))
    }

    /// Searches the moves of a run, see [`GrundyTable::search`], without those that cannot win because of the period.
    fn search_run(
        &self,
        heap: Heap,
        run: MoveRun,
        target: Nimber,
    ) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let found = move |mv| Some(mv).filter(|&mv| self.nimber_after(heap, mv) == target);
        let MoveRun::Two { take: count, left, offsets } = run else {
            return Box::new(run.moves().map(found));
        };
        let found = move |offset| found(HeapMove { offset, count });
        let Some((length, repeated)) = self.repeated(left, &offsets) else {
            return Box::new(offsets.map(found));
        };
        let (before, after) = (*offsets.start()..*repeated.start(), repeated.end() + 1..=*offsets.end());
        let mut misses = 0;
        let repeated = repeated.map(found).take_while(move |found| {
            misses = if found.is_some() { 0 } else { misses + 1 };
            misses <= length
        });
        Box::new(before.map(found).chain(repeated).chain(after.map(found)))
    }

    fn count_run(&self, heap: Heap, run: MoveRun, target: Nimber) -> u128 {
        let leaves = |mv: &HeapMove| self.nimber_after(heap, *mv) == target;
        let MoveRun::Two { take: count, left, ref offsets } = run else {
            return run.moves().filter(leaves).count() as u128;
        };
        let leaves = |offset: &u64| leaves(&HeapMove { offset: *offset, count });
        let Some((length, repeated)) = self.repeated(left, offsets) else {
            return offsets.clone().filter(leaves).count() as u128;
        };
        let (first, last) = repeated.into_inner();
        let others = (*offsets.start()..first).chain(last + 1..=*offsets.end()).filter(leaves).count();
        // Each offset of the first period is counted once for itself and once for each later offset at a multiple of
        // the period.
        let counted = (first..first + length).filter(leaves);
        others as u128 + counted.map(|offset| u128::from((last - offset) / length + 1)).sum::<u128>()
    }

    /// Returns the number of moves that [`count_run`](Self::count_run) tests.
    fn tested_moves(&self, run: &MoveRun) -> u128 {
        let repeated = match run {
            MoveRun::Two { left, offsets, .. } => self.repeated(*left, offsets),
            MoveRun::Three { .. } => None,
        };
        let skipped = repeated.map_or(0, |(length, offsets)| offsets.end() - offsets.start() + 1 - length);
        run.len() - u128::from(skipped)
    }
}

impl<R: Splits> GrundyTable for SplitTable<R> {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.value(heap.size)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        Box::new(self.rules.runs(heap).flat_map(move |run| self.search_run(heap, run, target)))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        self.rules.runs(heap).map(|run| self.tested_moves(&run)).sum::<u128>().saturating_mul(2)
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.rules.runs(heap).map(|run| self.count_run(heap, run, target)).sum())
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let moves = self.rules.moves(heap).map(|mv| (mv, heaps_left(heap, mv).map(Heap::of)));
        fewest_replies(self, heap, moves, self.longest.within(&self.rules, heap.size), elsewhere)
    }
}
