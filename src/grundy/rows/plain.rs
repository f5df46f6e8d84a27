//! The loop over all pairs.

use super::take_set::TakeSet;
use crate::integers::narrow;

/// Computes values one after the other from all pairs of parts.
///
/// For each XOR, the loop stores the last sum of two parts that has a pair of this XOR. In a window, a nimber is an
/// option of n cards if its last sum is at least n - R, so only the pairs of one new sum are entered for each segment.
#[derive(Debug)]
pub(super) struct Plain<'a> {
    pub(super) take_set: &'a TakeSet,
    pub(super) values: Vec<u32>,
    /// For each XOR, a stamp; see [`stamps`]. The length is a power of two above all values, and so above all XORs.
    last: Vec<u32>,
}

/// The stamp of the pairs that are entered for a segment of `n` cards, and the least stamp of an option: in a window
/// one more than the sum of the pairs, else one more than the length of the segment.
pub(super) fn stamps(take_set: &TakeSet, n: usize) -> (u32, u32) {
    if take_set.is_window {
        let (l, r) = take_set.range();
        (narrow((n + 1).saturating_sub(l)), narrow(n.saturating_sub(r) + 1))
    } else {
        (narrow(n + 1), narrow(n + 1))
    }
}

/// The segments before a segment of `n` cards whose sums it needs: in a window, its other sums were entered for them.
pub(super) fn earlier(take_set: &TakeSet, n: usize) -> std::ops::Range<usize> {
    let (l, r) = take_set.range();
    if take_set.is_window { (n + l).saturating_sub(r)..n } else { n..n }
}

impl<'a> Plain<'a> {
    pub(super) fn new(take_set: &'a TakeSet, n: usize) -> Self {
        let mut plain = Self { take_set, values: Vec::new(), last: vec![0] };
        plain.continue_with(take_set.first.iter().copied().take(n + 1));
        plain
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn continue_with(&mut self, more: impl Iterator<Item = u32>) {
        let known = self.len();
        self.values.extend(more);
        self.last.fill(0);
        self.widen(self.values[known..].iter().copied().max().unwrap_or(0));
        for n in earlier(self.take_set, self.len()) {
            self.enter(n);
        }
    }

    pub(super) fn advance(&mut self) {
        let n = self.len();
        self.enter(n);
        let (_, least) = stamps(self.take_set, n);
        let singles: Vec<u32> = self.take_set.singles(n).map(|single| self.values[single]).collect();
        let is_option = |value: &u32| {
            self.last.get(*value as usize).is_some_and(|&last| last >= least) || singles.contains(value)
        };
        let value = (0..=u32::MAX).find(|value| !is_option(value)).unwrap_or(u32::MAX);
        self.values.push(value);
        self.widen(value);
    }

    fn widen(&mut self, value: u32) {
        if value as usize >= self.last.len() {
            self.last.resize((value as usize + 1).next_power_of_two(), 0);
        }
    }

    /// Enters the pairs of the sums that are new for a segment of `n` cards.
    fn enter(&mut self, n: usize) {
        let (stamp, _) = stamps(self.take_set, n);
        for sum in self.take_set.new_sums(n) {
            let known = &self.values[..=sum];
            let mask = self.last.len() - 1;
            for (a, b) in known[..self.take_set.pair_count(sum)].iter().zip(known.iter().rev()) {
                // The mask lets the compiler drop the bounds check.
                self.last[(a ^ b) as usize & mask] = stamp;
            }
        }
    }
}
