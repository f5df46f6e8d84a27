//! Subtraction of the numbers of one range.
//!
//! If a move takes L to R, then g(n) = floor((n mod (L+R)) / L) (AtCoder Beginner Contest 297 G, "Constrained Nim 2").
//! Proof by induction: let p = L+R and n = qp + x with 0 <= x < p, and let a move leave m, so n-R <= m <= n-L. If
//! m = qp + y, then 0 <= y <= x-L, so g(m) = floor(y/L) < floor(x/L). If m < qp, then m = (q-1)p + y with y >= x+L, so
//! g(m) > floor(x/L). It remains to show that each v < floor(x/L) is a g(m): let y be the larger of vL and x-R. Then
//! x-R <= y <= x-L. If y is not vL, then vL < x-R < L, so v = 0 and y < L. So floor(y/L) = v in both cases.

use std::iter;

use crate::grundy::euclid::compared;
use crate::grundy::{DelayMove, GrundyTable, Nimber};
use crate::rules::{Heap, HeapMove, Window, take};

/// The values of all piles from which the numbers of a window may be taken.
#[derive(Clone, Copy)]
pub(super) struct RangeTable(pub(super) Window);

impl RangeTable {
    /// Returns the number of moves of a pile of `n` that are compared in a lost position.
    pub(super) fn compared(self, n: u64) -> u128 {
        compared(self.count(n)).count() as u128
    }

    fn count(self, n: u64) -> u64 {
        let Window { l, r } = self.0;
        if n < l { 0 } else { r.min(n) - l + 1 }
    }

    fn value(self, n: u64) -> u64 {
        let Window { l, r } = self.0;
        n % (l + r) / l
    }

    /// Returns the takes that leave the value `target`, as ascending ranges: the first and the last take of each.
    ///
    /// The piles that can be left are fewer than L+R, so they lie in at most two periods.
    fn takes_to(self, n: u64, target: u64) -> impl Iterator<Item = (u64, u64)> {
        let Window { l, r } = self.0;
        let period = l + r;
        let largest = n.checked_sub(l).filter(|_| target <= (period - 1) / l);
        let periods = largest.into_iter().flat_map(move |largest| {
            let last = largest / period;
            [Some(last), last.checked_sub(1)].into_iter().flatten().map(move |at| (largest, at * period))
        });
        periods.filter_map(move |(largest, start)| {
            let from = start + target * l;
            let to = (from + l - 1).min(start + period - 1).min(largest);
            let from = from.max(n - r.min(n));
            (from <= to).then(|| (n - to, n - from))
        })
    }
}

impl GrundyTable for RangeTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(self.value(heap.size))
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let takes = self.takes_to(heap.size, target.0).flat_map(|(first, last)| first..=last);
        // The last `None` stands for the time of a search without a result.
        Box::new(takes.map(|count| Some(take(count))).chain(iter::once(None)))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.takes_to(heap.size, target.0).map(|(first, last)| u128::from(last - first) + 1).sum())
    }

    fn count_cost(&self, _heap: Heap) -> u128 {
        100
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let (n, l) = (heap.size, self.0.l);
        let before = self.nimber(heap);
        let moves = compared(self.count(n)).map(|index| {
            let count = l + index - 1;
            let left = Heap::of(n - count);
            let here = self.count_to(left, before).unwrap_or(0);
            let winning_replies = elsewhere(before ^ self.nimber(left)) + here;
            DelayMove { winning_replies, shortens: n / l - left.size / l, mv: take(count) }
        });
        moves.min()
    }
}
