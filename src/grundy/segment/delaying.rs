//! The best delaying move in a segment, found with the table of counts.

use super::counts::Counts;
use super::{DelayMove, HeapMove, Window};
use crate::Nimber;
use crate::integers::narrow;

/// The comparison of the moves of one segment of a lost position.
pub(super) struct MoveComparison<'a> {
    counts: &'a Counts,
    /// The least and the greatest number of cards that a move takes.
    takes: (usize, usize),
    n: usize,
    nimber: usize,
    /// The number of winning replies in other heaps, indexed by the nimber that the move leaves in this segment.
    elsewhere: Vec<u128>,
    /// `elsewhere` capped at `u32::MAX`: a lower bound of the number of winning replies, which excludes most splits.
    floor: Vec<u32>,
}

impl<'a> MoveComparison<'a> {
    /// Prepares the comparison. `elsewhere` is the argument of [`GrundyTable::best_delaying_move`](super::GrundyTable).
    pub(super) fn new(
        counts: &'a Counts,
        window: Window,
        n: usize,
        elsewhere: &mut dyn FnMut(Nimber) -> u128,
    ) -> Self {
        let takes = (narrow(window.l), usize::try_from(window.r).map_or(n, |r| r.min(n)));
        let nimber = usize::from(counts.values.all()[n]);
        // `elsewhere` is expensive, so it is called only for nimbers that a move leaves.
        let wins = |(after, &moves): (u64, &u16)| match moves {
            0 => u128::MAX,
            _ => elsewhere(Nimber(nimber as u64 ^ after)),
        };
        let elsewhere: Vec<u128> = (0..).zip(counts.row(n)).map(wins).collect();
        let floor = elsewhere.iter().map(|&wins| capped(wins)).collect();
        Self { counts, takes, n, nimber, elsewhere, floor }
    }

    /// Returns the best move, if there is one.
    ///
    /// The moves after which the fewest replies in other heaps win are compared first; usually few other moves can then
    /// be as good. Time: at most seven passes of n(R-L+1)/2 splits. If few nimbers remain, about eight splits are
    /// tested at a time.
    pub(super) fn best(&self) -> Option<DelayMove> {
        /// Maximum number of remaining nimbers that are searched one by one; for more, one pass over all splits is
        /// faster.
        const MAX_BY_VECTORS: usize = 6;
        let (&least, first) = self.floor.iter().zip(0_u16..).min()?;
        let mut best = None;
        self.update(&mut best, least, |a, b, _| a ^ b == first);
        let limit = best.map_or(u32::MAX, |best| capped(best.winning_replies));
        let rest = (0_u16..).zip(&self.floor).filter(|&(after, &wins)| after != first && wins <= limit);
        let rest: Vec<(u16, u32)> =
            rest.map(|(after, &wins)| (after, wins)).take(MAX_BY_VECTORS + 1).collect();
        if rest.len() > MAX_BY_VECTORS {
            // The mask lets the compiler drop the bounds check.
            let mask = self.floor.len() - 1;
            self.update(&mut best, least, |a, b, limit| self.floor[usize::from(a ^ b) & mask] <= limit);
        } else {
            for (after, wins) in rest {
                self.update(&mut best, wins, |a, b, _| a ^ b == after);
            }
        }
        best
    }

    /// Updates `best` by the moves for which `holds` returns true. The arguments of `holds` are the nimbers of the two
    /// segments that a move leaves, and the maximum number of winning replies of a better move. `least` is a lower
    /// bound of the number of winning replies. Moves that take the fewest cards come first, because they leave the
    /// longest play.
    fn update(&self, best: &mut Option<DelayMove>, least: u32, holds: impl Fn(u16, u16, u32) -> bool + Copy) {
        let (l, r) = self.takes;
        for sum in (self.n - r..=self.n - l).rev() {
            let limit = best.map_or(u32::MAX, |best| {
                // A move that shortens the longest play more is better only if it has fewer winning replies.
                let is_shorter = (self.n / l - sum / l) as u64 > best.shortens;
                capped(best.winning_replies.saturating_sub(is_shorter.into()))
            });
            if limit < least {
                break;
            }
            for u in self.counts.values.pairs(sum, |a, b| holds(a, b, limit)) {
                let wins = self.wins(u, sum - u);
                if best.is_none_or(|best| wins <= best.winning_replies) {
                    let found = self.delay_move(wins, u, sum - u);
                    *best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
    }

    /// Returns the number of winning replies after the move that leaves `u` and `v` cards.
    fn wins(&self, u: usize, v: usize) -> u128 {
        let values = self.counts.values.all();
        let [a, b] = [u, v].map(|left| usize::from(values[left]));
        // A reply in u wins if it leaves a nimber whose XOR with b is the nimber of the segment before the move.
        let [in_u, in_v] = [(u, b), (v, a)].map(|(left, other)| self.counts.moves(left, self.nimber ^ other));
        self.elsewhere[a ^ b] + u128::from(in_u) + u128::from(in_v)
    }

    fn delay_move(&self, wins: u128, u: usize, v: usize) -> DelayMove {
        let (n, (l, _)) = (self.n, self.takes);
        let take = HeapMove { offset: u as u64, count: (n - u - v) as u64 };
        DelayMove { winning_replies: wins, shortens: (n / l - u / l - v / l) as u64, mv: take }
    }
}

fn capped(wins: u128) -> u32 {
    u32::try_from(wins).unwrap_or(u32::MAX)
}
