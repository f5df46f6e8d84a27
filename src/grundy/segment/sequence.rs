//! Grundy values of rows that are too long for the pair index, and of windows with a period.

use std::mem;

use super::handover::{Found, GiveUp, SparseSpace, StepLimit, StopReason};
use super::sparse;
use super::{Budget, Nimber, Period, TooLarge, Window, known_period};
use crate::integers::narrow;

/// The Grundy values of segments of 0 to n cards under a window, or of every length if a period is known.
///
/// ```
/// use zeroxor::grundy::segment::{Sequence, Window};
///
/// let values = Sequence::up_to(Window::new(1, 3).unwrap(), 10_000);
/// assert_eq!(values.values().len(), 10_001);
/// // With L < R, First wins every row: some move leaves two equal segments.
/// assert!((1..=10_000).all(|n| values.nimber(n).0 > 0));
/// ```
#[derive(Clone, Debug)]
pub struct Sequence {
    pub(super) window: Window,
    values: Vec<u32>,
    space: Option<SparseSpace>,
    period: Option<Period>,
}

impl Sequence {
    /// Computes the values of all segments of 0 to `n` cards, in a sparse space if that is faster.
    ///
    /// Time: at most 3/8 (n-L)^2 splits; usually far less in a sparse space. Memory: [`bytes`](Self::bytes).
    ///
    /// # Panics
    ///
    /// If the memory cannot be allocated.
    pub fn up_to(window: Window, n: u64) -> Self {
        match Self::compute(window, n, StepLimit::NONE, &mut |_, _| false, &mut |_| ()) {
            Ok((sequence, _)) => sequence,
            Err(_) => unreachable!("without a limit nothing is out of reach"),
        }
    }

    /// Computes the values of all segments of 0 to `n` cards within `budget`, from which the cost is subtracted.
    /// `progress` is called from time to time with the size up to which the values are known. Steps are counted, not
    /// timed, so the cost is the same each time.
    ///
    /// # Errors
    ///
    /// If the values cost more than the budget. Bytes are checked in advance. The total of the steps is first estimated
    /// after about a tenth of a second, or earlier if an eighth of the budget is spent; a budget that is
    /// [`refusing_late`](Budget::refusing_late) always waits for the eighth. Later, the values are refused only if an
    /// estimate exceeds twice the budget, or if nimbers of 2^15 or more appear unexpectedly.
    ///
    /// # Panics
    ///
    /// If the memory cannot be allocated.
    pub fn within(
        window: Window,
        n: u64,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let Window { l, r } = window;
        let what = || format!("a Grundy table of segments up to {n} under the window [{l}, {r}]");
        let bytes = Self::bytes(window, n);
        budget.allows(what, 0, bytes)?;
        let in_nanoseconds = StepLimit::in_nanoseconds;
        // How much a sparse space saves is known only afterwards, so the engine may use all steps that are left.
        let (mut cpu_watch, mut too_slow) = (budget.watch_cpu(), None);
        let give_up = &mut |done, all| {
            too_slow = cpu_watch.check(what, in_nanoseconds(done), in_nanoseconds(all)).err();
            too_slow.is_some()
        };
        let result = Self::compute(window, n, StepLimit::of(budget), give_up, progress);
        let (sequence, steps) = result.map_err(|steps| {
            too_slow.unwrap_or_else(|| budget.too_many_steps(what(), in_nanoseconds(steps)))
        })?;
        // The engine checks the limit only from time to time, so `steps` may be a little above it.
        budget.spend(what, in_nanoseconds(steps).min(budget.steps()), bytes)?;
        Ok(sequence)
    }

    /// Computes the values, and returns them with the number of steps.
    ///
    /// # Errors
    ///
    /// If the computation was stopped. The error is the expected number of steps.
    fn compute(
        window: Window,
        n: u64,
        limit: StepLimit,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Self, u64), u64> {
        let found = sparse::values(window, n, limit, give_up, progress);
        match found {
            Ok((Found { values, space, period }, steps)) => {
                let values = values.into_iter().map(u32::from).collect();
                Ok((Self { window, values, space, period }, steps))
            }
            Err(StopReason::Wide(mut wide)) => {
                let steps = wide.steps_to(window, n);
                if steps > limit.most() {
                    return Err(steps);
                }
                let (values, latest) = (mem::take(&mut wide.values), mem::take(&mut wide.latest));
                let values = values.into_iter().map(u32::from).collect();
                let give_up = &mut |len| give_up(wide.steps_to(window, len), steps);
                let values = by_all_pairs(window, n, values, latest, give_up, progress);
                let values = values.ok_or(steps)?;
                Ok((Self { window, values, space: None, period: None }, steps))
            }
            Err(StopReason::OutOfReach(steps)) => Err(steps),
        }
    }

    /// Returns the memory in bytes that computing the values up to `n` needs.
    pub fn bytes(window: Window, n: u64) -> u128 {
        let [n, l] = [n, window.l].map(u128::from);
        // A sparse space needs three codes for each value; the loop over all pairs needs `values` and `latest`.
        let codes = (n + 1) * 3 * size_of::<u16>() as u128;
        let latest = (n / l + 1).next_power_of_two() * size_of::<u32>() as u128;
        codes.max((n + 1) * size_of::<u32>() as u128 + latest)
    }

    /// Returns these values, extended to all sizes if they cover the pre-period and one [known period](known_period).
    #[must_use]
    pub fn repeating(self) -> Self {
        let is_covered = |period: &Period| period.start + period.length <= self.values.len() as u64;
        let period = known_period(self.window).filter(is_covered).or(self.period);
        Self { period, ..self }
    }

