//! Why the engine ends before the last value, and what it leaves to the next engine.

use super::work;
use crate::grundy::segment::Window;

/// What is asked from time to time, with the steps that are done and those that are expected in all: whether to
/// give up.
pub(in crate::grundy) type GiveUp<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// Why not all values were found.
pub(in crate::grundy) enum Left {
    /// The next nimber is 2^15 or more, or there are 2^31 values.
    Wide(Wide),
    /// It takes more steps than there may be: so many.
    OutOfReach(u64),
}

/// What is known where a nimber of 2^15 or more comes.
#[derive(Default)]
pub(in crate::grundy) struct Wide {
    /// How many values there are.
    pub(super) len: u64,
    /// The values before, from 0 on.
    pub(in crate::grundy::segment) values: Vec<u16>,
    /// For each XOR value so far one more than the latest sum that it was seen at, of all sums that moves from
    /// before lead to; 0 if no move leads back so far any more.
    pub(in crate::grundy::segment) latest: Vec<u32>,
    /// The steps that were done.
    pub(super) steps: u64,
}

impl Wide {
    /// The steps for all values up to `n`, these and those to come, whose pairs are entered one by one.
    pub(in crate::grundy::segment) fn steps_to(&self, window: Window, n: u64) -> u64 {
        let [l, len, end] = [window.l, self.len, n.saturating_add(1)]
            .map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let pairs = work::all_pairs(l, end) - work::all_pairs(l, len);
        self.steps.saturating_add(work::one_by_one(pairs))
    }
}
