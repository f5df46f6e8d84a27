//! The moves of a row, as the engine needs them.

use crate::grundy::segment::MoveBounds;
use crate::integers::narrow;
use crate::rules::{Octal, Window};

/// The numbers of cards that a move may take, if it leaves two parts of a segment, and if it leaves one.
///
/// A part may be empty, so all moves of a window leave two parts. If some move of a code may leave two heaps but not
/// one, a heap of n + 1 cards is a segment of n cards: each part of a heap keeps a card, so a move that takes k cards
/// and leaves heaps of a + 1 and b + 1 is a move that takes k + 1 cards and leaves segments of a and b.
#[derive(Clone, Debug)]
pub(in crate::grundy) struct TakeSet {
    /// The numbers for moves that leave two parts, in ascending order.
    pub(super) pairs: Vec<usize>,
    /// Whether these numbers are consecutive.
    pub(super) is_window: bool,
    /// The numbers for moves that leave one part, without those that count as moves to two parts.
    singles: Vec<usize>,
    /// Whether the two parts must have different lengths, as in Grundy's game.
    are_unequal: bool,
    /// The values of the first segments, which are too short for some of these moves.
    pub(super) first: Vec<u32>,
    /// The number of cards by which heaps are longer than segments: 0 or 1.
    pub(super) shift: usize,
}

impl TakeSet {
    /// Segments shorter than L have no move, and the value 0. No segment is longer than `n`.
    pub(in crate::grundy) fn of_window(window: Window, n: usize) -> Self {
        let [l, r] =
            [window.l(), window.r()].map(|take| usize::try_from(take).unwrap_or(usize::MAX).min(n + 1));
        let (pairs, singles) = ((l..=r).collect(), Vec::new());
        Self { pairs, is_window: true, singles, are_unequal: false, first: vec![0; l], shift: 0 }
    }

    /// `None` if no move leaves two heaps, if one leaves three, or if the digits of the code repeat.
    pub(in crate::grundy) fn of_octal(rules: &Octal) -> Option<Self> {
        let &Octal { code, are_unequal, .. } = rules;
        let longest = code.longest_take()?;
        let takes = |heaps| (0..=longest).filter(move |&take| code.allows(take, heaps));
        if takes(3).next().is_some() {
            return None;
        }
        let shift = u64::from(takes(2).any(|take| !code.allows(take, 1)));
        let pairs: Vec<usize> = takes(2).map(|take| narrow(take + shift)).collect();
        let singles = takes(1).filter(|&take| shift == 1 || !code.allows(take, 2)).map(narrow).collect();
        let (&l, &r) = (pairs.first()?, pairs.last()?);
        let is_window = r - l + 1 == pairs.len();
        let first = super::by_definition(code, narrow(longest + 1)).split_off(narrow(shift));
        Some(Self { pairs, is_window, singles, are_unequal, first, shift: narrow(shift) })
    }

    /// The least and the greatest number of a move that leaves two parts.
    pub(super) fn range(&self) -> (usize, usize) {
        (self.pairs[0], self.pairs[self.pairs.len() - 1])
    }

    /// The sums whose pairs must be entered for a segment of `n` cards: all that moves leave as two parts, or in a
    /// window the greatest, because the pairs of the others are known from shorter segments.
    pub(super) fn new_sums(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        self.pairs.iter().map_while(move |&take| n.checked_sub(take)).take(self.sums_entered())
    }

    /// The number of pairs of parts with this sum, regardless of their order.
    pub(super) fn pair_count(&self, sum: usize) -> usize {
        if self.are_unequal { sum.div_ceil(2) } else { sum / 2 + 1 }
    }

    /// The segments that moves from a segment of `n` cards leave as the only part.
    pub(super) fn singles(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        self.singles.iter().filter_map(move |take| n.checked_sub(*take))
    }

    /// Number of [new sums](Self::new_sums) of each segment.
    pub(in crate::grundy) fn sums_entered(&self) -> usize {
        if self.is_window { 1 } else { self.pairs.len() }
    }

    /// The bounds of the moves, for the proof of a period; `None` if the proof does not apply.
    pub(super) fn move_bounds(&self) -> Option<MoveBounds> {
        let longest = self.singles.iter().copied().fold(self.range().1, usize::max);
        (!self.are_unequal).then_some(MoveBounds { longest_take: longest as u64, most_heaps: 2 })
    }
}