    /// Returns the size up to which values must be computed, so that [`repeating`](Self::repeating) gives all values up
    /// to `n`.
    pub fn computed(window: Window, n: u64) -> u64 {
        known_period(window).map_or(n, |period| n.min(period.start + period.length))
    }

    /// Returns the computed values, from 0 cards on.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Returns the sparse space that the values were computed in, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        self.space
    }

    /// Returns the Grundy value of a segment of `n` cards, in O(1).
    ///
    /// # Panics
    ///
    /// If the value was not computed and does not follow from a period.
    pub fn nimber(&self, n: u64) -> Nimber {
        let n = self.period.map_or(n, |period| period.earlier(n));
        Nimber(self.values[narrow::<usize>(n)].into())
    }

    /// Fills `nimbers` with the Grundy values of the segments of `from`, `from + 1`, ... cards.
    ///
    /// # Panics
    ///
    /// As [`nimber`](Self::nimber).
    pub(super) fn fill(&self, from: u64, nimbers: &mut [Nimber]) {
        let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let (start, length) = self.period.map_or((u64::MAX, 0), |Period { start, length }| (start, length));
        let first = if from < start { from } else { start + (from - start) % length };
        let (start, end, mut at) = (index(start), index(start.saturating_add(length)), index(first));
        for nimber in nimbers {
            if at == end {
                at = start;
            }
            *nimber = Nimber(self.values[at].into());
            at += 1;
        }
    }

    /// Returns the segments (u, v), u <= v, that some move from a segment of `n` cards to the nimber `target` leaves;
    /// `None` if there is no such move.
    ///
    /// Tests at most about (R-L+1) n/2 splits, the largest sums first. If the values have a period, u is at most the
    /// end of the first period: for a larger u, u - period and v + period have the same values.
    pub fn split(&self, n: u64, target: Nimber) -> Option<(u64, u64)> {
        let sums = n.saturating_sub(self.window.r)..=n.checked_sub(self.window.l)?;
        let shortest = self.period.map_or(u64::MAX, |period| period.start + period.length);
        sums.rev().find_map(|sum| {
            let mut splits = (0..=shortest.min(sum / 2)).map(|u| (u, sum - u));
            splits.find(|&(u, v)| self.nimber(u) ^ self.nimber(v) == target)
        })
    }

    /// Returns the period of these values, if one is known or was proven.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// Returns whether [`splits`](Self::splits) takes only a fraction of a second for `sums` sums of at most `n`.
    pub(super) fn can_count(&self, sums: u64, n: u64) -> bool {
        const MAX_STEPS: u64 = 20_000_000;
        u128::from(sums) * self.count_steps(n) <= MAX_STEPS.into()
    }

    /// Returns the approximate maximum number of splits that [`splits`](Self::splits) tests for a sum of at most `n`.
    pub(super) fn count_steps(&self, n: u64) -> u128 {
        self.period.map_or(n, |period| n.min(2 * period.start + 2 * period.length)).into()
    }

    /// Returns the number of ordered pairs (u, v) with u + v = `sum` and `g[u] xor g[v]` = `target`.
    ///
    /// If the values have a period and neither u nor v is in the pre-period, each u of the first period stands for
    /// u, u + period, u + 2 period and so on, as long as v is not in the pre-period.
    pub(super) fn splits(&self, sum: u64, target: Nimber) -> u128 {
        let is_split = |u: &u64| self.nimber(*u) ^ self.nimber(sum - u) == target;
        match self.period {
            Some(Period { start, length }) if sum >= 2 * start + length => {
                let ends = (0..start).filter(is_split).count() as u128 * 2;
                let last = sum - start;
                let middle = (start..start + length).filter(is_split);
                ends + middle.map(|u| u128::from((last - u) / length + 1)).sum::<u128>()
            }
            _ => (0..=sum).filter(is_split).count() as u128,
        }
    }
}

/// Computes the values of all segments of 0 to `n` cards from all splits. `values` are the first values; `latest` has,
/// for each XOR, one more than the latest sum with a split of that XOR.
///
/// Sums are entered in ascending order, so a nimber is an option of i exactly if its latest sum is at least i-R. Time:
/// about (n-L)^2/4 splits. Memory: four bytes for each segment and four for each XOR. `give_up` is called from time to
/// time with the number of known values. Returns `None` if `give_up` returns true.
fn by_all_pairs(
    window: Window,
    n: u64,
    mut values: Vec<u32>,
    mut latest: Vec<u32>,
    give_up: &mut dyn FnMut(u64) -> bool,
    progress: &mut dyn FnMut(u64),
) -> Option<Vec<u32>> {
    let [l, r, n]: [usize; 3] = [window.l.min(n + 1), window.r.min(n), n].map(narrow);
    let width = (n / l + 1).next_power_of_two();
    latest.resize(width, 0);
    values.reserve_exact(n + 1 - values.len());
    for i in values.len()..=n {
        if let Some(sum) = i.checked_sub(l) {
            let (up, down) = (&values[..=sum / 2], values[..=sum].iter().rev());
            for (a, b) in up.iter().zip(down) {
                // The mask lets the compiler drop the bounds check.
                latest[(a ^ b) as usize & (width - 1)] = narrow::<u32>(sum) + 1;
            }
        }
        let least = narrow::<u32>(i.saturating_sub(r)) + 1;
        values.push(narrow(latest.iter().take_while(|&&sum| sum >= least).count()));
        if i.is_multiple_of(1 << 10) {
            progress(i as u64);
            if give_up(i as u64) {
                return None;
            }
        }
    }
    Some(values)
}
