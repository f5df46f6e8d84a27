//! The small codes that are seen at sums, as bits of words: common codes and rare codes. The module
//! [`sparse`](super::super) explains the terms.

use std::ops::Range;

use super::super::split::COMMON;
use super::codes::{Codes, IN_WORD, Moves, Partners, RaresBelow};
use super::ones::{Far, Ones, Word};
use crate::integers::narrow;

/// Number of common codes, and of rare codes, for which words can be used.
pub(super) const CODES: usize = 256;

/// The common codes seen at each of the latest sums, in `P` words for each sum: the XORs of the codes of a rare and a
/// common segment.
///
/// `A` sums are entered together for rare segments of length `A` and more, `B` sums for those of length `B` to `A`.
/// Shorter rare segments are entered with each new segment, for the next sums. Here the length of a rare segment is its
/// number of cards plus the least take.
pub(super) struct CommonWords<T, const A: usize, const B: usize, const P: usize> {
    moves: Moves,
    rares: Partners,
    far: Far<T, A>,
    middle: Far<T, B>,
    /// The codes seen with the far rare segments at the sums from `ahead_from` on.
    ahead: [[T; A]; P],
    ahead_from: Option<usize>,
    /// For each common code of a new segment, the codes that its pairs with the short rare segments show at the next
    /// sums.
    near: Box<[[Next; P]; CODES]>,
    /// The codes that pairs of the known segments with the short rare segments show at the next sums.
    pending: [Next; P],
    /// The codes seen at each sum, indexed by the last bits of the sum.
    sets: Vec<[T; P]>,
}

/// The words of the next sums in 32 bytes, the first sum in the lowest bits.
type Next = [u64; 4];

/// The error of a code that is too large for the words.
pub(super) struct NoRoom;

impl<T: Word, const A: usize, const B: usize, const P: usize> CommonWords<T, A, B, P> {
    /// Returns the words for the segment after `codes`.
    pub(super) fn new(moves: &Moves, rares: &Partners, codes: &Codes) -> Self {
        let least = moves.takes[0];
        let of_length =
            |lengths: Range<usize>| rares.iter().filter(move |rare| lengths.contains(&(rare.0 + least)));
        let mut near = Box::new([[Next::default(); P]; CODES]);
        for (place, code) in of_length(0..B) {
            let bit = (place + least - 1) * T::CODES;
            for (other, near) in (0..).zip(&mut *near) {
                let mut seen = [T::default(); P];
                enter(&mut seen, code & !COMMON ^ other);
                near.iter_mut()
                    .zip(seen)
                    .for_each(|(near, seen)| near[bit / 64] |= seen.wide() << (bit % 64));
            }
        }
        let mut words = Self {
            far: Far::new(of_length(A..usize::MAX)),
            middle: Far::new(of_length(B..A)),
            ahead: [[T::default(); A]; P],
            ahead_from: None,
            rares: rares.clone(),
            near,
            pending: [Next::default(); P],
            sets: vec![[T::default(); P]; (moves.longest() - least + 1).next_power_of_two()],
            moves: moves.clone(),
        };
        let last = codes.last();
        for &code in &last[last.len().saturating_sub(B)..] {
            words.show(code);
        }
        for n in (codes.len() + least).saturating_sub(words.moves.longest())..codes.len() {
            words.enter_slowly(n, codes);
        }
        words
    }

    /// Appends the next codes, assuming that no segment is rare, until there are `end` codes.
    pub(super) fn extend(&mut self, codes: &mut Codes, ones: &mut Ones<T>, end: usize) -> Result<(), NoRoom> {
        while codes.len() < end {
            let n = codes.len();
            let result = if self.rares.last() + self.moves.takes[0] <= n {
                self.extend_block(codes, ones, end - n)
            } else {
                self.enter_slowly(n, codes);
                self.first_unseen(n, codes).map(|code| self.push(codes, code))
            };
            ones.extend(n, &codes.last()[n - codes.base()..]);
            result?;
        }
        Ok(())
    }

