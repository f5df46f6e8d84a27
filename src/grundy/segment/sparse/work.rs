//! What the engine's work costs, in counted steps, and where to enter all pairs would cost less.
//!
//! A step is a pair of segments entered together with its neighbours, see [`sum_block`](super::sum_block): about a third
//! of a nanosecond. Other work is counted in pairs too. What is counted depends on the values and on
//! whether there are threads, but not on the clock nor on how these are scheduled: each run takes the same way.

pub(super) use crate::grundy::segment::handover::{StepLimit, all_pairs, one_by_one};

/// The steps to code a segment again for another split.
const RECODE: u64 = 32;

/// What every segment costs, whatever its pairs.
const SEGMENT: u64 = 32;

/// What every search through the pairs of a sum costs, however few they are.
pub(super) const SEARCH: u64 = 8;

/// Number of bytes of a column or of ages that are read in a step.
const VECTOR: usize = 8;

/// The work that may be wasted whatever the length: about a millisecond.
pub(super) const SLACK: u64 = 1 << 22;

/// Nimbers from here on are too large for codes.
const WIDE: usize = 1 << 15;

/// Number of segments that show how large the nimbers of more segments become.
const SHOWN: usize = 1 << 12;

/// The steps done so far, and how many there may be for the values up to `n`.
pub(super) struct Work {
    l: usize,
    n: usize,
    slack: u64,
    limit: StepLimit,
    done: u64,
    /// The length at which the present stretch began, and the steps that had been done by then.
    mark: (usize, u64),
    /// The steps for a segment in the last stretch.
    rate: u64,
    /// Whether nimbers of 2^15 and more are to be expected, whose pairs are entered one by one.
    is_wide: bool,
    /// Whether the probe has shown that the limit will do.
    is_admitted: bool,
}

impl Work {
    pub(super) fn new(l: usize, n: usize, slack: u64, limit: StepLimit) -> Self {
        let is_wide = n / l.max(1) >= WIDE;
        Self { l, n, slack, limit, done: 0, mark: (l, 0), rate: 0, is_wide, is_admitted: false }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn add(&mut self, steps: u64) {
        self.done = self.done.saturating_add(steps);
    }

    /// Coding this number of segments again.
    pub(super) fn add_recoding(&mut self, segments: usize) {
        self.add(segments as u64 * RECODE);
    }

    /// The steps that may be wasted from here on in a sparse space, until all work is half as much again as to
    /// enter all pairs.
    pub(super) fn spare(&self, len: usize) -> u64 {
        let most = all_pairs(self.l, len) / 2 * 3 + self.slack;
        let left =
            if self.is_in_reach() { self.limit.most - self.rest(len).min(self.limit.most) } else { u64::MAX };
        most.min(left).saturating_sub(self.done)
    }

    /// Whether enough may be wasted to try a sparse space.
    pub(super) fn may_try(&self, len: usize) -> bool {
        self.spare(len) > all_pairs(self.l, len) / 4 + self.slack / 2
    }

    /// Ends a stretch; whether its work was less than to enter all pairs.
    pub(super) fn has_paid(&mut self, len: usize) -> bool {
        let (from, before) = std::mem::replace(&mut self.mark, (len, self.done));
        let spent = self.done - before;
        self.rate = spent / (len.saturating_sub(from) as u64).max(1);
        spent <= all_pairs(self.l, len) - all_pairs(self.l, from) + self.slack / 16
    }

    /// Foresees the steps for all values, where `largest` is the largest nimber so far, and the values are found
    /// in a sparse space or not, and guessed or not.
    ///
    /// # Errors
    ///
    /// If the probe shows that they exceed the limit, or later that they exceed twice the limit: how many they are.
    pub(super) fn check(
        &mut self,
        len: usize,
        largest: usize,
        is_sparse: bool,
        is_guessing: bool,
    ) -> Result<u64, u64> {
        if len >= SHOWN {
            self.is_wide = largest as u128 * self.n as u128 / len as u128 >= WIDE as u128;
        }
        let (rest, rate) = (self.n.saturating_sub(len) as u64, u128::from(self.rate));
        let sparse = match (is_sparse, is_guessing) {
            (false, _) => u128::MAX,
            // Some rare values may still come.
            (true, true) => rate * u128::from(rest) * 5 / 4,
            // They keep coming, and what a segment costs grows with its length.
            (true, false) => rate * u128::from(rest) * (self.n + len) as u128 / (2 * len).max(1) as u128,
        };
        let all = u64::try_from(sparse).unwrap_or(u64::MAX).min(self.rest(len)).saturating_add(self.done);
        if self.done < self.limit.probe || self.is_in_reach() {
            return Ok(all);
        }
        let most = self.limit.most.saturating_mul(if self.is_admitted { 2 } else { 1 });
        self.is_admitted = true;
        if all > most { Err(all) } else { Ok(all) }
    }

    /// Whether all pairs can be entered within the limit.
    fn is_in_reach(&self) -> bool {
        let all = self.rest(0);
        all + all / 16 <= self.limit.most
    }

    /// The steps to enter all pairs for the segments from `len` on.
    fn rest(&self, len: usize) -> u64 {
        let pairs = all_pairs(self.l, self.n + 1) - all_pairs(self.l, len);
        if self.is_wide { one_by_one(pairs) } else { pairs }
    }
}

/// The steps to enter `pairs` pairs of a sum, and to go through the ages of `A` for `width` codes.
pub(super) fn sum<A>(pairs: usize, width: usize) -> u64 {
    pairs as u64 + (width * size_of::<A>() / VECTOR) as u64 + SEGMENT
}
