//! The sparse-space method.

use std::ops::BitOr;

use super::SparseSpace;
use super::code_sets::CodeSets;
use super::plain::{Plain, earlier, stamps};
use super::split::{COMMON, Split};
use super::take_set::TakeSet;
use super::witnesses::{CHUNK, Chunk, Witnesses};
use crate::integers::{narrow, ones};

/// The method is used from this segment on: the loop over all pairs is fast enough before.
pub(super) const FIRST: usize = 1 << 11;

/// Maximum number of sums from the least to the greatest that moves from a segment leave.
const MAX_SPAN: usize = 64;

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
    /// The options, while all common codes are small.
    sets: Option<CodeSets<'a>>,
    /// For each code, the last stamp, if there are no `sets`; see [`stamps`]. Only the stamps of common codes are
    /// complete.
    last: Box<[u32; 1 << 16]>,
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
        let zeros = vec![0; 1 << 16].into_boxed_slice();
        let mut sparse = Self {
            take_set,
            n,
            split,
            sets: codes.iter().all(|&code| CodeSets::can_add(code)).then(|| CodeSets::new(take_set)),
            codes: Vec::new(),
            rares: Vec::new(),
            last: zeros.try_into().unwrap_or_else(|_| unreachable!("the lengths are equal")),
            witnesses: Witnesses::new(take_set),
            chunk: Chunk::default(),
            with_below: Vec::new(),
            start: values.len(),
            work: 0,
        };
        for code in codes {
            sparse.push(code);
        }
        sparse.witnesses.restart(&sparse.codes);
        sparse.enter_earlier();
        Some(sparse)
    }

    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether the method has been faster than the loop over all pairs.
    pub(super) fn pays(&self) -> bool {
        let pairs = |n: usize| (n as u64).pow(2) / 4 * self.take_set.sums_entered() as u64;
        self.work + self.witnesses.work <= pairs(self.len()) - pairs(self.start) + SLACK
    }

    /// All values. They take the memory of the sets: to get new memory from the system takes a twentieth of the time of
    /// the values.
    pub(super) fn into_values(mut self) -> Vec<u32> {
        let mut values = self.sets.take().map_or_else(Vec::new, CodeSets::into_memory);
        values.extend(self.values_from(0));
        values
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
            self.codes.truncate(start);
            return false;
        }
        let Some((n, code)) = first_rare else {
            self.witnesses.enter(start, &self.chunk);
            return true;
        };
        self.codes.truncate(n);
        self.chunk.truncate(n - start);
        self.sets.iter_mut().for_each(|sets| sets.truncate(n));
        self.push(code);
        self.witnesses.enter(start, &self.chunk);
        self.enter_earlier();
        true
    }

    fn push(&mut self, code: u16) {
        if code < COMMON {
            self.rares.push((narrow(self.codes.len()), code));
        }
        self.sets.iter_mut().for_each(|sets| sets.push(code));
        self.codes.push(code);
    }

    /// Enters the sums of the segments before the next that the next segment needs.
    fn enter_earlier(&mut self) {
        if let Some(sets) = &mut self.sets {
            return sets.restart();
        }
        self.last.fill(0);
        for n in earlier(self.take_set, self.len()) {
            self.enter(n);
        }
    }

    /// Enters the pairs with a rare part of the sums that are new for a segment of `n` cards.
    fn enter(&mut self, n: usize) {
        let (stamp, _) = stamps(self.take_set, n);
        for sum in self.take_set.new_sums(n) {
            let rares = match self.rares.last() {
                Some(&(last, _)) if last as usize > sum => {
                    &self.rares[..self.rares.partition_point(|&(rare, _)| rare as usize <= sum)]
                }
                _ => &self.rares,
            };
            let known = &self.codes[..=sum];
            for &(rare, code) in rares {
                self.last[usize::from(code ^ known[sum - rare as usize])] = stamp;
            }
            self.work += rares.len() as u64;
        }
    }

    /// The code of the least common nimber that is no option of a segment of `n` cards.
    fn least_common(&mut self, n: usize) -> Option<u16> {
        if let Some(sets) = &mut self.sets {
            let pairs = sets.options();
            let singles = self.take_set.singles(n).map(|single| CodeSets::set(self.single(single, n)));
            let code = COMMON | narrow::<u16>(singles.fold(pairs, BitOr::bitor).trailing_ones());
            if CodeSets::can_add(code) {
                return Some(code);
            }
            self.sets = None;
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
