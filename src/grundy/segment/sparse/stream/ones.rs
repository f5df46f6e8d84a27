//! The common codes of the last segments as words with one bit set, and the XORs at consecutive sums. The module
//! [`sparse`](super::super) explains the terms.

use super::super::split::COMMON;
use crate::integers::narrow;

/// A set of small codes, one bit each.
pub(super) trait Word: Copy + Default + Eq + std::ops::BitOrAssign {
    /// The number of codes, a power of two up to 64.
    const CODES: usize;

    /// Returns the set with one code; empty if the code is too large.
    fn of(code: u16) -> Self;

    /// Returns the set of these codes after the bit at the position `bit` of each code is flipped.
    fn swapped(self, bit: u32) -> Self;

    /// Returns the set as a `u64`.
    fn wide(self) -> u64;

    /// Returns the set of the lowest bits of `bits`.
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

/// For each of the last places, the word with the bit of its common code.
///
/// Codes are divided into planes of `T::CODES` codes. A place has its bit in the plane of its code, and an empty word
/// in all other planes. A rare place has only empty words.
pub(super) struct Ones<T> {
    /// The place of the first word.
    base: usize,
    planes: Vec<Vec<T>>,
    /// The number of last places that are needed.
    keep: usize,
    /// Maximum number of last places that are kept.
    most: usize,
}

impl<T: Word> Ones<T> {
    /// Returns no words, to be extended from the place `base` on. `keep` places are needed.
    pub(super) fn from(base: usize, keep: usize) -> Self {
        // More are kept than needed, so that the words need not be computed again after each rare segment.
        Self { base, planes: Vec::new(), keep, most: 2 * keep }
    }

    /// Sets the number of places that are needed from now on. Returns whether no place has been dropped yet.
    pub(super) fn set_needed(&mut self, keep: usize) -> bool {
        self.keep = keep;
        self.most = self.most.max(keep + 1);
        self.base == 0
    }

    /// Appends at most `keep` codes after the `len` known codes.
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
            // Codes of other planes are too large for a word, or wrap to such codes.
            plane.extend(codes.iter().map(|code| T::of(code.wrapping_sub(plane_from))));
        }
    }

    /// Removes the codes from the place `len` on.
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
        // With room for a quarter more than needed, about four words are moved for each new one.
        self.most = self.keep + self.keep / 4 + (1 << 12);
        for plane in &mut self.planes {
            plane.copy_within(dropped.., 0);
            plane.truncate(len - self.base - dropped);
            plane.reserve_exact(self.most.saturating_sub(plane.len()));
            plane.shrink_to(self.most);
        }
        self.base += dropped;
    }

    /// Returns the words of a plane from `place` on; none if the plane has no code.
    #[inline]
    pub(super) fn since(&self, plane: usize, place: usize) -> &[T] {
        self.planes.get(plane).map_or(&[], |words| &words[place - self.base..])
    }
}

/// Segments, called partners, whose XORs with common segments are computed for `B` sums together.
///
/// Partners of the same code are a group. A group sees words of the common segments, and all codes in these words must
/// be combined by XOR with the code of the group. This is done bit by bit, from the top bit on: the words of the code
/// 110 are swapped by its top bit and added to the words of the code 010, and these are swapped and added to the words
/// of the code 000. So each code needs only one swap.
pub(super) struct Far<T, const B: usize> {
    groups: Vec<Group>,
    /// For each code within a plane, the words whose codes must still be combined by XOR with this code.
    slots: Vec<[T; B]>,
    /// The used codes except 0 in descending order, each with the position of its top bit.
    swaps: Vec<(usize, u32)>,
}

/// Partners of the same code.
struct Group {
    plane: usize,
    slot: usize,
    /// The last place of the group.
    last: usize,
    /// For each place of the group, its distance to `last`.
    back: Vec<u32>,
}

impl<T: Word, const B: usize> Far<T, B> {
    /// Groups `partners`, given by place and code in ascending order.
    pub(super) fn new(partners: impl Iterator<Item = (usize, u16)>) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for (place, code) in partners {
            let code = usize::from(code & !COMMON);
            let (plane, slot) = (code / T::CODES, code % T::CODES);
            match groups.iter_mut().find(|group| (group.plane, group.slot) == (plane, slot)) {
                Some(group) => {
                    group.back.iter_mut().for_each(|back| *back += narrow::<u32>(place - group.last));
                    group.back.push(0);
                    group.last = place;
                }
                None => groups.push(Group { plane, slot, last: place, back: vec![0] }),
            }
        }
        let mut is_used = vec![false; T::CODES];
        for group in &groups {
            is_used[group.slot] = true;
        }
        let mut swaps = Vec::new();
        for slot in (1..T::CODES).rev() {
            if is_used[slot] {
                is_used[slot ^ 1 << slot.ilog2()] = true;
                swaps.push((slot, slot.ilog2()));
            }
        }
        Self { groups, slots: vec![[T::default(); B]; T::CODES], swaps }
    }

    /// Returns the XORs with codes in the plane `plane` at the `B` sums from `sum` on, as a word for each sum. `sum`
    /// must be at least the place of every partner.
    pub(super) fn block(&mut self, sum: usize, ones: &Ones<T>, plane: usize) -> [T; B] {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "a vector of 32 bytes is one operation, not two")]
            // SAFETY: the function is unsafe only because it needs AVX2, which this processor has.
            return unsafe { self.block_by_avx2(sum, ones, plane) };
        }
        self.block_by_words(sum, ones, plane)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn block_by_avx2(&mut self, sum: usize, ones: &Ones<T>, plane: usize) -> [T; B] {
        self.block_by_words(sum, ones, plane)
    }

    /// Must be inlined, so that it is compiled for the instructions of its caller.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else it has no AVX2")]
    fn block_by_words(&mut self, sum: usize, ones: &Ones<T>, plane: usize) -> [T; B] {
        let empty = [T::default(); B];
        for group in &self.groups {
            let Group { slot, last, back, .. } = group;
            let words = ones.since(plane ^ group.plane, sum - last);
            let mut seen = self.slots[*slot];
            for back in back.iter().map(|&back| back as usize) {
                // There are no words if the plane has no code.
                let Some(words) = words.get(back..back + B).and_then(<[T]>::first_chunk::<B>) else { break };
                for (seen, word) in seen.iter_mut().zip(*words) {
                    *seen |= word;
                }
            }
            self.slots[*slot] = seen;
        }
        for &(slot, bit) in &self.swaps {
            let seen = std::mem::replace(&mut self.slots[slot], empty);
            let into = &mut self.slots[slot ^ 1 << bit];
            match bit {
                0 => swap_into(into, seen, 0),
                1 => swap_into(into, seen, 1),
                2 => swap_into(into, seen, 2),
                3 => swap_into(into, seen, 3),
                4 => swap_into(into, seen, 4),
                _ => swap_into(into, seen, 5),
            }
        }
        std::mem::replace(&mut self.slots[0], empty)
    }
}

/// Adds the codes of `words` to `into`, after the bit at the position `bit` of each code is flipped.
#[inline(always)]
#[expect(clippy::inline_always, reason = "else it has no AVX2, nor shifts by constants")]
fn swap_into<T: Word, const B: usize>(into: &mut [T; B], words: [T; B], bit: u32) {
    for (into, word) in into.iter_mut().zip(words) {
        *into |= word.swapped(bit);
    }
}
