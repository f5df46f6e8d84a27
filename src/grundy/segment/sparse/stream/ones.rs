//! The common codes of the last segments as words with one bit each.

use super::super::split::COMMON;
use crate::narrow::narrow;

/// A set of small codes: a bit for each.
pub(super) trait Word: Copy + Default + Eq + std::ops::BitOrAssign {
    /// How many codes there are: a power of two, up to 64.
    const CODES: usize;

    /// The set of a code; empty if it is too large.
    fn of(code: u16) -> Self;

    /// These codes, each with one bit changed.
    fn swapped(self, bit: u32) -> Self;

    /// With zeros above.
    fn wide(self) -> u64;

    /// The lowest bits.
    fn cut(bits: u64) -> Self;
}

macro_rules! word {
    ($type:ty, $cut:expr) => {
        impl Word for $type {
            const CODES: usize = Self::BITS as usize;

            #[inline]
            fn of(code: u16) -> Self {
                let bit = Self::from(1_u8) << (u32::from(code) % Self::BITS);
                if usize::from(code) < Self::CODES { bit } else { 0 }
            }

            #[inline]
            fn swapped(self, bit: u32) -> Self {
                // The codes without the bit.
                let low = Self::MAX / ((1 << (1 << bit)) + 1);
                (self & low) << (1 << bit) | self >> (1 << bit) & low
            }

            #[inline]
            fn wide(self) -> u64 {
                self.into()
            }

            #[inline]
            fn cut(bits: u64) -> Self {
                $cut(bits & Self::MAX.wide())
            }
        }
    };
}

word!(u16, narrow::<u16>);
word!(u32, narrow::<u32>);
word!(u64, std::convert::identity);

/// For each of the last places the word of its code, where that is common.
///
/// The codes are cut into planes, as many as a word has in each: a place has its bit in the plane of its code, and an empty
/// word in all others.
pub(super) struct Ones<T> {
    /// The place of the first.
    base: usize,
    planes: Vec<Vec<T>>,
    /// So many are needed, and so many are kept at most.
    keep: usize,
    most: usize,
}

impl<T: Word> Ones<T> {
    /// None, from a place on; so many are needed.
    pub(super) fn from(base: usize, keep: usize) -> Self {
        // So that they need not be made again at each of the next rare segments.
        Self { base, planes: Vec::new(), keep, most: 2 * keep }
    }

    /// Needs so many from now on; whether they are all there.
    pub(super) fn need(&mut self, keep: usize) -> bool {
        self.keep = keep;
        self.most = self.most.max(keep + 1);
        self.base == 0
    }

    /// Appends these codes, before which so many are known: no more than are needed.
    #[inline]
    pub(super) fn extend(&mut self, len: usize, codes: &[u16]) {
        let all = codes.iter().fold(0, |all, code| all | code);
        if usize::from(all & !COMMON) / T::CODES >= self.planes.len() {
            self.add_planes(len, codes);
        }
        if len + codes.len() - self.base > self.most {
            self.drop_old(len);
        }
        for (at, plane) in self.planes.iter_mut().enumerate() {
            let plane_from = narrow::<u16>(at * T::CODES) | COMMON;
            // Others are too large for a word, or become so.
            plane.extend(codes.iter().map(|code| T::of(code.wrapping_sub(plane_from))));
        }
    }

    /// Forgets the codes from a place on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.planes.iter_mut().for_each(|plane| plane.truncate(len - self.base));
    }

    #[cold]
    fn add_planes(&mut self, len: usize, codes: &[u16]) {
        let known = len - self.base;
        let commons = codes.iter().filter(|code| **code >= COMMON);
        let count = commons.map(|code| usize::from(code & !COMMON) / T::CODES + 1).max().unwrap_or(0);
        if count > self.planes.len() {
            self.planes.resize_with(count, || vec![T::default(); known]);
        }
    }

    #[cold]
    fn drop_old(&mut self, len: usize) {
        let dropped = (len - self.base).saturating_sub(self.keep);
        // To move them takes four words for each, then.
        self.most = self.keep + self.keep / 4 + (1 << 12);
        for plane in &mut self.planes {
            plane.copy_within(dropped.., 0);
            plane.truncate(len - self.base - dropped);
            plane.reserve_exact(self.most.saturating_sub(plane.len()));
            plane.shrink_to(self.most);
        }
        self.base += dropped;
    }

    /// The words of a plane from a place on; none if no code is in it.
    #[inline]
    pub(super) fn since(&self, plane: usize, place: usize) -> &[T] {
        self.planes.get(plane).map_or(&[], |words| &words[place - self.base..])
    }
}
