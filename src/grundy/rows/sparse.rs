//! The sparse-space method.

use std::ops::BitOr;

use super::SparseSpace;
use super::plain::{Plain, earlier, stamps};
use super::split::{COMMON, Split};
use super::take_set::TakeSet;
use super::witnesses::{CHUNK, Chunk, Witnesses};
use crate::integers::{narrow, ones};

/// The method is used from this segment on: the loop over all pairs is fast enough before.
pub(super) const FIRST: usize = 1 << 11;

/// Maximum number of sums from the least to the greatest that moves from a segment leave.
const MAX_SPAN: usize = 64;

/// Number of codes of a class that a set can have.
const SMALL: u16 = 64;

/// Number of sums whose sets are kept: those that moves from a segment leave, and later ones that are found with them.
const RING: usize = 2 * MAX_SPAN;

/// The method is used if at most one in `RECENT` of the last `FIRST / 2` values is rare, and one in `ALL` of all.
const RECENT: usize = 24;
const ALL: usize = 5;

/// Computes values in a sparse space: few values are rare, and most are common.
///
/// A pair with a common XOR has a rare part, so the least common nimber that is no option of a segment follows from
/// the few pairs with a rare part. This nimber is the segment's value, unless a lesser rare nimber is no option either.
/// The values of a chunk of segments are first assumed to be common; then [`Witnesses`] verify that all lesser rare
/// nimbers are options. If one is not, it is the value, and the segments after it are computed again.
pub(super) struct Sparse<'a> {
    take_set: &'a TakeSet,
    n: usize,
    split: Split,
    codes: Vec<u16>,
    /// The segments with rare values, in ascending order, with their codes.
    rares: Vec<(u32, u16)>,
    /// Whether all codes are below `SMALL` within their class. The options are then found by `sets`, else by `last`.
    are_small: bool,
    /// For each of the last sums of two parts, the common codes that are the XOR of a pair with a rare part, as bits.
    sets: [u64; RING],
    /// The least sum that has no set yet.
    next_sum: usize,
    /// For each code, the last stamp; see [`stamps`]. Only the stamps of common codes are complete.
    last: Vec<u32>,
    witnesses: Witnesses<'a>,
    chunk: Chunk,
    /// Space for [`first_rare`](Self::first_rare).
    with_below: Vec<u64>,
    /// Number of values with which the method began.
    start: usize,
    /// Steps of about a nanosecond, without those of `witnesses`.
    work: u64,
}

/// Steps that may be lost before the method is given up.
const SLACK: u64 = 1 << 20;

/// The bits of every other segment of a chunk, from the first on.
const EVEN_LANES: u64 = u64::MAX / 3;

impl<'a> Sparse<'a> {
    /// `None` if the first values show no sparse space in which the next values, up to `n`, are found faster.
    pub(super) fn of(plain: &Plain<'a>, n: usize) -> Option<Self> {
        let (take_set, values) = (plain.take_set, &plain.values[..]);
        let (l, r) = take_set.range();
        if values.len() < FIRST || r - l >= MAX_SPAN || values.iter().any(|&value| value >= COMMON.into()) {
            return None;
        }
        let has_one_parity = take_set.pairs.iter().all(|take| (take - l).is_multiple_of(2));
        let (split, rares) = Split::best(values, has_one_parity.then_some((l + 1) % 2))?;
        let codes: Vec<u16> =
            values.iter().enumerate().map(|(n, &value)| split.code(narrow(value), n)).collect();
        let recent = codes[codes.len() - FIRST / 2..].iter().filter(|&&code| code < COMMON).count();
        if rares * ALL > values.len() || recent * RECENT > FIRST / 2 {
            return None;
        }
        Some(Self::new(take_set, n, split, codes))
    }

    /// `codes` are the codes of the first segments.
    fn new(take_set: &'a TakeSet, n: usize, split: Split, codes: Vec<u16>) -> Self {
        let (_, r) = take_set.range();
        let mut sparse = Self {
            take_set,
            n,
            split,
            codes: Vec::new(),
            rares: Vec::new(),
            are_small: codes.iter().all(|code| code & !COMMON < SMALL),
            sets: [0; RING],
            next_sum: codes.len().saturating_sub(r),
            last: vec![0; 1 << 16],
            witnesses: Witnesses::new(take_set),
            chunk: Chunk::default(),
            with_below: Vec::new(),
            start: codes.len(),
            work: 0,
        };
        for code in codes {
            sparse.push(code);
        }
        sparse.witnesses.restart(&sparse.codes);
        sparse.enter_earlier();
        sparse
    }

    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether the method has been faster than the loop over all pairs.
    pub(super) fn pays(&self) -> bool {
        let pairs = |n: usize| (n as u64).pow(2) / 4 * self.take_set.sums_entered() as u64;
        self.work + self.witnesses.work <= pairs(self.len()) - pairs(self.start) + SLACK
    }

