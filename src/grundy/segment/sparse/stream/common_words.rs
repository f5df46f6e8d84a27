//! Common codes, one after the other, where codes are few.

use super::super::split::COMMON;
use super::codes::Codes;
use super::far::Far;
use super::moves::Moves;
use super::ones::{Ones, Word};
use super::partners::Partners;
use crate::narrow::narrow;

/// All codes are below this one, but for the top bit.
pub(super) const CODES: usize = 256;

/// The small common codes seen at each of the latest sums, a word of them for each. Seen are the XORs of the codes of rare
/// segments with those of common ones.
///
/// So many sums are entered together as `B` says. Rare segments that are too short for that tell at each new segment what
/// they show at the sums to come.
pub(super) struct CommonWords<T, const B: usize> {
    moves: Moves,
    rares: Partners,
    far: Far<T, B>,
    /// By the code of a new segment: what the short rare segments show at the next sums.
    near: Box<[Next; CODES]>,
    /// What they show at the next sums so far.
    pending: Next,
    /// By the last bits of the sum.
    sets: Vec<T>,
}

/// The words of the next sums, in 32 bytes, the first one in the lowest bits.
type Next = [u64; 4];

/// There is no room for a code.
pub(super) struct NoRoom;

impl<T: Word, const B: usize> CommonWords<T, B> {
    /// Those of the segment behind these.
    pub(super) fn new(moves: &Moves, rares: &Partners, codes: &Codes) -> Self {
        let least = moves.takes[0];
        let is_near = |place: usize| place + least < B;
        let mut near = Box::new([Next::default(); CODES]);
        for (place, code) in rares.iter().filter(|rare| is_near(rare.0)) {
            let bit = (place + least - 1) * T::CODES;
            for (other, near) in (0..).zip(&mut *near) {
                near[bit / 64] |= T::of(code & !COMMON ^ other).wide() << (bit % 64);
            }
        }
        let mut words = Self {
            far: Far::new(rares.iter().filter(|rare| !is_near(rare.0))),
            rares: rares.clone(),
            near,
            pending: Next::default(),
            sets: vec![T::default(); (moves.longest() - least + 1).next_power_of_two()],
            moves: moves.clone(),
        };
        let last = codes.last();
        for &code in &last[last.len().saturating_sub(B)..] {
            words.pending = words.next(words.pending, code);
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
                self.extend_block(codes, ones, (end - n).min(B))
            } else {
                self.enter_slowly(n, codes);
                self.push(codes, self.all(n, codes))
            };
            ones.extend(n, &codes.last()[n - codes.base()..]);
            result?;
        }
        Ok(())
    }

    /// Appends so many, the sums of which are all behind the last rare segment.
    #[inline]
    fn extend_block(&mut self, codes: &mut Codes, ones: &Ones<T>, many: usize) -> Result<(), NoRoom> {
        let n = codes.len();
        let sum = n - self.moves.takes[0];
        let block = self.far.block(sum, ones);
        let mask = self.sets.len() - 1;
        let mut pending = self.pending;
        for (at, &far) in block.iter().enumerate().take(many) {
            let mut seen = far;
            seen |= T::cut(pending[0]);
            self.sets[(sum + at) & mask] = seen;
            for take in &self.moves.takes[1..] {
                seen |= self.sets[(n + at).wrapping_sub(*take) & mask];
            }
            for code in self.moves.singles(n + at, codes).filter(|code| *code >= COMMON) {
                seen |= T::of(code & !COMMON);
            }
            let code = seen.wide().trailing_ones() as usize;
            let code = if code < T::CODES { narrow(code) } else { self.first_unseen(n + at, codes)? };
            codes.push(code | COMMON);
            pending = shifted::<T>(pending, &self.near[usize::from(code) % CODES]);
        }
        self.pending = pending;
        Ok(())
    }

    /// What the short rare segments show at the sums to come, behind a segment with this code.
    #[inline]
    fn next(&self, pending: Next, code: u16) -> Next {
        let near = &self.near[usize::from(code & !COMMON) % CODES];
        shifted::<T>(pending, if code >= COMMON { near } else { &[0; 4] })
    }

    /// Appends the first code that is not in a word, where that has all small codes that a move leads to.
    #[inline]
    fn push(&mut self, codes: &mut Codes, seen: T) -> Result<(), NoRoom> {
        let code = seen.wide().trailing_ones() as usize;
        let code = if code < T::CODES { narrow(code) } else { self.first_unseen(codes.len(), codes)? };
        self.pending = self.next(self.pending, code | COMMON);
        codes.push(code | COMMON);
        Ok(())
    }

    /// Enters the latest sum to which a move from `n` leads, where some rare segments may be larger.
    fn enter_slowly(&mut self, n: usize, codes: &Codes) {
        let Some(sum) = n.checked_sub(self.moves.takes[0]) else { return };
        let mut seen = T::default();
        self.rares.with_commons(sum, codes).for_each(|code| seen |= T::of(code));
        let mask = self.sets.len() - 1;
        self.sets[sum & mask] = seen;
    }

    /// The small common codes that a move from `n` leads to.
    fn all(&self, n: usize, codes: &Codes) -> T {
        let (mask, mut all) = (self.sets.len() - 1, T::default());
        for take in &self.moves.takes {
            all |= self.sets[n.wrapping_sub(*take) & mask];
        }
        for code in self.moves.singles(n, codes).filter(|code| *code >= COMMON) {
            all |= T::of(code & !COMMON);
        }
        all
    }

    /// The first common code that a move from `n` does not lead to, small or not.
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
