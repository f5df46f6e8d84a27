//! What the sums have, where codes are few.

use super::super::split::COMMON;
use super::codes::Codes;
use super::ones::{Ones, Word};
use super::partners::Partners;
use crate::narrow::narrow;

/// All codes are below this one, but for the top bit.
pub(super) const CODES: usize = 256;

/// The first sum of a block, where there is none: no sum is near it.
const NO_BLOCK: usize = usize::MAX / 2;

/// The small codes seen at each of the latest sums, a word of them for each. Seen are the XORs of the codes of some
/// segments, the partners, with those of common ones.
///
/// So many sums are entered together as `B` says. Partners that are too short for that tell at each new segment what it
/// shows at the sums to come. All others are put together by their codes; then each bit that any of these codes have is
/// swapped once: what is seen by the code 110 is moved to 010, and then to 000.
pub(super) struct Masks<T, const B: usize> {
    /// By the last bits of the sum.
    sets: Vec<T>,
    /// What is taken where two parts are left.
    takes: Vec<usize>,
    partners: Partners,
    far: Far<T, B>,
    /// By the code of a new segment: what the short partners show at the next sums; empty if there are none.
    near: Vec<Next>,
    pending: Next,
    /// The first sum of the block, and what its sums have by the other partners.
    first: usize,
    block: [T; B],
}

/// The words of the sums of a block, in 32 bytes, the next one in the lowest bits.
type Next = [u64; 4];

/// The partners that are not too short for a block.
struct Far<T, const B: usize> {
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
    back: Vec<usize>,
}

impl<T: Word, const B: usize> Masks<T, B> {
    pub(super) fn new(takes: &[usize], partners: Partners) -> Self {
        let (least, most) = takes.first().zip(takes.last()).map_or((1, 1), |(least, most)| (*least, *most));
        let mut near = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        for (place, code) in partners.iter() {
            let code = code & !COMMON;
            let (plane, slot) = (usize::from(code) / T::CODES, usize::from(code) % T::CODES);
            if place + least < B {
                let bit = (place + least - 1) * T::CODES;
                near.resize(CODES, Next::default());
                for (other, near) in (0..).zip(&mut near) {
                    near[bit / 64] |= T::of(code ^ other).wide() << (bit % 64);
                }
            } else if let Some(group) =
                groups.iter_mut().find(|group| (group.plane, group.slot) == (plane, slot))
            {
                group.back.iter_mut().for_each(|back| *back += place - group.last);
                group.back.push(0);
                group.last = place;
            } else {
                groups.push(Group { plane, slot, last: place, back: vec![0] });
            }
        }
        let empty = [T::default(); B];
        Self {
            sets: vec![T::default(); (most - least + 1).next_power_of_two()],
            takes: takes.to_vec(),
            partners,
            far: Far::new(groups),
            near,
            pending: Next::default(),
            first: NO_BLOCK,
            block: empty,
        }
    }

    /// Enters the latest sum to which a move from `n` leads; all segments before are known.
    #[inline]
    pub(super) fn enter(&mut self, n: usize, ones: &Ones<T>) {
        let Some(sum) = n.checked_sub(self.takes[0]) else { return };
        if sum.wrapping_sub(self.first) >= B {
            self.first = sum;
            self.block = self.far.block(sum, ones);
        }
        let mut mask = self.block[(sum - self.first) % B];
        mask |= T::cut(self.pending[0]);
        let last = self.sets.len() - 1;
        self.sets[sum & last] = mask;
    }

    /// Takes account of the next segment, at the sums to come.
    #[inline]
    pub(super) fn push(&mut self, code: u16) {
        if self.near.is_empty() {
            return;
        }
        let mut next = if code >= COMMON { self.near[usize::from(code) % CODES] } else { Next::default() };
        for (at, next) in next.iter_mut().enumerate() {
            // In two steps, for a word may have 64 bits.
            let low = self.pending[at] >> (T::CODES - 1) >> 1;
            let high = self.pending.get(at + 1).map_or(0, |high| high << (64 - T::CODES));
            *next |= low | high;
        }
        self.pending = next;
    }

