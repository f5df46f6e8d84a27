//! The values of codes whose moves may leave three heaps.
//!
//! For each sum, the XORs of all pairs of heaps with that sum are a bit set. Adding a third heap XORs each number of
//! the set with the nimber of that heap, which permutes the bits. The words of the sets are computed in ascending
//! order, up to the first word with a missing bit; that bit is the value. If nimbers are large, most words are full
//! after a few pairs.

use std::mem;

use super::sequence::ends_repeat;
use super::split_table::Repetition;
use super::{ArithmeticPeriod, Budget, CodeSequence, OctalCode, TooLarge, move_bounds};
use crate::grundy::segment::Period;
use crate::integers::narrow;

impl CodeSequence {
    /// Computes the values of the heaps of 0 to `n` cards under a code whose moves may leave three heaps. If a period
    /// is proven early, later values are copied from earlier ones. If `stops` is set, computing stops as soon as a
    /// period or an arithmetic period is proven. `progress` is called from time to time with the size of the last known
    /// value.
    ///
    /// Time: n^2/3 steps for each allowed take if nimbers stay small; n^3/700 if they grow as fast as the heaps.
    /// Memory: one bit for each heap and nimber.
    ///
    /// # Errors
    ///
    /// If the values cost more than the budget, or if a nimber is 2^16 or more.
    pub(super) fn with_three_heaps(
        code: OctalCode,
        n: usize,
        stops: bool,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let what = || format!("a Grundy table of heaps up to {n} under the code {code}");
        let of = |values, repetition| Self { code, values, space: None, repetition };
        let (mut values, mut sums) = (Vec::new(), Sums::new());
        let (allowed, mut cpu_watch) = (budget.steps(), budget.watch_cpu());
        let (mut paid, mut next_proof) = (0, FIRST_PROOF);
        for size in 0..=n {
            sums.add(&values);
            let value = sums.mex(code, &values);
            let bytes = sums.bytes();
            budget.spend(what, sums.take_steps(), bytes - paid)?;
            paid = bytes;
            let Ok(value) = u16::try_from(value) else {
                // All nimbers below `value` are options of this heap, so the game has at least `value` + 1 different
                // nimbers.
                let (asked, limit) = (value as u128 + 1, 1 << 16);
                return Err(TooLarge { what: what(), asked, left: limit, limit, unit: "different nimbers" });
            };
            values.push(value);
            sums.make_room_for(value);
            if size % 256 == 0 {
                let done = allowed - budget.steps();
                let all = done.saturating_mul((n as u128 + 1).pow(2)) / (size as u128 + 1).pow(2);
                // The first values may prove a period, so they are computed even if all values would exceed the budget.
                if done > Budget::MAX_SPECULATIVE_STEPS && all > allowed {
                    return Err(budget.too_many_steps(what(), all));
                }
                cpu_watch.check(what, done, all)?;
                progress(size as u64);
            }
            if values.len() == next_proof {
                next_proof *= 2;
                let period =
                    if ends_repeat(&values) { Period::proven(move_bounds(code), &values) } else { None };
                if let Some(period) = period {
                    let length: usize = narrow(period.length);
                    let end = if stops { 0 } else { n + 1 };
                    (values.len()..end).for_each(|size| values.push(values[size - length]));
                    return Ok(of(values, Some(Repetition::of(period))));
                }
                if stops {
                    let found = of(mem::take(&mut values), None);
                    if let Some(growth) = found.arithmetic_period().filter(|growth| growth.is_proven) {
                        let ArithmeticPeriod { start, length, saltus, .. } = growth;
                        let repetition = Repetition { period: Period { start, length }, saltus };
                        return Ok(Self { repetition: Some(repetition), ..found });
                    }
                    values = found.values;
                }
            }
        }
        Ok(of(values, None))
    }
}

/// Number of values after which a period is first searched for. Each later search has twice as many values as the
/// search before.
const FIRST_PROOF: usize = 1 << 10;

/// Number of nimbers in a word.
const WORD: usize = u64::BITS as usize;

/// Third heaps smaller than `ONE_BY_ONE` are added one by one, because a few of them may fill a word. Larger third
/// heaps are added in groups.
const ONE_BY_ONE: usize = 32;

/// Steps to add a third heap by itself.
const ONE_HEAP_STEPS: u128 = 6;
/// Steps to add a third heap to a group.
const GROUPED_HEAP_STEPS: u128 = 2;
/// Steps to finish a group.
const GROUP_STEPS: u128 = 300;

/// The XORs of the nimbers of two and of three heaps, by the sum of the heaps.
struct Sums {
    /// `pairs[word][sum]` is a word of the set of the XORs of two heaps with this sum. The number of words is a power
    /// of two.
    pairs: Vec<Vec<u64>>,
    /// `triples[sum]` is the index of the last computed word of the set of the XORs of three heaps with this sum, and
    /// the word.
    triples: Vec<Option<(usize, u64)>>,
    /// Steps since the last call of `take_steps`.
    steps: u128,
}

