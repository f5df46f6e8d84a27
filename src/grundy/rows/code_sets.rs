//! The options of a segment as a set of bits, for games with small nimbers.

use super::split::COMMON;
use super::take_set::TakeSet;
use crate::integers::ones;

/// Only codes below this number within their class are known.
const CODES: u16 = 32;

/// Number of sums whose sets are found together.
const LANES: usize = 16;

/// Number of sums whose sets are kept: those that moves from a segment leave, and the block of lanes of the least one.
const RING: usize = 128;

/// For each of the last sums of two parts, the set of the common codes that are the XOR of a pair with a rare part: bit
/// `i` for the code `i` within the class. So the set of a rare part and several others is the union of the sets of the
/// others, with its bits moved by [`translate`].
///
/// The pairs of a rare part are entered in one of three ways:
///
/// - A *short* part has fewer than `LANES` cards. Its pairs are entered when the other part becomes known.
/// - The pairs of a longer part are entered for a whole block of `LANES` sums at once: then the other parts are known
///   at the first sum of the block.
/// - The pairs of a part that is longer than the first sum of the block are entered for each sum.
pub(super) struct CodeSets<'a> {
    take_set: &'a TakeSet,
    /// The code of each segment as a set; empty if the code is rare.
    codes: Vec<u32>,
    /// The segments with rare codes below `CODES`, in ascending order, with their codes.
    rares: Vec<(usize, u16)>,
    sets: [u32; RING],
    /// The least sum that has no set yet.
    next: usize,
    /// For each common code, and for a rare one at the end, the sets of its pairs with the short parts, by their length.
    with_short: [[u32; LANES]; CODES as usize + 1],
    /// The sets of the pairs with a short part for the next sums, as far as the other parts are known.
    short_sets: [u32; LANES],
    /// The rare parts that are entered for a whole block: their codes, and their lengths.
    in_blocks: Vec<(u16, usize)>,
    /// Number of `rares` that are short or in blocks.
    ordered: usize,
}

impl<'a> CodeSets<'a> {
    pub(super) fn new(take_set: &'a TakeSet) -> Self {
        Self {
            take_set,
            codes: Vec::new(),
            rares: Vec::new(),
            sets: [0; RING],
            next: 0,
            with_short: [[0; LANES]; CODES as usize + 1],
            short_sets: [0; LANES],
            in_blocks: Vec::new(),
            ordered: 0,
        }
    }

    /// Whether the code is rare, or small enough for a set.
    pub(super) fn can_add(code: u16) -> bool {
        code < COMMON | CODES
    }

    /// The set of one code, which is empty if sets do not have the code.
    pub(super) fn set(code: u16) -> u32 {
        1_u32.checked_shl((code ^ COMMON).into()).unwrap_or(0)
    }

    pub(super) fn push(&mut self, code: u16) {
        debug_assert!(Self::can_add(code));
        if code < CODES {
            self.rares.push((self.codes.len(), code));
        }
        self.codes.push(Self::set(code));
    }

    /// Forgets the segments from `n` on. None of them may be rare.
    pub(super) fn truncate(&mut self, n: usize) {
        self.codes.truncate(n);
    }

    /// An empty vector, with the memory of the sets of all segments.
    pub(super) fn into_memory(mut self) -> Vec<u32> {
        self.codes.clear();
        self.codes
    }

    /// Forgets the sets: from now on, only those that the next segments need are found. At least `LANES` segments must be
    /// known.
    pub(super) fn restart(&mut self) {
        let (_, most) = self.take_set.range();
        self.next = self.codes.len().saturating_sub(most) / LANES * LANES;
        self.ordered = self.rares.partition_point(|&(rare, _)| rare < LANES);
        self.in_blocks.clear();
        for (common, sets) in (0..CODES).zip(&mut self.with_short) {
            for &(rare, code) in &self.rares[..self.ordered] {
                sets[rare] = Self::set(COMMON | common ^ code);
            }
        }
        self.short_sets = [0; LANES];
        for sum in self.next.saturating_sub(LANES - 1)..self.next {
            self.next_short_set(sum);
        }
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

    /// Finds the set of a sum, the one after the last.
    fn find(&mut self, sum: usize) {
        if sum.is_multiple_of(LANES) {
            let sets = self.block(sum);
            self.sets[sum % RING..][..LANES].copy_from_slice(&sets);
        }
        let mut set = self.next_short_set(sum);
        for &(rare, code) in self.rares[self.ordered..].iter().take_while(|&&(rare, _)| rare <= sum) {
            let other = self.codes[sum - rare].trailing_zeros();
            set |= 1_u32.checked_shl(other ^ u32::from(code)).unwrap_or(0);
        }
        self.sets[sum % RING] |= set;
    }

    /// The sets of a block of sums by the pairs whose rare part is neither short nor longer than the first sum.
    fn block(&mut self, first: usize) -> [u32; LANES] {
        let known = self.ordered;
        while let Some(&(rare, code)) = self.rares.get(self.ordered).filter(|&&(rare, _)| rare <= first) {
            self.in_blocks.push((code, rare));
            self.ordered += 1;
        }
        if self.ordered > known {
            self.in_blocks.sort_unstable();
        }
        let mut sets = [0; LANES];
        for rares in self.in_blocks.chunk_by(|(code, _), (other, _)| code == other) {
            let mut of_code = [0; LANES];
            for &(_, rare) in rares {
                if let Some(others) = self.codes[first - rare..].first_chunk() {
                    unite(&mut of_code, others);
                }
            }
            translate(&mut of_code, rares[0].0);
            unite(&mut sets, &of_code);
        }
        sets
    }

    /// The set of a sum, the one after the last, by the pairs with a short rare part.
    fn next_short_set(&mut self, sum: usize) -> u32 {
        let common = self.codes[sum].trailing_zeros() as usize;
        unite(&mut self.short_sets, &self.with_short[common]);
        let set = self.short_sets[0];
        self.short_sets.copy_within(1.., 0);
        self.short_sets[LANES - 1] = 0;
        set
    }
}

fn unite(sets: &mut [u32; LANES], others: &[u32; LANES]) {
    sets.iter_mut().zip(others).for_each(|(set, other)| *set |= other);
}

/// Replaces each code in each set by its XOR with `code`.
fn translate(sets: &mut [u32; LANES], code: u16) {
    const MASKS: [u32; 5] = [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 0x00ff_00ff, 0x0000_ffff];
    for bit in ones(code.into()) {
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
    use crate::rules::{Octal, Window};

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
            let code = TakeSet::of_octal(&Octal::new("0.1040004".parse().unwrap())).unwrap();
            for take_set in [window, code] {
                let mut sets = CodeSets::new(&take_set);
                codes[..LANES].iter().for_each(|&code| sets.push(code));
                sets.restart();
                for n in LANES..codes.len() {
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
