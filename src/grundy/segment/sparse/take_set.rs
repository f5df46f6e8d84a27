//! The numbers of cards that the moves of a game take.

use super::seen::Epoch;
use crate::grundy::segment::MoveBounds;

/// The numbers that a move may take from a segment if it leaves two parts, and if it leaves one.
///
/// A part may have the length 0. So a window is its numbers from L to R, as two parts. Of a code whose moves leave two
/// heaps of at least one card, all lengths are one less, and the two parts take one more.
#[derive(Clone, Debug)]
pub(in crate::grundy) struct TakeSet {
    /// The least that is taken where two parts are left, at least 1.
    l: usize,
    /// The most.
    r: usize,
    /// Those from `l` on that may be taken, a bit each, the lowest first; `None` if all may be.
    some: Option<u128>,
    /// What is taken where one part is left, unless that is a pair with a part of length 0.
    singles: Vec<usize>,
    /// The values of the first segments: from then on all these moves can be made, or none.
    first: Vec<u16>,
}

impl TakeSet {
    /// A window: without a move, segments shorter than `l` have the value 0.
    pub(super) fn window(l: usize, r: usize) -> Self {
        Self { l, r, some: None, singles: Vec::new(), first: vec![0; l] }
    }

    /// `pairs` are the numbers taken if two parts are left, in ascending order from 1 on: at least one, and none more than
    /// 127 above the first. `singles` are the numbers taken if one part is left. `first` has the first values, as many as
    /// the largest number that is taken.
    pub(in crate::grundy) fn new(pairs: &[usize], singles: Vec<usize>, first: Vec<u16>) -> Option<Self> {
        let (&l, &r) = (pairs.first()?, pairs.last()?);
        let some = pairs.iter().fold(0_u128, |bits, take| bits | 1 << (take - l));
        let is_all = some.trailing_ones() as usize == pairs.len() && singles.is_empty();
        Some(Self { l, r, some: (!is_all).then_some(some), singles, first })
    }

    /// The least that is taken where two parts are left.
    pub(super) fn l(&self) -> usize {
        self.l
    }

    /// How many sums lie between the first and the last that two parts may have, these included.
    pub(super) fn span(&self) -> usize {
        self.r - self.l + 1
    }

    /// Whether a move leads to each of these sums.
    pub(super) fn is_window(&self) -> bool {
        self.some.is_none()
    }

    /// The most that is taken.
    pub(in crate::grundy) fn longest(&self) -> usize {
        self.singles.iter().copied().fold(self.r, usize::max)
    }

    /// What the proof of a period has to know of these moves.
    pub(in crate::grundy) fn move_bounds(&self) -> MoveBounds {
        MoveBounds { longest_take: self.longest() as u64, most_heaps: 2 }
    }

    /// The values of the first segments.
    pub(super) fn first(&self) -> &[u16] {
        &self.first
    }

    /// What is taken where two parts are left, in ascending order.
    fn takes(&self) -> impl Iterator<Item = usize> + '_ {
        (self.l..=self.r).filter(|take| self.some.is_none_or(|some| some >> (take - self.l) & 1 == 1))
    }

    /// What is taken where two parts are left, in ascending order, in a list.
    pub(super) fn pair_takes(&self) -> Vec<usize> {
        self.takes().collect()
    }

    /// What is taken where one part is left, unless that is a pair with a part of length 0.
    pub(super) fn single_takes(&self) -> &[usize] {
        &self.singles
    }

    /// To which sums a move from a segment leads, the largest first.
    pub(super) fn sums(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.takes().map_while(move |take| place.checked_sub(take))
    }

    /// To which of the latest sums, from the next one to be entered back.
    pub(super) fn reach<A: Epoch>(&self) -> A {
        match self.some {
            None => A::of(self.r - self.l),
            Some(_) => self.takes().map(|take| A::of(take - self.l)).fold(A::NEVER, A::and),
        }
    }

    /// The sums that have to be entered before the next one: those between the first to which a move from a segment leads
    /// and the last, which is entered when its turn comes.
    pub(super) fn earlier_sums(&self, place: usize) -> std::ops::Range<usize> {
        match place.checked_sub(self.l) {
            Some(last) => place.saturating_sub(self.r)..last,
            None => 0..0,
        }
    }

    /// Whether a move may leave one part, other than as a pair with a part of length 0.
    pub(super) fn has_singles(&self) -> bool {
        !self.singles.is_empty()
    }

    /// The segments that a move from a segment leaves alone.
    pub(super) fn singles(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.singles.iter().filter_map(move |take| place.checked_sub(*take))
    }

    /// What is taken where two parts are left, as runs from a number to before another.
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