impl Sums {
    fn new() -> Self {
        Self { pairs: vec![Vec::new()], triples: Vec::new(), steps: 0 }
    }

    /// Adds the pairs of heaps with the next sum. `values` are the values of all smaller heaps.
    fn add(&mut self, values: &[u16]) {
        let sum = self.triples.len();
        self.triples.push(None);
        self.pairs.iter_mut().for_each(|word| word.push(0));
        for (a, b) in values.iter().skip(1).zip(values.iter().rev()).take(sum / 2) {
            let nimber = usize::from(a ^ b);
            self.pairs[nimber / WORD][sum] |= 1 << (nimber % WORD);
        }
        self.steps += (sum / 2 + self.pairs.len()) as u128;
    }

    /// Returns the value of the heap whose size is the last added sum.
    fn mex(&mut self, code: OctalCode, values: &[u16]) -> usize {
        let size = self.triples.len() - 1;
        let most = code.longest_take().unwrap_or(u64::MAX).min(size as u64);
        let takes = (0..=most).filter(|&take| code.digit(take) > 0);
        let takes: Vec<(u64, usize)> = takes.map(|take| (take, size - narrow::<usize>(take))).collect();
        let mut word = 0;
        loop {
            let mut seen = 0;
            for &(take, left) in &takes {
                let is_allowed = if left == 0 { code.allows(take, 0) } else { code.allows(take, 1) };
                let nimber = usize::from(if left == 0 { 0 } else { values.get(left).copied().unwrap_or(0) });
                if is_allowed && nimber / WORD == word {
                    seen |= 1 << (nimber % WORD);
                }
                if code.allows(take, 2) {
                    seen |= self.pairs.get(word).map_or(0, |pairs| pairs[left]);
                }
            }
            for &(_, left) in takes.iter().filter(|&&(take, _)| code.allows(take, 3)) {
                seen |= self.triples(word, left, values, seen);
            }
            if seen != u64::MAX {
                return word * WORD + seen.trailing_ones() as usize;
            }
            word += 1;
        }
    }

    /// Returns the word with the index `word` of the XORs of three heaps of `sum`. Stops early, and returns only the
    /// bits found so far, if these bits and `seen` together fill the word.
    fn triples(&mut self, word: usize, sum: usize, values: &[u16], seen: u64) -> u64 {
        if let Some((_, triples)) = self.triples[sum].filter(|(known, _)| *known == word) {
            return triples;
        }
        if word >= self.pairs.len() {
            return 0;
        }
        let pairs = |third: usize| {
            let (low, high) = (usize::from(values[third]) % WORD, usize::from(values[third]) / WORD);
            (low, self.pairs[word ^ high][sum - third])
        };
        // The smallest of three heaps has at most a third of the cards.
        let (mut triples, end) = (0, sum / 3 + 1);
        for third in 1..end.min(ONE_BY_ONE) {
            let (low, pairs) = pairs(third);
            triples |= xored(pairs, low);
            self.steps += ONE_HEAP_STEPS;
            if seen | triples == u64::MAX {
                return triples;
            }
        }
        let mut first = ONE_BY_ONE;
        while first < end {
            let next = end.min(2 * first);
            // `sets[low]` is the union of the sets whose numbers are XORed with `low`.
            let mut sets = [0; WORD];
            for third in first..next {
                let (low, pairs) = pairs(third);
                sets[low] |= pairs;
            }
            triples = (0..).zip(sets).fold(triples, |triples, (low, set)| triples | xored(set, low));
            self.steps += (next - first) as u128 * GROUPED_HEAP_STEPS + GROUP_STEPS;
            if seen | triples == u64::MAX {
                return triples;
            }
            first = next;
        }
        self.triples[sum] = Some((word, triples));
        triples
    }

    /// Enlarges the sets so that they can contain `value`.
    fn make_room_for(&mut self, value: u16) {
        let (words, sums) = (self.pairs.len(), self.triples.len());
        self.pairs.resize((usize::from(value) / WORD + 1).next_power_of_two().max(words), vec![0; sums]);
    }

    /// Returns the steps since the last call.
    fn take_steps(&mut self) -> u128 {
        mem::take(&mut self.steps)
    }

    /// Returns the allocated memory in bytes.
    fn bytes(&self) -> u128 {
        let words = self.pairs.len() * self.pairs[0].capacity() * size_of::<u64>();
        (words + self.triples.capacity() * size_of::<Option<(usize, u64)>>()) as u128
    }
}

/// Returns the set of `number ^ low` for each number of `set`; `low` is below 64. Each bit of `low` swaps the
/// halves of all blocks of one size.
fn xored(set: u64, low: usize) -> u64 {
    /// The lower halves of the blocks of 2, 4, ..., 64 bits.
    const LOWER: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    LOWER.into_iter().enumerate().filter(|(bit, _)| low >> bit & 1 == 1).fold(set, |set, (bit, lower)| {
        let half = 1 << bit;
        (set & lower) << half | set >> half & lower
    })
}
