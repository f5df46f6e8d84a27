//! Rare codes that moves lead to, where codes are few.

use super::super::split::COMMON;
use super::codes::Codes;
use super::far::Far;
use super::moves::Moves;
use super::ones::{Ones, Word};
use super::partners::Partners;
use super::rare_views::{CHUNK, RareViews};
use super::rares_below::{IN_WORD, RaresBelow};
use crate::narrow::narrow;

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
    fn new(moves: &Moves, codes: &Codes, _: &Partners, witnesses: &Partners) -> Self {
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
        list: &mut Vec<(usize, u16)>,
    ) {
        self.enter(from, codes, ones);
        let codes_from = &codes.last()[from - codes.base()..];
        let mut seen = [T::default(); CHUNK];
        for take in &self.moves.takes {
            let sums = &self.sets[self.moves.longest() - take..];
            seen.iter_mut().zip(sums).for_each(|(seen, at_sum)| *seen |= *at_sum);
        }
        self.sets.drain(..codes_from.len());
        below.learn_all(codes_from);
        for ((n, &code), seen) in (from..).zip(codes_from).zip(&mut seen) {
            for code in self.moves.singles(n, codes).filter(|code| *code < COMMON) {
                *seen |= T::of(code);
            }
            let missing = below.word(code, n) & !(seen.wide() & Self::ALL_SMALL);
            if missing != 0 {
                self.list(n, missing, below.count(code, n), codes, list);
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
    fn list(&self, n: usize, missing: u64, end: usize, codes: &Codes, list: &mut Vec<(usize, u16)>) {
        let mut small = missing & Self::ALL_SMALL;
        while small != 0 {
            list.push((n, narrow(small.trailing_zeros() as usize)));
            small &= small - 1;
        }
        let large = narrow(Self::SMALL)..narrow::<u16>(end);
        let is_single = |code: &u16| self.moves.singles(n, codes).any(|single| single == *code);
        list.extend(large.filter(|code| !is_single(code)).map(|code| (n, code)));
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
                self.sets.extend_from_slice(&self.far.block(first, ones)[sum - first..]);
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