    /// Enters the latest sum to which a move from `n` leads, where some partners may be larger.
    pub(super) fn enter_slowly(&mut self, n: usize, codes: &Codes) {
        self.first = NO_BLOCK;
        let Some(sum) = n.checked_sub(self.takes[0]) else { return };
        let mut mask = T::default();
        self.codes_at(sum, codes).for_each(|code| mask |= T::of(code));
        let last = self.sets.len() - 1;
        self.sets[sum & last] = mask;
    }

    /// What is seen at a sum, the top bit left out.
    fn codes_at(&self, sum: usize, codes: &Codes) -> impl Iterator<Item = u16> {
        let top = sum - codes.base();
        let pairs = self.partners.iter().take_while(move |(place, _)| *place <= sum);
        let others = pairs.map(move |(place, code)| (code, codes.last()[top - place]));
        others.filter(|(_, other)| *other >= COMMON).map(|(code, other)| (code ^ other) & !COMMON)
    }

    /// Whether all partners are at most as large as the latest sum to which a move from `n` leads.
    #[inline]
    pub(super) fn reaches(&self, n: usize) -> bool {
        self.partners.last() + self.takes[0] <= n
    }

    /// The small codes that a move from `n` leads to, and some others.
    #[inline]
    fn all(&self, n: usize, also: &[u16]) -> u64 {
        let (last, mut all) = (self.sets.len() - 1, T::default());
        for take in &self.takes {
            all |= self.sets[n.wrapping_sub(*take) & last];
        }
        for code in also {
            all |= T::of(*code);
        }
        all.wide()
    }

    /// The first code that a move from `n` does not lead to, nor is one of some others; `None` if there is no room for it.
    #[inline]
    pub(super) fn first_unseen(&self, n: usize, also: &[u16], codes: &Codes) -> Option<u16> {
        let code = self.all(n, also).trailing_ones() as usize;
        if code < T::CODES { Some(narrow(code)) } else { self.first_unseen_of_all(n, also, codes) }
    }

    /// The same where it is not small.
    #[cold]
    fn first_unseen_of_all(&self, n: usize, also: &[u16], codes: &Codes) -> Option<u16> {
        let mut seen = [false; CODES];
        let mut see = |code: u16| {
            if let Some(seen) = seen.get_mut(usize::from(code)) {
                *seen = true;
            }
        };
        let sums = self.takes.iter().filter_map(|take| n.checked_sub(*take));
        sums.for_each(|sum| self.codes_at(sum, codes).for_each(&mut see));
        also.iter().copied().for_each(see);
        seen.iter().position(|seen| !seen).map(narrow)
    }

    /// Appends to a list which of the codes below `end` were not seen, though a move from `n` may lead to one that is not
    /// small.
    #[inline]
    pub(super) fn unseen(&self, n: usize, end: usize, also: &[u16], list: &mut Vec<u16>) {
        let wanted = if end < T::CODES { (1 << end) - 1 } else { u64::MAX >> (64 - T::CODES) };
        let mut missing = wanted & !self.all(n, also);
        while missing != 0 {
            list.push(narrow(missing.trailing_zeros() as usize));
            missing &= missing - 1;
        }
        if end > T::CODES {
            let rest = narrow(T::CODES)..narrow::<u16>(end);
            list.extend(rest.filter(|code| !also.contains(code)));
        }
    }
}