    /// Appends at most `most` codes. The latest sums of their segments must not be less than the last rare segment.
    #[inline]
    fn extend_block(&mut self, codes: &mut Codes, ones: &Ones<T>, most: usize) -> Result<(), NoRoom> {
        let n = codes.len();
        let sum = n - self.moves.takes[0];
        let mut from = self.ahead_from.map_or(A, |first| sum - first);
        if from >= A {
            (from, self.ahead_from) = (0, Some(sum));
            self.ahead = std::array::from_fn(|plane| self.far.block(sum, ones, plane));
        }
        let middle: [[T; B]; P] = std::array::from_fn(|plane| self.middle.block(sum, ones, plane));
        let mask = self.sets.len() - 1;
        let mut pending = self.pending;
        for at in 0..B.min(A - from).min(most) {
            let mut seen: [T; P] = std::array::from_fn(|plane| self.ahead[plane][from + at]);
            for ((seen, middle), pending) in seen.iter_mut().zip(&middle).zip(&pending) {
                *seen |= middle[at];
                *seen |= T::cut(pending[0]);
            }
            self.sets[(sum + at) & mask] = seen;
            let code = self.least(codes, seen)?;
            codes.push(code | COMMON);
            show::<T, P>(&mut pending, &self.near[usize::from(code) % CODES]);
        }
        self.pending = pending;
        Ok(())
    }

    /// Adds the pairs of a new segment with the short rare segments to the next sums.
    #[inline]
    fn show(&mut self, code: u16) {
        let near = &self.near[usize::from(code & !COMMON) % CODES];
        show::<T, P>(&mut self.pending, if code >= COMMON { near } else { &[[0; 4]; P] });
    }

    /// Returns the first common code that is no option of the next segment. `latest` has the codes seen at the latest
    /// sum.
    #[inline]
    fn least(&self, codes: &Codes, latest: [T; P]) -> Result<u16, NoRoom> {
        let (n, mask) = (codes.len(), self.sets.len() - 1);
        let mut seen = latest;
        for take in &self.moves.takes[1..] {
            let more = &self.sets[n.wrapping_sub(*take) & mask];
            seen.iter_mut().zip(more).for_each(|(seen, more)| *seen |= *more);
        }
        for code in self.moves.singles(n, codes).filter(|code| *code >= COMMON) {
            enter(&mut seen, code & !COMMON);
        }
        for (plane, seen) in seen.iter().enumerate() {
            let first = seen.wide().trailing_ones() as usize;
            if first < T::CODES {
                return Ok(narrow(plane * T::CODES + first));
            }
        }
        self.first_unseen(n, codes)
    }

    /// Appends a common code.
    #[inline]
    fn push(&mut self, codes: &mut Codes, code: u16) {
        self.show(code | COMMON);
        codes.push(code | COMMON);
    }

    /// Enters the greatest sum that a move from `n` leaves. Unlike in `extend_block`, this sum may be less than some
    /// rare segments.
    fn enter_slowly(&mut self, n: usize, codes: &Codes) {
        let Some(sum) = n.checked_sub(self.moves.takes[0]) else { return };
        let mut seen = [T::default(); P];
        self.rares.with_commons(sum, codes).for_each(|code| enter(&mut seen, code));
        let mask = self.sets.len() - 1;
        self.sets[sum & mask] = seen;
    }

    /// Returns the first common code that is no option of `n`, whether it fits in a word or not.
    #[cold]
    fn first_unseen(&self, n: usize, codes: &Codes) -> Result<u16, NoRoom> {
        let mut seen = [false; CODES];
        let mut see = |code: u16| {
            if let Some(seen) = seen.get_mut(usize::from(code)) {
                *seen = true;
            }
        };
        let sums = self.moves.takes.iter().filter_map(|take| n.checked_sub(*take));
        sums.for_each(|sum| self.rares.with_commons(sum, codes).for_each(&mut see));
        let singles = self.moves.singles(n, codes).filter(|code| *code >= COMMON);
        singles.for_each(|code| see(code & !COMMON));
        seen.iter().position(|seen| !seen).map(narrow).ok_or(NoRoom)
    }
}

