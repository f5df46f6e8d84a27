//! The common codes of the last segments as words with one bit each.

use super::super::split::COMMON;

/// For each of the last places a word with the bit of its code, where that is common and below 64, otherwise 0.
pub(super) struct Ones {
    /// The place of the first word.
    base: usize,
    words: Vec<u64>,
    /// So many are kept at least.
    keep: usize,
}

impl Ones {
    /// None, from a place on.
    pub(super) fn from(base: usize, keep: usize) -> Self {
        Self { base, words: Vec::with_capacity(2 * keep), keep }
    }

    #[inline]
    pub(super) fn push(&mut self, code: u16) {
        if self.words.len() == 2 * self.keep {
            self.words.copy_within(self.keep.., 0);
            self.words.truncate(self.keep);
            self.base += self.keep;
        }
        self.words.push(if code < COMMON { 0 } else { 1 << (code % 64) });
    }

    /// The word of a place.
    #[inline]
    pub(super) fn at(&self, place: usize) -> u64 {
        self.words[place - self.base]
    }

    /// The words from a place on.
    #[inline]
    pub(super) fn since(&self, place: usize) -> &[u64] {
        &self.words[place - self.base..]
    }
}

/// The same codes, each XOR another one.
#[inline]
pub(super) fn moved(mut word: u64, code: u16) -> u64 {
    for (bit, low) in LOW.iter().enumerate() {
        if code >> bit & 1 == 1 {
            word = (word & low) << (1 << bit) | word >> (1 << bit) & low;
        }
    }
    word
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
