//! Types that the engines of long rows share: limits, results, and the state that one engine hands over to the next.

use super::{Budget, Period, Window};

/// A sparse space: a mask that divides nimbers into a few rare and many common ones.
///
/// ```
/// use zeroxor::grundy::segment::{Sequence, Window};
///
/// let values = Sequence::up_to(Window::new(1, 5).unwrap(), 20_000);
/// let space = values.space().unwrap();
/// let rares = (0..).zip(values.values()).filter(|&(n, &value)| space.is_rare(n, value.into()));
/// assert_eq!(rares.clone().count() as u64, space.rares);
/// assert_eq!(rares.last().unwrap().0, space.last);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseSpace {
    /// A nimber is rare if it has an even number of bits under the mask; at the heaps of `exchanged`, if it has an odd
    /// number.
    pub mask: u64,
    /// The parity of the heaps at which rare and common nimbers are exchanged: 0 for even sizes, 1 for odd sizes.
    /// `None` if the same nimbers are rare at all heaps.
    pub exchanged: Option<u64>,
    /// The number of segments with a rare value.
    pub rares: u64,
    /// The longest segment with a rare value; 0 if there is none.
    pub last: u64,
}

impl SparseSpace {
    /// Returns whether a nimber is rare at a heap.
    pub fn is_rare(self, heap: u64, nimber: u64) -> bool {
        let is_exchanged = self.exchanged == Some(heap % 2);
        (nimber & self.mask).count_ones().is_multiple_of(2) != is_exchanged
    }
}

/// The values that an engine has computed.
pub(in crate::grundy) struct Found {
    /// The values, from 0 cards on.
    pub(in crate::grundy) values: Vec<u16>,
    pub(in crate::grundy) space: Option<SparseSpace>,
    /// A period that was proven early. Values after the proof are copies of earlier ones.
    pub(in crate::grundy) period: Option<Period>,
}

/// A function that is called from time to time with the steps done and the expected total, and returns true to stop.
pub(in crate::grundy) type GiveUp<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// The reason why an engine stopped before the last value.
pub(in crate::grundy) enum StopReason {
    /// The next nimber is 2^15 or more, or there are 2^31 values or more.
    Wide(Wide),
    /// The expected steps exceed the limit, or `give_up` returned true. Has the expected steps.
    OutOfReach(u64),
}

/// The state of the engine before a nimber of 2^15 or more.
#[derive(Default)]
pub(in crate::grundy) struct Wide {
    /// The number of known values.
    pub(super) len: u64,
    /// The values, from 0 cards on.
    pub(super) values: Vec<u16>,
    /// For each XOR, one more than the latest sum with a split of that XOR; 0 if later moves can leave no such sum.
    pub(super) latest: Vec<u32>,
    /// The steps done.
    pub(super) steps: u64,
}

impl Wide {
    /// Returns the steps for all values up to `n`, with the splits of the missing values entered one by one.
    pub(super) fn steps_to(&self, window: Window, n: u64) -> u64 {
        let [l, len, end] = [window.l, self.len, n.saturating_add(1)]
            .map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let pairs = all_pairs(l, end) - all_pairs(l, len);
        self.steps.saturating_add(one_by_one(pairs))
    }
}

/// Maximum number of steps before the total is estimated, unless the budget refuses late: about a tenth of a second.
const MAX_PROBE_STEPS: u64 = 1 << 28;

/// The total is estimated after at most 1/`PROBE_SHARE` of the allowed steps, even if the budget refuses late.
const PROBE_SHARE: u64 = 8;

/// Number of steps of these engines that count as one nanosecond of a budget. Usually these steps take two thirds of a
/// nanosecond.
const STEPS_PER_NANOSECOND: u64 = 2;

/// A limit on the steps of an engine.
#[derive(Clone, Copy)]
pub(in crate::grundy) struct StepLimit {
    pub(super) most: u64,
    /// The number of steps after which their total is first estimated.
    pub(super) probe: u64,
}

impl StepLimit {
    pub(in crate::grundy) const NONE: Self = Self { most: u64::MAX, probe: MAX_PROBE_STEPS };

    /// Returns the maximum number of steps.
    pub(in crate::grundy) fn most(self) -> u64 {
        self.most
    }

    pub(in crate::grundy) fn of(budget: &Budget) -> Self {
        let nanoseconds = u64::try_from(budget.steps()).unwrap_or(u64::MAX);
        let most = nanoseconds.saturating_mul(STEPS_PER_NANOSECOND);
        let part = most / PROBE_SHARE;
        if budget.is_refused_late() {
            return Self { most, probe: part };
        }
        Self { most, probe: part.min(MAX_PROBE_STEPS) }
    }

    /// Converts steps of these engines to steps of a budget, which are nanoseconds.
    pub(in crate::grundy) fn in_nanoseconds(steps: u64) -> u128 {
        steps.div_ceil(STEPS_PER_NANOSECOND).into()
    }
}

/// Returns the approximate number of splits of all sums that moves from segments shorter than `len` leave.
pub(super) fn all_pairs(l: usize, len: usize) -> u64 {
    let sums = len.saturating_sub(l) as u128;
    u64::try_from(sums * sums / 4).unwrap_or(u64::MAX)
}

/// Returns the steps to enter `pairs` splits one by one.
pub(super) fn one_by_one(pairs: u64) -> u64 {
    pairs.saturating_mul(2)
}