/// Adds a code to the words, if it fits in them.
#[inline]
fn enter<T: Word>(words: &mut [T], code: u16) {
    let plane = usize::from(code) / T::CODES;
    if let Some(word) = words.get_mut(plane) {
        *word |= T::of(code - narrow::<u16>(plane * T::CODES));
    }
}

/// Advances `pending` by one sum, and adds `near`.
#[inline]
fn show<T: Word, const P: usize>(pending: &mut [Next; P], near: &[Next; P]) {
    pending.iter_mut().zip(near).for_each(|(pending, near)| *pending = shifted::<T>(*pending, near));
}

/// Returns the words of the sums after the first, combined with `more`.
#[inline]
fn shifted<T: Word>(words: Next, more: &Next) -> Next {
    let [first, second, third, fourth] = words;
    // Two shifts, because a word may have 64 bits.
    let low = |word: u64| word >> (T::CODES - 1) >> 1;
    let high = |word: u64| word << (64 - T::CODES);
    [
        low(first) | high(second) | more[0],
        low(second) | high(third) | more[1],
        low(third) | high(fourth) | more[2],
        low(fourth) | more[3],
    ]
}

/// Number of common values that are guessed together. Views that have only common codes may guess more.
pub(super) const MIN_GUESS: usize = 64;

/// The small rare codes seen at each of the latest sums, one word for each sum: the XORs of a witness, which is common,
/// and another common segment. `B` sums are entered together once their codes are known.
pub(super) struct RareWords<T, const B: usize> {
    moves: Moves,
    witnesses: Partners,
    far: Far<T, B>,
    /// The codes seen at each sum, from the least that a move from the next segment leaves.
    sets: Vec<T>,
}

impl<T: Word, const B: usize> RareWords<T, B> {
    /// Codes less than `SMALL` have a bit in a word.
    const SMALL: usize = if T::CODES < IN_WORD { T::CODES } else { IN_WORD };
    const ALL_SMALL: u64 = (1 << Self::SMALL) - 1;

    /// Returns the words for the segment after `codes`.
    pub(super) fn new(moves: &Moves, codes: &Codes, witnesses: &Partners) -> Self {
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

    /// Lists missing rare codes as [`Views::missing_rares`](super::views::Views::missing_rares) does, for at most
    /// [`MIN_GUESS`] segments. Codes of [`SMALL`](Self::SMALL) or more are listed without a search.
    pub(super) fn missing(
        &mut self,
        from: usize,
        codes: &Codes,
        ones: &Ones<T>,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    ) {
        self.enter(from, codes, ones);
        let codes_from = &codes.last()[from - codes.base()..];
        let mut seen = [T::default(); MIN_GUESS];
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

    /// Appends the small codes of `missing`, and all larger codes below `end` that no single part has, to `list`.
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

    /// Enters the sums that moves from `from` and later segments leave, up to the last sum whose codes are known.
    fn enter(&mut self, from: usize, codes: &Codes, ones: &Ones<T>) {
        let least = self.moves.takes[0];
        let (mut sum, end) = (from.saturating_sub(least), codes.len().saturating_sub(least));
        while sum < end {
            // If fewer than `B` sums remain, the block begins with sums that have been entered already, so that all
            // codes it needs are known.
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

    /// Returns the codes seen at a sum that may be less than some witnesses.
    fn at(&self, sum: usize, codes: &Codes) -> T {
        let mut seen = T::default();
        self.witnesses.with_commons(sum, codes).for_each(|code| seen |= T::of(code));
        seen
    }
}
