//! Common codes, one after the other, where codes are few.

use std::ops::Range;

use super::super::split::COMMON;
use super::codes::Codes;
use super::far::Far;
use super::moves::Moves;
use super::ones::{Ones, Word};
use super::partners::Partners;
use crate::narrow::narrow;

/// All codes are below this one, but for the top bit.
pub(super) const CODES: usize = 256;

/// The common codes seen at each of the latest sums, `P` words of them for each. Seen are the XORs of the codes of rare
/// segments with those of common ones.
///
/// Sums are entered together, `A` by the rare segments that are long enough, and `B` by others. Rare segments that are too
/// short for that, too, tell at each new segment what they show at the sums to come.
pub(super) struct CommonWords<T, const A: usize, const B: usize, const P: usize> {
    moves: Moves,
    rares: Partners,
    far: Far<T, A>,
    middle: Far<T, B>,
    /// What the far ones show at the sums from one on.
    ahead: [[T; A]; P],
    ahead_from: Option<usize>,
    /// By the code of a new segment: what the short rare segments show at the next sums.
    near: Box<[[Next; P]; CODES]>,
    /// What they show at the next sums so far.
    pending: [Next; P],
    /// By the last bits of the sum.
    sets: Vec<[T; P]>,
}

/// The words of the next sums, in 32 bytes, the first one in the lowest bits.
type Next = [u64; 4];

/// There is no room for a code.
pub(super) struct NoRoom;

impl<T: Word, const A: usize, const B: usize, const P: usize> CommonWords<T, A, B, P> {
    /// Those of the segment behind these.
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

    /// Appends the next common codes, if no segment is rare, until there are so many.
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

    /// Appends some, so many at most, the sums of which are all behind the last rare segment.
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

    /// What the short rare segments show at the sums to come, behind a segment with this code.
    #[inline]
    fn show(&mut self, code: u16) {
        let near = &self.near[usize::from(code & !COMMON) % CODES];
        show::<T, P>(&mut self.pending, if code >= COMMON { near } else { &[[0; 4]; P] });
    }

    /// The first code that a move from the next segment does not lead to; these are seen at the latest sum.
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

    /// Enters the latest sum to which a move from `n` leads, where some rare segments may be larger.
    fn enter_slowly(&mut self, n: usize, codes: &Codes) {
        let Some(sum) = n.checked_sub(self.moves.takes[0]) else { return };
        let mut seen = [T::default(); P];
        self.rares.with_commons(sum, codes).for_each(|code| enter(&mut seen, code));
        let mask = self.sets.len() - 1;
        self.sets[sum & mask] = seen;
    }

    /// The first common code that a move from `n` does not lead to, in a word or not.
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

/// Adds a code to the word that has it, if any has.
#[inline]
fn enter<T: Word>(words: &mut [T], code: u16) {
    let plane = usize::from(code) / T::CODES;
    if let Some(word) = words.get_mut(plane) {
        *word |= T::of(code - narrow::<u16>(plane * T::CODES));
    }
}

/// Goes on to the sums behind the first, at which these are seen, too.
#[inline]
fn show<T: Word, const P: usize>(pending: &mut [Next; P], near: &[Next; P]) {
    pending.iter_mut().zip(near).for_each(|(pending, near)| *pending = shifted::<T>(*pending, near));
}

/// The words of the sums behind the first, with these.
#[inline]
fn shifted<T: Word>(words: Next, more: &Next) -> Next {
    let [first, second, third, fourth] = words;
    // In two steps, for a word may have 64 bits.
    let low = |word: u64| word >> (T::CODES - 1) >> 1;
    let high = |word: u64| word << (64 - T::CODES);
    [
        low(first) | high(second) | more[0],
        low(second) | high(third) | more[1],
        low(third) | high(fourth) | more[2],
        low(fourth) | more[3],
    ]
}
