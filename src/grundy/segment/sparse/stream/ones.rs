//! The common codes of the last segments as words with one bit each.

use super::super::split::COMMON;

/// A bit for each code below 64 W, but for the top bit.
pub(super) type Set<const W: usize> = [u64; W];

/// For each of the last places the set of its code, where that is common, otherwise the empty one.
pub(super) struct Ones<const W: usize> {
    /// The place of the first.
    base: usize,
    /// The first words of all sets, then the second ones.
    words: [Vec<u64>; W],
    /// So many are kept at least.
    keep: usize,
}

impl<const W: usize> Ones<W> {
    /// None, from a place on.
    pub(super) fn from(base: usize, keep: usize) -> Self {
        Self { base, words: std::array::from_fn(|_| Vec::with_capacity(2 * keep)), keep }
    }

    #[inline]
    pub(super) fn push(&mut self, code: u16) {
        if self.words[0].len() == 2 * self.keep {
            for words in &mut self.words {
                words.copy_within(self.keep.., 0);
                words.truncate(self.keep);
            }
            self.base += self.keep;
        }
        let index = usize::from(code & !COMMON) / 64;
        let word = if code < COMMON { 0 } else { 1 << (code % 64) };
        for (at, words) in self.words.iter_mut().enumerate() {
            words.push(if at == index { word } else { 0 });
        }
    }

    /// The set of a place.
    #[inline]
    pub(super) fn at(&self, place: usize) -> Set<W> {
        std::array::from_fn(|at| self.words[at][place - self.base])
    }

    /// The words at one index from a place on.
    #[inline]
    pub(super) fn since(&self, at: usize, place: usize) -> &[u64] {
        &self.words[at][place - self.base..]
    }
}

/// The same codes, each XOR another one.
#[inline]
pub(super) fn moved<const W: usize>(set: Set<W>, code: u16) -> Set<W> {
    let across = usize::from(code) / 64;
    std::array::from_fn(|at| {
        let mut word = set[(at ^ across) % W];
        for (bit, low) in LOW.iter().enumerate() {
            if code >> bit & 1 == 1 {
                word = swapped(word, bit, *low);
            }
        }
        word
    })
}

/// The same codes with one bit changed.
#[inline]
pub(super) fn swapped(word: u64, bit: usize, low: u64) -> u64 {
    (word & low) << (1 << bit) | word >> (1 << bit) & low
}

/// The codes without a bit, for each bit.
pub(super) const LOW: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];
