//! The numbers of cards that moves take.

use super::seen::Epoch;
use crate::grundy::segment::MoveBounds;

/// The numbers of cards that a move may take if it leaves two parts of a segment, and if it leaves one part.
///
/// A part may be empty, so all moves of a window leave two parts and take L to R cards. If some move of an octal code
/// may leave two heaps but not one, segments are one card shorter than heaps, and moves that leave two parts take one
/// card more.
#[derive(Clone, Debug)]
pub(in crate::grundy) struct TakeSet {
    /// The least number of cards for moves that leave two parts, at least 1.
    l: usize,
    /// The greatest number of cards for moves that leave two parts.
    r: usize,
    /// A bit for each number of cards from `l` on, set if a move may take it and leave two parts; `None` if all numbers
    /// from `l` to `r` are allowed.
    allowed_bits: Option<u128>,
    /// The numbers of cards for moves that leave one part. Moves that count as moves to two parts, one of them empty,
    /// are left out.
    singles: Vec<usize>,
    /// The values of the first segments, which have too few cards for some of these moves.
    first: Vec<u16>,
}

impl TakeSet {
    /// Returns the take set of a window. Segments shorter than `l` have no move, and the value 0.
    pub(super) fn window(l: usize, r: usize) -> Self {
        Self { l, r, allowed_bits: None, singles: Vec::new(), first: vec![0; l] }
    }

    /// Returns a take set; `None` if `pairs` is empty. `pairs` has the numbers of cards for moves that leave two parts:
    /// at least 1, in ascending order, none more than 127 above the first. `singles` has the numbers for moves that
    /// leave one part. `first` has the first values, at least as many as the greatest number taken.
    pub(in crate::grundy) fn new(pairs: &[usize], singles: Vec<usize>, first: Vec<u16>) -> Option<Self> {
        let (&l, &r) = (pairs.first()?, pairs.last()?);
        let allowed_bits = pairs.iter().fold(0_u128, |bits, take| bits | 1 << (take - l));
        let is_all = allowed_bits.trailing_ones() as usize == pairs.len() && singles.is_empty();
        Some(Self { l, r, allowed_bits: (!is_all).then_some(allowed_bits), singles, first })
    }

    /// Returns the least number of cards for moves that leave two parts.
    pub(super) fn l(&self) -> usize {
        self.l
    }

    /// Returns the number of sums from the least to the greatest that moves from a segment leave.
    pub(super) fn span(&self) -> usize {
        self.r - self.l + 1
    }

    /// Returns whether moves leave all sums of the [`span`](Self::span).
    pub(super) fn is_window(&self) -> bool {
        self.allowed_bits.is_none()
    }

    /// Returns the greatest number that a move takes.
    pub(in crate::grundy) fn longest(&self) -> usize {
        self.singles.iter().copied().fold(self.r, usize::max)
    }

    /// Returns the bounds of the moves for the proof of a period.
    pub(in crate::grundy) fn move_bounds(&self) -> MoveBounds {
        MoveBounds { longest_take: self.longest() as u64, most_heaps: 2 }
    }

    /// Returns the values of the first segments.
    pub(super) fn first(&self) -> &[u16] {
        &self.first
    }

    /// Returns the numbers of cards for moves that leave two parts, in ascending order.
    fn takes(&self) -> impl Iterator<Item = usize> + '_ {
        (self.l..=self.r).filter(|take| {
            self.allowed_bits.is_none_or(|allowed_bits| allowed_bits >> (take - self.l) & 1 == 1)
        })
    }

    /// Returns the list of the numbers of cards for moves that leave two parts, in ascending order.
    pub(super) fn pair_takes(&self) -> Vec<usize> {
        self.takes().collect()
    }

    /// Returns the numbers of cards for moves that leave one part. Moves that count as moves to two parts, one of them
    /// empty, are left out.
    pub(super) fn single_takes(&self) -> &[usize] {
        &self.singles
    }

    /// Returns the sums that moves from segment `place` leave, the greatest first.
    pub(super) fn sums(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.takes().map_while(move |take| place.checked_sub(take))
    }

    /// Returns the reach of the moves: the sums that they leave, counted back from the latest sum, see [`Epoch`].
    pub(super) fn reach<A: Epoch>(&self) -> A {
        match self.allowed_bits {
            None => A::of(self.r - self.l),
            Some(_) => self.takes().map(|take| A::of(take - self.l)).fold(A::NEVER, A::union),
        }
    }

    /// Returns the range of sums from the least to the greatest that moves from segment `place` leave, without the
    /// greatest.
    pub(super) fn earlier_sums(&self, place: usize) -> std::ops::Range<usize> {
        match place.checked_sub(self.l) {
            Some(last) => place.saturating_sub(self.r)..last,
            None => 0..0,
        }
    }

    /// Returns whether there are moves that leave one part.
    pub(super) fn has_singles(&self) -> bool {
        !self.singles.is_empty()
    }

    /// Returns the single parts that moves from segment `place` leave.
    pub(super) fn singles(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.singles.iter().filter_map(move |take| place.checked_sub(*take))
    }

    /// Returns the numbers of cards for moves that leave two parts, as ranges: (first, one more than the last).
    pub(super) fn runs(&self) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        if self.is_window() {
            runs.push((self.l, self.r + 1));
            return runs;
        }
        for take in self.takes() {
            match runs.last_mut() {
                Some((_, end)) if *end == take => *end += 1,
                _ => runs.push((take, take + 1)),
            }
        }
        runs
    }
}