    pub(super) fn values_from(&self, start: usize) -> impl Iterator<Item = u32> {
        (start..).zip(&self.codes[start..]).map(|(n, &code)| self.split.nimber(code, n).into())
    }

    pub(super) fn space(&self) -> SparseSpace {
        SparseSpace {
            mask: self.split.mask.into(),
            exchanged: self.split.exchanged.map(|parity| parity as u64),
            rares: self.rares.len() as u64,
            last: self.rares.last().map_or(0, |&(last, _)| last.into()),
        }
    }

    /// Finds the values of the next chunk, at least one. Returns false if there are none, because all common nimbers below
    /// 2^15 are options of the next segment, or because the method no longer [pays](Self::pays).
    pub(super) fn advance(&mut self) -> bool {
        let start = self.len();
        let end = (start + CHUNK).min(self.n + 1);
        self.chunk.clear();
        for n in start..end {
            let Some(code) = self.least_common(n) else { break };
            self.push(code);
            self.chunk.add(n - start, code);
        }
        if self.len() == start {
            return false;
        }
        let first_rare = self.first_rare(start);
        if !self.pays() {
            // The search may have stopped before the end of the chunk.
            self.truncate(start);
            return false;
        }
        let Some((n, code)) = first_rare else {
            self.witnesses.enter(start, &self.chunk);
            return true;
        };
        self.truncate(n);
        self.chunk.truncate(n - start);
        self.push(code);
        self.witnesses.enter(start, &self.chunk);
        self.enter_earlier();
        true
    }

    fn push(&mut self, code: u16) {
        if code < COMMON {
            self.rares.push((narrow(self.codes.len()), code));
        }
        self.codes.push(code);
    }

    /// Forgets the segments from `n` on. None of them may be rare.
    fn truncate(&mut self, n: usize) {
        self.codes.truncate(n);
        self.next_sum = self.next_sum.min(n);
    }

    /// Enters the sums of the segments before the next that the next segment needs.
    fn enter_earlier(&mut self) {
        if self.are_small {
            return;
        }
        self.last.fill(0);
        for n in earlier(self.take_set, self.len()) {
            self.enter(n);
        }
    }

    /// The rare segments that are a part of `sum`, with their codes.
    fn rares_within(&self, sum: usize) -> &[(u32, u16)] {
        match self.rares.last() {
            Some(&(last, _)) if last as usize > sum => {
                &self.rares[..self.rares.partition_point(|&(rare, _)| rare as usize <= sum)]
            }
            _ => &self.rares,
        }
    }

    /// Enters the pairs with a rare part of the sums that are new for a segment of `n` cards.
    fn enter(&mut self, n: usize) {
        let (stamp, _) = stamps(self.take_set, n);
        let mut last = std::mem::take(&mut self.last);
        for sum in self.take_set.new_sums(n) {
            let (rares, known) = (self.rares_within(sum), &self.codes[..=sum]);
            for &(rare, code) in rares {
                last[usize::from(code ^ known[sum - rare as usize])] = stamp;
            }
            self.work += rares.len() as u64;
        }
        self.last = last;
    }

    /// The common codes that are options of a segment of `n` cards, as bits, if all codes are small.
    fn small_options(&mut self, n: usize) -> u64 {
        let (least, _) = self.take_set.range();
        while self.next_sum + least <= n {
            let is_last_within = self.rares.last().is_none_or(|&(last, _)| last as usize <= self.next_sum);
            match least {
                4.. if is_last_within => self.find_sets::<4>(),
                2.. if is_last_within => self.find_sets::<2>(),
                _ => self.find_sets::<1>(),
            }
        }
        let sums = self.take_set.pairs.iter().map_while(|take| n.checked_sub(*take));
        let singles = self.take_set.singles(n).map(|single| set_of(self.single(single, n)));
        sums.map(|sum| self.sets[sum % RING]).chain(singles).fold(0, BitOr::bitor)
    }

    /// Finds the sets of the next `LANES` sums together. All their parts must be known, and no rare segment may be longer
    /// than the first of them.
    fn find_sets<const LANES: usize>(&mut self) {
        let sum = self.next_sum;
        let (mut sets, rares) = ([0; LANES], self.rares_within(sum));
        for &(rare, code) in rares {
            let others = &self.codes[sum - rare as usize..][..LANES];
            sets.iter_mut().zip(others).for_each(|(set, other)| *set |= set_of(code ^ other));
        }
        self.work += (LANES * rares.len()) as u64;
        for set in sets {
            self.sets[self.next_sum % RING] = set;
            self.next_sum += 1;
        }
    }

