//! The best delaying move in a segment of a lost position.

use super::values::Counts;
use super::{DelayMove, HeapMove, Window};
use crate::Nimber;
use crate::integers::narrow;

/// A segment whose moves are compared.
pub(super) struct MoveComparison<'a> {
    counts: &'a Counts,
    /// The least and the most that a move takes here.
    takes: (usize, usize),
    n: usize,
    nimber: usize,
    /// How many replies win in the other heaps, by the nimber that the move leaves here.
    elsewhere: Vec<u128>,
    /// A lower bound of each of them in four bytes: it is read for every pair, and rules out most of them.
    floor: Vec<u32>,
}

impl<'a> MoveComparison<'a> {
    /// `elsewhere` returns the number of replies that win in the other heaps, by the XOR that a move leaves on the table:
    /// that of the nimber it leaves here and the segment's own.
    pub(super) fn new(
        counts: &'a Counts,
        window: Window,
        n: usize,
        elsewhere: &mut dyn FnMut(Nimber) -> u128,
    ) -> Self {
        let takes = (narrow(window.l), usize::try_from(window.r).map_or(n, |r| r.min(n)));
        let nimber = usize::from(counts.values().all()[n]);
        // What no move leaves is not asked for.
        let wins = |(after, &moves): (u64, &u16)| match moves {
            0 => u128::MAX,
            _ => elsewhere(Nimber(nimber as u64 ^ after)),
        };
        let elsewhere: Vec<u128> = (0..).zip(counts.row(n)).map(wins).collect();
        let floor = elsewhere.iter().map(|&wins| capped(wins)).collect();
        Self { counts, takes, n, nimber, elsewhere, floor }
    }

    /// The best of all moves, if there is one.
    ///
    /// The moves after which the fewest replies win elsewhere are tried first: they mostly leave few others
    /// that may be as good. Time: n(R-L+1)/2 steps at most, eight or so at a time where few nimbers are worth
    /// a look.
    pub(super) fn best(&self) -> Option<DelayMove> {
        /// Maximum number of nimbers for which vectors are as fast as a table.
        const FEW: usize = 6;
        let (&least, first) = self.floor.iter().zip(0_u16..).min()?;
        let mut best = None;
        self.look(&mut best, least, |a, b, _| a ^ b == first);
        let limit = best.map_or(u32::MAX, |best| capped(best.winning_replies));
        let rest = (0_u16..).zip(&self.floor).filter(|&(after, &wins)| after != first && wins <= limit);
        let rest: Vec<(u16, u32)> = rest.map(|(after, &wins)| (after, wins)).take(FEW + 1).collect();
        if rest.len() > FEW {
            // The mask changes nothing, it only shows that the index is below the width.
            let mask = self.floor.len() - 1;
            self.look(&mut best, least, |a, b, limit| self.floor[usize::from(a ^ b) & mask] <= limit);
        } else {
            for (after, wins) in rest {
                self.look(&mut best, wins, |a, b, _| a ^ b == after);
            }
        }
        best
    }

    /// Looks at the moves, of `least` wins or more, that leave two segments for whose nimbers, and the most
    /// wins still of interest, `holds`. Those that take least come first, for they leave most play.
    fn look(&self, best: &mut Option<DelayMove>, least: u32, holds: impl Fn(u16, u16, u32) -> bool + Copy) {
        let (l, r) = self.takes;
        for sum in (self.n - r..=self.n - l).rev() {
            let limit = best.map_or(u32::MAX, |best| {
                // As good as the best is not good enough for less play.
                let is_shorter = (self.n / l - sum / l) as u64 > best.shortens;
                capped(best.winning_replies.saturating_sub(is_shorter.into()))
            });
            if limit < least {
                break;
            }
            for u in self.counts.values().pairs(sum, |a, b| holds(a, b, limit)) {
                let wins = self.wins(u, sum - u);
                if best.is_none_or(|best| wins <= best.winning_replies) {
                    let found = self.delay_move(wins, u, sum - u);
                    *best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
    }

    /// How many replies win after the move that leaves `u` and `v` cards.
    fn wins(&self, u: usize, v: usize) -> u128 {
        let values = self.counts.values().all();
        let [a, b] = [u, v].map(|left| usize::from(values[left]));
        // To win in u, it must come from a to what is left: the heap's old nimber and b.
        let [in_u, in_v] = [(u, b), (v, a)].map(|(left, other)| self.counts.moves(left, self.nimber ^ other));
        self.elsewhere[a ^ b] + u128::from(in_u) + u128::from(in_v)
    }

    /// That move, with the cards it leaves in this order.
    fn delay_move(&self, wins: u128, u: usize, v: usize) -> DelayMove {
        let (n, (l, _)) = (self.n, self.takes);
        let take = HeapMove { offset: u as u64, count: (n - u - v) as u64 };
        DelayMove { winning_replies: wins, shortens: (n / l - u / l - v / l) as u64, mv: take }
    }
}

fn capped(wins: u128) -> u32 {
    u32::try_from(wins).unwrap_or(u32::MAX)
}
