//! What the engines of long rows have in common: what they may spend, what they have found, and what one of them leaves to
//! the next.

use super::{Budget, Period, Window};

/// What splits the values of a window into rare and common ones.
///
/// ```
/// use zeroxor::grundy::segment::{Sequence, Window};
///
/// let values = Sequence::up_to(Window::new(1, 5).unwrap(), 20_000);
/// let space = values.space().unwrap();
/// let is_rare = |value: u32| (u64::from(value) & space.mask).count_ones() % 2 == 0;
/// let rares = values.values().iter().filter(|&&value| is_rare(value)).count();
/// assert_eq!(rares as u64, space.rares);
/// assert!(is_rare(values.values()[space.last as usize]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseSpace {
    /// A nimber is rare when the number of its bits under the mask is even.
    pub mask: u64,
    /// How many segments have a rare value.
    pub rares: u64,
    /// The last of them.
    pub last: u64,
}

/// What has been found.
pub(in crate::grundy) struct Found {
    /// From 0 on.
    pub(in crate::grundy) values: Vec<u16>,
    pub(in crate::grundy) space: Option<SparseSpace>,
    /// Proven while the values were computed; the values after it were not computed.
    pub(in crate::grundy) period: Option<Period>,
}

/// Called from time to time, with the steps that are done and those that are expected in all: whether to
/// give up.
pub(in crate::grundy) type GiveUp<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// Why not all values were found.
pub(in crate::grundy) enum Left {
    /// The next nimber is 2^15 or more, or there are 2^31 values.
    Wide(Wide),
    /// The number of steps that it takes, more than the limit.
    OutOfReach(u64),
}

/// What is known where a nimber of 2^15 or more comes.
#[derive(Default)]
pub(in crate::grundy) struct Wide {
    /// How many values there are.
    pub(super) len: u64,
    /// The values before, from 0 on.
    pub(super) values: Vec<u16>,
    /// For each XOR value so far one more than the latest sum that it was seen at, of all sums that moves from
    /// before lead to; 0 if no move leads back so far any more.
    pub(super) latest: Vec<u32>,
    /// The steps that were done.
    pub(super) steps: u64,
}

impl Wide {
    /// The steps for all values up to `n`, these and those to come, whose pairs are entered one by one.
    pub(super) fn steps_to(&self, window: Window, n: u64) -> u64 {
        let [l, len, end] = [window.l, self.len, n.saturating_add(1)]
            .map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let pairs = all_pairs(l, end) - all_pairs(l, len);
        self.steps.saturating_add(one_by_one(pairs))
    }
}

/// Maximum number of steps before their total is estimated: about a tenth of a second.
const PROBE: u64 = 1 << 28;

/// At most one in `PROBES` of all steps is done before the estimate, also if a refusal may come late.
const PROBES: u64 = 8;

/// Number of steps in a nanosecond at least: they mostly take two thirds of it.
const STEPS_OF_A_NANOSECOND: u64 = 2;

/// How many steps there may be.
#[derive(Clone, Copy)]
pub(in crate::grundy) struct StepLimit {
    pub(super) most: u64,
    /// The number of steps before their total is estimated.
    pub(super) probe: u64,
}

impl StepLimit {
    pub(in crate::grundy) const NONE: Self = Self { most: u64::MAX, probe: PROBE };

    /// The maximum number of steps.
    pub(in crate::grundy) fn most(self) -> u64 {
        self.most
    }

    pub(in crate::grundy) fn of(budget: &Budget) -> Self {
        let nanoseconds = u64::try_from(budget.steps()).unwrap_or(u64::MAX);
        let most = nanoseconds.saturating_mul(STEPS_OF_A_NANOSECOND);
        let part = most / PROBES;
        if budget.is_refused_late() {
            return Self { most, probe: part };
        }
        Self { most, probe: part.min(PROBE) }
    }

    /// The cost of these steps in a budget.
    pub(in crate::grundy) fn in_nanoseconds(steps: u64) -> u128 {
        steps.div_ceil(STEPS_OF_A_NANOSECOND).into()
    }
}

/// The pairs of all sums that a move from a segment shorter than this can leave.
pub(super) fn all_pairs(l: usize, len: usize) -> u64 {
    let sums = len.saturating_sub(l) as u128;
    u64::try_from(sums * sums / 4).unwrap_or(u64::MAX)
}

/// The steps to enter `pairs` pairs one by one.
pub(super) fn one_by_one(pairs: u64) -> u64 {
    pairs.saturating_mul(2)
}