    /// The code of the least common nimber that is no option of a segment of `n` cards.
    fn least_common(&mut self, n: usize) -> Option<u16> {
        if self.are_small {
            let options = self.small_options(n);
            if options != u64::MAX {
                return Some(COMMON | narrow::<u16>(options.trailing_ones()));
            }
            self.are_small = false;
            self.enter_earlier();
        }
        self.enter(n);
        let (_, least) = stamps(self.take_set, n);
        let singles = |code: u16| self.take_set.singles(n).any(|single| self.single(single, n) == code);
        let mut from = usize::from(COMMON);
        loop {
            // Without an early return within the codes of a block, so that the compiler vectorizes it.
            let blocks = self.last[from..].chunks(16);
            #[allow(clippy::needless_bitwise_bool, reason = "`&&` would return early")]
            let blocks =
                blocks.take_while(|block| block.iter().fold(true, |all, &last| all & (last >= least)));
            let first = from + 16 * blocks.count();
            let code =
                first + self.last[first.min(1 << 16)..].iter().take_while(|&&last| last >= least).count();
            let code = u16::try_from(code).ok()?;
            if !singles(code) {
                // A nimber has one bit more than its code.
                return (code & !COMMON < COMMON / 2).then_some(code);
            }
            from = usize::from(code) + 1;
        }
    }

    /// The code of the nimber of the segment `single`, as an option of a segment of `n` cards.
    fn single(&self, single: usize, n: usize) -> u16 {
        match self.split.exchanged {
            None => self.codes[single],
            Some(_) => self.split.code(self.split.nimber(self.codes[single], single), n),
        }
    }

    /// The first segment from `start` on with a rare nimber that is no option and is less than its common code, and the
    /// code of the least such nimber. Stops early if the method no longer [pays](Self::pays).
    fn first_rare(&mut self, start: usize) -> Option<(usize, u16)> {
        // A bit for each segment of the chunk, at the number of rare codes below the code of the segment.
        let mut with_below = std::mem::take(&mut self.with_below);
        with_below.clear();
        for (code, lanes) in self.chunk.commons() {
            for (segment, of_parity) in [(start, EVEN_LANES), (start + 1, !EVEN_LANES)] {
                let below = self.split.rares_below(code, segment);
                if below >= with_below.len() {
                    with_below.resize(below + 1, 0);
                }
                with_below[below] |= lanes & of_parity;
            }
        }
        let mut first: Option<(usize, u16)> = None;
        let mut lanes = 0;
        for rare in (1..with_below.len()).rev() {
            if !self.pays() {
                break;
            }
            lanes |= with_below[rare];
            let code: u16 = narrow(rare - 1);
            let left = self.witnesses.without(code, start, lanes);
            for n in ones(left).map(|lane| start + lane) {
                if first.is_some_and(|(found, _)| found < n) {
                    break;
                }
                if !self.is_option(n, code) {
                    first = Some((n, code));
                    break;
                }
            }
        }
        self.with_below = with_below;
        first
    }

    /// Whether a rare nimber is an option of a segment of `n` cards.
    fn is_option(&mut self, n: usize, code: u16) -> bool {
        self.take_set.singles(n).any(|single| self.single(single, n) == code)
            || self.witnesses.find(&self.codes, n, code)
    }
}

/// The set of a small code, which is empty if the code is rare.
fn set_of(code: u16) -> u64 {
    u64::from(code >> 15) << (code % SMALL)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{Octal, Window};

    /// The common codes that are the XOR of a pair which a move from the next segment leaves, as bits.
    fn by_all_pairs(take_set: &TakeSet, codes: &[u16]) -> u64 {
        let sums = take_set.pairs.iter().filter_map(|take| codes.len().checked_sub(*take));
        let pairs = sums.flat_map(|sum| (0..=sum).map(move |part| codes[part] ^ codes[sum - part]));
        pairs.fold(0, |set, code| set | set_of(code))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn small_options_as_by_all_pairs(
            codes in prop::collection::vec(prop_oneof![1 => 0..SMALL, 7 => COMMON..COMMON | SMALL], 300),
            window in (1..20_u64, 0..20_u64),
        ) {
            let window = TakeSet::of_window(Window::new(window.0, window.0 + window.1).unwrap(), 300);
            let code = TakeSet::of_octal(&Octal::new("0.0004004".parse().unwrap())).unwrap();
            let split = Split { mask: 1, exchanged: None };
            for take_set in [window, code] {
                let mut sparse = Sparse::new(&take_set, codes.len(), split, codes[..1].to_vec());
                for n in 1..codes.len() {
                    prop_assert_eq!(sparse.small_options(n), by_all_pairs(&take_set, &codes[..n]), "{}", n);
                    sparse.push(codes[n] | COMMON);
                    if codes[n] < COMMON {
                        sparse.small_options(n + 1);
                        sparse.truncate(n);
                        sparse.push(codes[n]);
                    }
                }
            }
        }
    }
}
