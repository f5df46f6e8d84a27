//! How many rare nimbers are less than a common one.

use super::super::split::COMMON;
use super::classes::Classes;
use crate::narrow::narrow;

/// Codes below this one have a bit each in a word of those that are less.
pub(super) const IN_WORD: usize = 63;

/// By the code of a common nimber, at even and odd places: how many rare nimbers are less. They have the first codes.
///
/// They are known for the codes that were learned.
pub(super) struct RaresBelow {
    classes: Classes,
    counts: Vec<[u16; 2]>,
    words: Vec<[u64; 2]>,
}

impl RaresBelow {
    pub(super) fn new(classes: Classes) -> Self {
        Self { classes, counts: Vec::new(), words: Vec::new() }
    }

    /// Learns them for each code up to the largest of these at least.
    pub(super) fn learn_all(&mut self, codes: &[u16]) {
        // No less than the largest.
        self.learn(codes.iter().fold(0, |all, code| all | code));
    }

    /// How many are less than that of this code at a place.
    pub(super) fn count(&self, code: u16, place: usize) -> usize {
        self.counts[usize::from(code & !COMMON)][place % 2].into()
    }

    /// Their codes as bits of a word, or a full word if there are more than [`IN_WORD`].
    #[inline]
    pub(super) fn word(&self, code: u16, place: usize) -> u64 {
        self.words[usize::from(code & !COMMON)][place % 2]
    }

    fn learn(&mut self, largest: u16) {
        for code in narrow(self.counts.len())..=largest & !COMMON {
            let below = [0, 1].map(|place| self.classes.rares_below(code | COMMON, place));
            self.counts.push(below.map(narrow));
            self.words.push(below.map(|below| if below <= IN_WORD { (1 << below) - 1 } else { u64::MAX }));
        }
    }
}