impl<T: Word, const B: usize> Far<T, B> {
    fn new(groups: Vec<Group>) -> Self {
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

    /// What these partners show at the sums from one on.
    fn block(&mut self, sum: usize, ones: &Ones<T>) -> [T; B] {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "a vector of 32 bytes is one operation, not two")]
            // SAFETY: the function is safe but for its need of AVX2, which this processor has.
            return unsafe { self.block_by_avx2(sum, ones) };
        }
        self.block_by_words(sum, ones)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn block_by_avx2(&mut self, sum: usize, ones: &Ones<T>) -> [T; B] {
        self.block_by_words(sum, ones)
    }

    /// It is compiled for the instructions of its caller, and so must be inlined.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else it has no AVX2")]
    fn block_by_words(&mut self, sum: usize, ones: &Ones<T>) -> [T; B] {
        let empty = [T::default(); B];
        for Group { plane, slot, last, back } in &self.groups {
            let words = ones.since(*plane, sum - last);
            let mut seen = self.slots[*slot];
            for &back in back {
                // There are none where no code is in the plane.
                let Some(words) = words.get(back..).and_then(<[T]>::first_chunk::<B>) else { break };
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The codes seen from the next segment, by all pairs.
    fn seen(takes: &[usize], partners: &Partners, codes: &[u16]) -> Vec<u16> {
        let sums = takes.iter().filter_map(|take| codes.len().checked_sub(*take));
        let pairs = |sum: usize| {
            let partners = partners.iter().filter(move |(place, _)| *place <= sum);
            partners.map(move |(place, code)| (code, codes[sum - place]))
        };
        let commons = sums.flat_map(pairs).filter(|(_, other)| *other >= COMMON);
        commons.map(|(code, other)| (code ^ other) & !COMMON).collect()
    }

    fn compare<T: Word, const B: usize>(takes: &[usize], partners: &Partners, codes: &[u16], also: &[u16]) {
        let mut masks = Masks::<T, B>::new(takes, partners.clone());
        let mut ones = Ones::from(0, partners.last() + 2 * takes[takes.len() - 1] + 64);
        let mut known = Codes::new(Vec::new(), usize::MAX / 4);
        for &code in codes {
            let n = known.len();
            if masks.reaches(n) {
                masks.enter(n, &ones);
            } else {
                masks.enter_slowly(n, &known);
            }
            let mut expected = seen(takes, partners, known.last());
            expected.extend(also);
            let first = (0..256).find(|code| !expected.contains(code));
            assert_eq!(masks.first_unseen(n, also, &known), first, "{n}");
            let mut unseen = Vec::new();
            masks.unseen(n, 40, also, &mut unseen);
            let is_right = |code: &u16| {
                // What is not small may be seen.
                usize::from(*code) >= T::CODES && !also.contains(code) || !expected.contains(code)
            };
            assert_eq!(unseen, (0..40).filter(is_right).collect::<Vec<u16>>(), "{n}");
            masks.push(code);
            ones.push(n, code);
            known.push(code);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        /// Words of each size tell what all pairs tell.
        #[test]
        fn words_tell_what_pairs_tell(
            takes in prop::collection::btree_set(1_usize..20, 1..5),
            partners in prop::collection::btree_map(0_usize..120, 0_u16..70, 0..40),
            small in prop::collection::vec(0_u16..20, 250),
            large in prop::collection::vec((0_usize..250, 0_u16..256, any::<bool>()), 0..60),
            also in prop::collection::vec(0_u16..80, 0..6),
            is_common in any::<bool>(),
        ) {
            let takes: Vec<usize> = takes.into_iter().collect();
            let class = if is_common { COMMON } else { 0 };
            let partners = partners.into_iter().map(|(place, code)| (place, code | class)).collect();
            let mut codes: Vec<u16> = small.into_iter().map(|code| code | COMMON).collect();
            for (place, code, is_rare) in large {
                codes[place] = if is_rare { code } else { code | COMMON };
            }
            compare::<u16, 16>(&takes, &partners, &codes, &also);
            compare::<u32, 8>(&takes, &partners, &codes, &also);
            compare::<u64, 4>(&takes, &partners, &codes, &also);
        }
    }
}
