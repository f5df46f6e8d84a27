//! What segments show at some sums in a row, where codes are few.

use super::super::split::COMMON;
use super::ones::{Ones, Word};
use crate::narrow::narrow;

/// Segments, the partners, whose pairs with common ones are looked at, for so many sums together as `B` says.
///
/// They are put together by their codes; then each bit that any of these codes have is swapped once: what is seen by the
/// code 110 is moved to 010, and then to 000.
pub(super) struct Far<T, const B: usize> {
    /// By their codes.
    groups: Vec<Group>,
    /// What is seen by each code, the bits of a word left over.
    slots: Vec<[T; B]>,
    /// The codes from the largest down, but for 0, and the top bit of each.
    swaps: Vec<(usize, u32)>,
}

/// Partners of the same code.
struct Group {
    plane: usize,
    slot: usize,
    /// The last place, and how far all places are before it.
    last: usize,
    back: Vec<u32>,
}

impl<T: Word, const B: usize> Far<T, B> {
    /// These partners, by place and code, in ascending order.
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

    /// The codes of a plane that these partners show at the sums from one on, none of which is less than a partner.
    pub(super) fn block(&mut self, sum: usize, ones: &Ones<T>, plane: usize) -> [T; B] {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "a vector of 32 bytes is one operation, not two")]
            // SAFETY: the function is safe but for its need of AVX2, which this processor has.
            return unsafe { self.block_by_avx2(sum, ones, plane) };
        }
        self.block_by_words(sum, ones, plane)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn block_by_avx2(&mut self, sum: usize, ones: &Ones<T>, plane: usize) -> [T; B] {
        self.block_by_words(sum, ones, plane)
    }

    /// It is compiled for the instructions of its caller, and so must be inlined.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else it has no AVX2")]
    fn block_by_words(&mut self, sum: usize, ones: &Ones<T>, plane: usize) -> [T; B] {
        let empty = [T::default(); B];
        for group in &self.groups {
            let Group { slot, last, back, .. } = group;
            let words = ones.since(plane ^ group.plane, sum - last);
            let mut seen = self.slots[*slot];
            for back in back.iter().map(|&back| back as usize) {
                // There are none where no code is in the plane.
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

/// Adds words with one bit of each code changed.
#[inline(always)]
#[expect(clippy::inline_always, reason = "else it has no AVX2, nor shifts by constants")]
fn swap_into<T: Word, const B: usize>(into: &mut [T; B], words: [T; B], bit: u32) {
    for (into, word) in into.iter_mut().zip(words) {
        *into |= word.swapped(bit);
    }
}
