//! The Grundy table of a row.

use std::ops::RangeInclusive;

use super::counts::Counts;
use super::{DelayMove, GrundyTable, Heap, HeapMove, Nimber, Period, Scale, Sequence, Window};
use crate::integers::narrow;

/// The values of the segments of `window`.
pub(super) struct SegmentTable {
    window: Window,
    scale: Scale,
    /// The values of the window that `window` scales down to.
    scaled: Sequence,
    /// The numbers of moves of all segments up to the largest. Moves are counted without scaling, because many moves scale
    /// down to the same move.
    counts: Option<Counts>,
}

impl SegmentTable {
    pub(super) fn new(window: Window, largest: u64) -> Self {
        let scale = Scale::of(window);
        let scaled = Sequence::up_to(scale.window, Sequence::computed(scale.window, scale.down(largest)));
        let counts = Counts::new(window, largest, |n| narrow(scaled.nimber(scale.down(n)).0));
        Self { window, scale, scaled, counts }
    }

    /// Returns the approximate maximum number of splits that [`pairs`](Self::pairs) tests for all sums that moves from a
    /// scaled row of `n` cards leave.
    fn pair_steps(&self, n: u64) -> u128 {
        let of_sum = self.scaled.period.map_or(n, |period| n.min(2 * period.start + 2 * period.length));
        self.takes(n).count() as u128 * u128::from(of_sum)
    }

    /// Tests the splits (a, b) with a <= b that moves leave of a scaled row of `n` cards, the smallest sums first: those
    /// whose nimbers XOR to `target`, and `None` for each other split. If the values have a period, the search of a sum
    /// ends after a whole period without a result, because the remaining splits have the same nimbers again.
    fn splits(&self, n: u64, target: Nimber) -> impl Iterator<Item = Option<(u64, u64)>> {
        let period = self.scaled.period;
        let (start, length) = period.map_or((u64::MAX, 0), |period| (period.start, period.length));
        self.takes(n).rev().flat_map(move |take| {
            let sum = n - take;
            let mut misses = 0;
            (0..=sum / 2).map_while(move |a| {
                let found = self.scaled.nimber(a) ^ self.scaled.nimber(sum - a) == target;
                misses = if found || a < start { 0 } else { misses + 1 };
                (misses <= length).then_some(found.then_some((a, sum - a)))
            })
        })
    }

    /// Returns the numbers of cards that moves take from a scaled row of `n` cards.
    fn takes(&self, n: u64) -> RangeInclusive<u64> {
        let Window { l, r } = self.scale.window;
        l..=r.min(n)
    }

    /// Returns the number of ordered pairs (u, v) of the scaled row with u + v = `sum` whose nimbers XOR to `target`.
    ///
    /// If the values have a period and neither u nor v is in the pre-period, each u of the first period stands for
    /// u, u + period, u + 2 period and so on, as long as v is not in the pre-period.
    fn pairs(&self, sum: u64, target: Nimber) -> u128 {
        let is_split = |u: &u64| self.scaled.nimber(*u) ^ self.scaled.nimber(sum - u) == target;
        match self.scaled.period {
            Some(Period { start, length }) if sum >= 2 * start + length => {
                let ends = (0..start).filter(is_split).count() as u128 * 2;
                let last = sum - start;
                let middle = (start..start + length).filter(is_split);
                ends + middle.map(|u| u128::from((last - u) / length + 1)).sum::<u128>()
            }
            _ => (0..=sum).filter(is_split).count() as u128,
        }
    }
}

impl GrundyTable for SegmentTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.scaled.nimber(self.scale.down(heap.size))
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let n = self.scale.down(heap.size);
        let lifts = move |(a, b)| self.scale.lifts(self.window, heap.size, a, b).map(Some);
        Box::new(self.splits(n, target).flat_map(move |split| {
            let other = split.filter(|(a, b)| a != b).map(|(a, b)| (b, a));
            split.into_iter().chain(other).flat_map(lifts).chain(split.is_none().then_some(None))
        }))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        let n = self.scale.down(heap.size);
        match &self.counts {
            Some(counts) if !counts.are_computed() => {
                (counts.values.len() as u128).pow(2) / 4 + u128::from(n)
            }
            Some(_) => 1,
            None => self.pair_steps(n),
        }
    }

    /// Reads the number from the table of counts. If there is no such table, counts the splits of the scaled row, each
    /// times the number of moves that scale down to it.
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        /// Maximum number of tested splits: a fraction of a second.
        const MAX_STEPS: u128 = 20_000_000;
        let n = self.scale.down(heap.size);
        self.replies_to(heap, target).or_else(|| {
            let weight = |take| self.scale.lift_count(self.window, heap.size, take);
            (self.pair_steps(n) <= MAX_STEPS)
                .then(|| self.takes(n).map(|take| weight(take) * self.pairs(n - take, target)).sum())
        })
    }

    /// Reads the number from the table of counts; `None` if there is no such table.
    fn replies_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        let counts = self.counts.as_ref()?;
        let (n, target) = usize::try_from(heap.size).ok().zip(usize::try_from(target.0).ok())?;
        Some(counts.moves(n, target).into())
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let (counts, n) = (self.counts.as_ref()?, usize::try_from(heap.size).ok()?);
        let [l, r] = [self.window.l, self.window.r].map(|take| narrow::<usize>(take.min(heap.size + 1)));
        let nimber = counts.values[n];
        // `elsewhere` is expensive, so it is called only once for each nimber that a move leaves.
        let wins = |after| match counts.moves(n, after) {
            0 => 0,
            _ => elsewhere(Nimber((usize::from(nimber) ^ after) as u64)),
        };
        let wins_elsewhere: Vec<u128> = (0..counts.width(n)).map(wins).collect();
        let sums = n.saturating_sub(r)..(n + 1).saturating_sub(l);
        let mut best: Option<DelayMove> = None;
        for (u, v) in sums.flat_map(|sum| (0..=sum / 2).map(move |u| (u, sum - u))) {
            let (a, b) = (counts.values[u], counts.values[v]);
            let elsewhere = wins_elsewhere[usize::from(a ^ b)];
            // Most moves leave more winning replies in the other heaps alone.
            if best.is_some_and(|best| best.winning_replies < elsewhere) {
                continue;
            }
            // A reply in u wins if it leaves a nimber whose XOR with b is the nimber of the segment before the move.
            let replies = |left, other: u16| u128::from(counts.moves(left, (nimber ^ other).into()));
            let found = DelayMove {
                winning_replies: elsewhere + replies(u, b) + replies(v, a),
                shortens: (n / l - u / l - v / l) as u64,
                mv: HeapMove { offset: u as u64, count: (n - u - v) as u64 },
            };
            best = Some(best.map_or(found, |best| best.min(found)));
        }
        best
    }
}
