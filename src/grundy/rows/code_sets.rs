//! The options of a segment as a set of bits, for games with small nimbers.

use std::ops::Range;

use super::split::COMMON;
use super::take_set::TakeSet;
use crate::integers::{narrow, ones};

/// Only codes below this number within their class are known.
const CODES: u16 = 32;

/// Number of sums whose sets are found together.
const LANES: usize = 8;

/// Number of sums whose sets are kept: those that moves from a segment leave, and the block of lanes of the least one.
const RING: usize = 128;

/// For each of the last sums of two parts, the set of the common codes that are the XOR of a pair with a rare part: bit
/// `i` for the code `i` within the class. So the set of a rare part and several others is the union of the sets of the
/// others, with its bits moved by [`translate`].
pub(super) struct CodeSets<'a> {
    take_set: &'a TakeSet,
    /// The code of each segment as a set; empty if the code is rare.
    codes: Vec<u32>,
    /// The segments with rare codes below `CODES`, in ascending order, with their codes.
    rares: Vec<(u32, u16)>,
    sets: [u32; RING],
    /// The least sum that has no set yet.
    next: usize,
    /// The rares whose pairs are entered for a whole block of sums: they are longer than the block, and not longer than
    /// its first sum.
    in_blocks: Range<usize>,
}

impl<'a> CodeSets<'a> {
    pub(super) fn new(take_set: &'a TakeSet) -> Self {
        Self { take_set, codes: Vec::new(), rares: Vec::new(), sets: [0; RING], next: 0, in_blocks: 0..0 }
    }

    /// Whether the code is rare, or small enough for a set.
    pub(super) fn can_add(code: u16) -> bool {
        code < COMMON | CODES
    }

    /// The set of one code, which is empty if sets do not have the code.
    pub(super) fn set(code: u16) -> u32 {
        1_u32.checked_shl((code ^ COMMON).into()).unwrap_or(0)
    }

    /// Adds the code of the next segment.
    pub(super) fn push(&mut self, code: u16) {
        debug_assert!(Self::can_add(code));
        if code < CODES {
            self.rares.push((narrow(self.codes.len()), code));
        }
        self.codes.push(Self::set(code));
    }

    /// Forgets the segments from `n` on. None of them may be rare.
    pub(super) fn truncate(&mut self, n: usize) {
        self.codes.truncate(n);
    }

    /// Forgets the sets: from now on, only those that the next segments need are found.
    pub(super) fn restart(&mut self) {
        let (_, most) = self.take_set.range();
        self.next = self.codes.len().saturating_sub(most) / LANES * LANES;
    }

    /// The set of the common codes that are an option of the next segment, by a pair with a rare part.
    pub(super) fn options(&mut self) -> u32 {
        let n = self.codes.len();
        let (least, _) = self.take_set.range();
        while self.next + least <= n {
            self.find(self.next);
            self.next += 1;
        }
        let sums = self.take_set.pairs.iter().map_while(|take| n.checked_sub(*take));
        sums.fold(0, |set, sum| set | self.sets[sum % RING])
    }

    /// Finds the set of a sum. For the first of a block of sums, enters the pairs of all sums of the block whose other
    /// part is known already.
    fn find(&mut self, sum: usize) {
        let first = sum - sum % LANES;
        if sum == first {
            let below = |end: usize| self.rares.partition_point(|&(rare, _)| (rare as usize) < end);
            let end = below(first + 1);
            self.in_blocks = below(LANES).min(end)..end;
            let mut of_rare = [[0; LANES]; CODES as usize];
            let mut seen = 0;
            for &(rare, code) in &self.rares[self.in_blocks.clone()] {
                if let Some(others) = self.codes[first - rare as usize..].first_chunk() {
                    unite(&mut of_rare[usize::from(code)], others);
                }
                seen |= 1 << code;
            }
            let mut sets = [0; LANES];
            for code in ones(seen) {
                translate(&mut of_rare[code], code);
                unite(&mut sets, &of_rare[code]);
            }
            self.sets[first % RING..][..LANES].copy_from_slice(&sets);
        }
        let mut set = 0;
        for rares in [&self.rares[..self.in_blocks.start], &self.rares[self.in_blocks.end..]] {
            for &(rare, code) in rares.iter().take_while(|&&(rare, _)| rare as usize <= sum) {
                let other = self.codes[sum - rare as usize].trailing_zeros();
                set |= 1_u32.checked_shl(other ^ u32::from(code)).unwrap_or(0);
            }
        }
        self.sets[sum % RING] |= set;
    }
}

fn unite(sets: &mut [u32; LANES], others: &[u32; LANES]) {
    sets.iter_mut().zip(others).for_each(|(set, other)| *set |= other);
}

/// Replaces each code in each set by its XOR with `code`.
fn translate(sets: &mut [u32; LANES], code: usize) {
    const MASKS: [u32; 5] = [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 0x00ff_00ff, 0x0000_ffff];
    for bit in ones(code as u64) {
        let (mask, distance) = (MASKS[bit], 1 << bit);
        for set in sets.iter_mut() {
            *set = (*set & mask) << distance | *set >> distance & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{OctalCode, Window};

    /// The set of options of the next segment by all pairs with one rare part.
    fn by_all_pairs(take_set: &TakeSet, codes: &[u16]) -> u32 {
        let sums = take_set.pairs.iter().filter_map(|take| codes.len().checked_sub(*take));
        let pairs = sums.flat_map(|sum| (0..=sum).map(move |part| (codes[part], codes[sum - part])));
        pairs.filter(|&(a, b)| a < COMMON && b >= COMMON).fold(0, |set, (a, b)| set | CodeSets::set(a ^ b))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn options_as_by_all_pairs(
            codes in prop::collection::vec(prop_oneof![1 => 0..40_u16, 7 => COMMON..COMMON | CODES], 300),
            window in (1..20_u64, 0..20_u64),
            restarts in prop::collection::btree_set(0..300_usize, 0..10),
        ) {
            let window = TakeSet::of_window(Window::new(window.0, window.0 + window.1).unwrap(), 300);
            let code = TakeSet::of_code("0.1040004".parse::<OctalCode>().unwrap()).unwrap();
            for take_set in [window, code] {
                let mut sets = CodeSets::new(&take_set);
                for n in 0..codes.len() {
                    prop_assert_eq!(sets.options(), by_all_pairs(&take_set, &codes[..n]), "{}", n);
                    sets.push(codes[n]);
                    if restarts.contains(&n) && codes[n] >= COMMON {
                        sets.truncate(n);
                        sets.push(codes[n]);
                        sets.restart();
                    }
                }
            }
        }
    }
}
