//! The steps of the engine, and the comparison with entering all pairs.
//!
//! A step is the time to enter a pair of segments together with its neighbours, see [`sum_block`](super::sum_block):
//! about a third of a nanosecond. The count depends on the values and on whether there are threads, but not on the
//! clock or on scheduling, so it is the same in each run.

pub(super) use crate::grundy::segment::handover::{StepLimit, all_pairs, one_by_one};

/// Steps to compute the code of a segment for another split.
const RECODE: u64 = 32;

/// Steps of each segment besides its pairs.
const SEGMENT: u64 = 32;

/// Steps of each search through the pairs of a sum besides the pairs.
pub(super) const SEARCH: u64 = 8;

/// Number of bytes of a column or of epochs that are read in a step.
const VECTOR: usize = 8;

/// Steps that may be wasted regardless of the number of segments: about a millisecond.
pub(super) const SLACK: u64 = 1 << 22;

/// The least nimber that is too large for codes.
const WIDE: usize = 1 << 15;

/// Number of segments from which on the size of later nimbers is extrapolated.
const MIN_EXTRAPOLATED: usize = 1 << 12;

/// The steps done, and the limit for the values up to `n`.
pub(super) struct Work {
    l: usize,
    n: usize,
    slack: u64,
    limit: StepLimit,
    done: u64,
    /// The number of segments and of steps when the present stretch began. A stretch ends when the split is
    /// reconsidered.
    stretch_start: (usize, u64),
    /// The steps per segment in the last stretch.
    rate: u64,
    /// Whether nimbers of 2^15 or more are expected. Then pairs must be entered one by one.
    is_wide: bool,
    /// Whether the first estimate was within the limit.
    is_admitted: bool,
}

impl Work {
    pub(super) fn new(l: usize, n: usize, slack: u64, limit: StepLimit) -> Self {
        let is_wide = n / l.max(1) >= WIDE;
        Self { l, n, slack, limit, done: 0, stretch_start: (l, 0), rate: 0, is_wide, is_admitted: false }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn add(&mut self, steps: u64) {
        self.done = self.done.saturating_add(steps);
    }

    /// Adds the steps to compute the codes of `segments` segments again.
    pub(super) fn add_recoding(&mut self, segments: usize) {
        self.add(segments as u64 * RECODE);
    }

    /// Returns the steps that a sparse space may still waste, so that the total is at most about 1.5 times the steps of
    /// all pairs.
    pub(super) fn spare(&self, len: usize) -> u64 {
        let most = all_pairs(self.l, len) / 2 * 3 + self.slack;
        let left =
            if self.is_in_reach() { self.limit.most - self.rest(len).min(self.limit.most) } else { u64::MAX };
        most.min(left).saturating_sub(self.done)
    }

    /// Returns whether enough steps may be wasted to try a sparse space.
    pub(super) fn may_try(&self, len: usize) -> bool {
        self.spare(len) > all_pairs(self.l, len) / 4 + self.slack / 2
    }

    /// Ends a stretch. Returns whether the stretch took at most about as many steps as entering all pairs for its
    /// segments.
    pub(super) fn has_paid(&mut self, len: usize) -> bool {
        let (from, before) = std::mem::replace(&mut self.stretch_start, (len, self.done));
        let spent = self.done - before;
        self.rate = spent / (len.saturating_sub(from) as u64).max(1);
        spent <= all_pairs(self.l, len) - all_pairs(self.l, from) + self.slack / 16
    }

    /// Estimates the steps for all values. `largest` is the largest nimber so far.
    ///
    /// # Errors
    ///
    /// If the first estimate after the probe exceeds the limit, or if a later estimate exceeds twice the limit. The
    /// error is the estimate.
    pub(super) fn check(
        &mut self,
        len: usize,
        largest: usize,
        is_sparse: bool,
        is_guessing: bool,
    ) -> Result<u64, u64> {
        if len >= MIN_EXTRAPOLATED {
            self.is_wide = largest as u128 * self.n as u128 / len as u128 >= WIDE as u128;
        }
        let (rest, rate) = (self.n.saturating_sub(len) as u64, u128::from(self.rate));
        let sparse = match (is_sparse, is_guessing) {
            (false, _) => u128::MAX,
            // Allow for some more rare values.
            (true, true) => rate * u128::from(rest) * 5 / 4,
            // Rare values keep coming, and the steps of a segment grow with its length.
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

    /// Returns whether all pairs can be entered within the limit.
    fn is_in_reach(&self) -> bool {
        let all = self.rest(0);
        all + all / 16 <= self.limit.most
    }

    /// Returns the steps to enter all pairs for the segments from `len` on.
    fn rest(&self, len: usize) -> u64 {
        let pairs = all_pairs(self.l, self.n + 1) - all_pairs(self.l, len);
        if self.is_wide { one_by_one(pairs) } else { pairs }
    }
}

/// Returns the steps to enter `pairs` pairs of a sum, and to update the epochs `A` of `width` codes.
pub(super) fn sum<A>(pairs: usize, width: usize) -> u64 {
    pairs as u64 + (width * size_of::<A>() / VECTOR) as u64 + SEGMENT
}
