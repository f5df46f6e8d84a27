//! Rare codes that moves lead to, where codes are few.

use super::super::split::COMMON;
use super::codes::Codes;
use super::far::Far;
use super::moves::Moves;
use super::ones::{Ones, Word};
use super::partners::Partners;
use super::rares_below::{IN_WORD, RaresBelow};
use crate::narrow::narrow;

/// So many common values are guessed at a time at least, before it is asked whether some of them are rare.
pub(super) const LEAST_GUESS: usize = 64;

/// Rare codes by pairs with witnesses, where common codes are also in words.
pub(super) trait RareViews<T> {
    /// Whether none is seen.
    const NONE: bool = false;

    /// Those of the segment behind these.
    fn new(moves: &Moves, codes: &Codes, witnesses: &Partners) -> Self;

    /// Appends to a list which rare codes that are less than the code of a segment from `from` on, no more than
    /// [`LEAST_GUESS`] of which there are, were not seen: the segments in ascending order, by how far they lie behind it, and
    /// the codes of each. Those before are entered.
    fn missing(
        &mut self,
        from: usize,
        codes: &Codes,
        ones: &Ones<T>,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    );
}

/// No rare codes.
pub(super) struct NoRares;

impl<T> RareViews<T> for NoRares {
    const NONE: bool = true;

    fn new(_: &Moves, _: &Codes, _: &Partners) -> Self {
        Self
    }

    fn missing(&mut self, _: usize, _: &Codes, _: &Ones<T>, _: &mut RaresBelow, _: &mut Vec<(u16, u16)>) {}
}

/// The small rare codes seen at each of the latest sums, a word of them for each. Seen are the XORs of the codes of some
/// common segments, the witnesses, with those of others.
///
/// So many sums are entered together as `B` says, where their common codes are known.
pub(super) struct RareWords<T, const B: usize> {
    moves: Moves,
    witnesses: Partners,
    far: Far<T, B>,
    /// By the sum, from the first to which a move from the segment behind the last ones leads.
    sets: Vec<T>,
}

impl<T: Word, const B: usize> RareViews<T> for RareWords<T, B> {
    fn new(moves: &Moves, codes: &Codes, witnesses: &Partners) -> Self {
        let (least, longest) = (moves.takes[0], moves.longest());
        let words = Self {
            moves: moves.clone(),
            witnesses: witnesses.clone(),
            far: Far::new(witnesses.iter()),
            sets: Vec::new(),
        };
        let n = codes.len();
        let sums = (least + 1..=longest).rev().map(|take| n.checked_sub(take));
        let sets: Vec<T> = sums.map(|sum| sum.map_or(T::default(), |sum| words.at(sum, codes))).collect();
        Self { sets, ..words }
    }

    /// What the sums before have was entered. Those that are not small are listed without being looked for.
    fn missing(
        &mut self,
        from: usize,
        codes: &Codes,
        ones: &Ones<T>,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    ) {
        self.enter(from, codes, ones);
        let codes_from = &codes.last()[from - codes.base()..];
        let mut seen = [T::default(); LEAST_GUESS];
        for take in &self.moves.takes {
            let sums = &self.sets[self.moves.longest() - take..];
            seen.iter_mut().zip(sums).for_each(|(seen, at_sum)| *seen |= *at_sum);
        }
        self.sets.drain(..codes_from.len());
        below.learn_all(codes_from);
        for ((ahead, &code), seen) in (0..).zip(codes_from).zip(&mut seen) {
            let n = from + usize::from(ahead);
            for code in self.moves.singles(n, codes).filter(|code| *code < COMMON) {
                *seen |= T::of(code);
            }
            let missing = below.word(code, n) & !(seen.wide() & Self::ALL_SMALL);
            if missing != 0 {
                self.list((n, ahead), missing, below.count(code, n), codes, list);
            }
        }
    }
}

impl<T: Word, const B: usize> RareWords<T, B> {
    /// Those below this one are small.
    const SMALL: usize = if T::CODES < IN_WORD { T::CODES } else { IN_WORD };
    const ALL_SMALL: u64 = (1 << Self::SMALL) - 1;

    /// Appends to a list which rare codes below `end` are missing, by a bit each of the small ones, and those that are not
    /// small.
    #[inline]
    fn list(
        &self,
        (n, ahead): (usize, u16),
        missing: u64,
        end: usize,
        codes: &Codes,
        list: &mut Vec<(u16, u16)>,
    ) {
        let mut small = missing & Self::ALL_SMALL;
        while small != 0 {
            list.push((ahead, narrow(small.trailing_zeros() as usize)));
            small &= small - 1;
        }
        let large = narrow(Self::SMALL)..narrow::<u16>(end);
        let is_single = |code: &u16| self.moves.singles(n, codes).any(|single| single == *code);
        list.extend(large.filter(|code| !is_single(code)).map(|code| (ahead, code)));
    }

    /// Enters the sums to which a move from a segment leads that is not before `from`, as far as none is known behind it.
    fn enter(&mut self, from: usize, codes: &Codes, ones: &Ones<T>) {
        let least = self.moves.takes[0];
        let (mut sum, end) = (from.saturating_sub(least), codes.len().saturating_sub(least));
        while sum < end {
            // The last block begins with sums that were entered before: all its codes are known.
            let first = sum.min(end.saturating_sub(B));
            if self.witnesses.last() > first {
                self.sets.push(self.at(sum, codes));
                sum += 1;
            } else {
                self.sets.extend_from_slice(&self.far.block(first, ones, 0)[sum - first..]);
                sum = first + B;
            }
        }
    }

    /// What is seen at a sum that may be less than some witnesses.
    fn at(&self, sum: usize, codes: &Codes) -> T {
        let mut seen = T::default();
        self.witnesses.with_commons(sum, codes).for_each(|code| seen |= T::of(code));
        seen
    }
}
