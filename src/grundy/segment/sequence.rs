//! Grundy values of rows too long for the pair index, and of periodic windows.

use std::mem;

use super::handover::{Found, GiveUp, Left, SparseSpace, StepLimit};
#[cfg(feature = "engines")]
use super::sparse;
use super::{Budget, Nimber, Period, TooLarge, Window, known_period};
use crate::integers::narrow;

/// The Grundy values of a window from 0 on: the first ones, or all by a period.
///
/// ```
/// use zeroxor::grundy::segment::{Sequence, Window};
///
/// let values = Sequence::up_to(Window::new(1, 3).unwrap(), 10_000);
/// assert_eq!(values.values().len(), 10_001);
/// // Rows of n cards with L < R are won by First: a move leaves equal segments.
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
    /// The values of all segments of 0 to `n` cards, by the sparse-space engine where that pays.
    ///
    /// # Panics
    ///
    /// If there is no room for the [`bytes`](Self::bytes) they take.
    ///
    /// Time: (n-L)^2/4 steps and half as many again at most; mostly far less in a sparse space.
    pub fn up_to(window: Window, n: u64) -> Self {
        match Self::counted(window, n, StepLimit::NONE, &mut |_, _| false, &mut |_| ()) {
            Ok((sequence, _)) => sequence,
            Err(_) => unreachable!("without a limit nothing is out of reach"),
        }
    }

    /// As [`up_to`](Self::up_to), if it costs no more than the budget, from which its cost is taken; from time to
    /// time `progress` receives the size up to which the values are known. The steps are counted, not timed, and the same
    /// each time.
    ///
    /// # Errors
    ///
    /// If the values cost more. Too many bytes are seen at once. Too many steps are foreseen, from the values and the steps
    /// so far, after a tenth of a second or an eighth of the budget, whichever is less, and always after the eighth if it is
    /// [`refusing_late`](Budget::refusing_late); later only if they exceed twice the budget, or nimbers suddenly grow.
    ///
    /// # Panics
    ///
    /// As [`up_to`](Self::up_to).
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
        // What a sparse space saves is known only when it is counted: the engine may take all that is left.
        let (mut cpu_watch, mut too_slow) = (budget.watch_cpu(), None);
        let give_up = &mut |done, all| {
            too_slow = cpu_watch.check(what, in_nanoseconds(done), in_nanoseconds(all)).err();
            too_slow.is_some()
        };
        let counted = Self::counted(window, n, StepLimit::of(budget), give_up, progress);
        let (sequence, steps) = counted.map_err(|steps| {
            too_slow.unwrap_or_else(|| budget.too_many_steps(what(), in_nanoseconds(steps)))
        })?;
        // The engine compares with the limit from time to time, and may end a little above.
        budget.spend(what, in_nanoseconds(steps).min(budget.steps()), bytes)?;
        Ok(sequence)
    }

    /// The values and the steps they took, else the steps they would take.
    fn counted(
        window: Window,
        n: u64,
        limit: StepLimit,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Self, u64), u64> {
        #[cfg(feature = "engines")]
        let found = sparse::values(window, n, limit, give_up, progress);
        #[cfg(not(feature = "engines"))]
        let found = Err(Left::Wide(super::handover::Wide::default()));
        match found {
            Ok((Found { values, space, period }, steps)) => {
                let values = values.into_iter().map(u32::from).collect();
                Ok((Self { window, values, space, period }, steps))
            }
            Err(Left::Wide(mut wide)) => {
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
            Err(Left::OutOfReach(steps)) => Err(steps),
        }
    }

    /// The memory that the values up to `n` take while they are computed.
    pub fn bytes(window: Window, n: u64) -> u128 {
        let [n, l] = [n, window.l].map(u128::from);
        // In codes three times over; or as they are and the latest sum of each XOR value.
        let codes = (n + 1) * 3 * size_of::<u16>() as u128;
        let latest = (n / l + 1).next_power_of_two() * size_of::<u32>() as u128;
        codes.max((n + 1) * size_of::<u32>() as u128 + latest)
    }

    /// These values, and those after them by the [known period](known_period), if there is one and it shows.
    #[must_use]
    pub fn repeating(self) -> Self {
        let shows = |period: &Period| period.start + period.length <= self.values.len() as u64;
        let period = known_period(self.window).filter(shows).or(self.period);
        Self { period, ..self }
    }

    /// Up to where the values of a window are computed, so that all up to `n` follow once they are
    /// [repeating](Self::repeating).
    pub fn computed(window: Window, n: u64) -> u64 {
        known_period(window).map_or(n, |period| n.min(period.start + period.length))
    }

    /// The values from 0 on that were computed.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The sparse space they were found in, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        self.space
    }

    /// The Grundy value of a segment of `n` cards.
    ///
    /// # Panics
    ///
    /// If the segment is longer than the values go.
    ///
    /// Time: O(1).
    pub fn nimber(&self, n: u64) -> Nimber {
        let n = self.period.map_or(n, |period| period.earlier(n));
        Nimber(self.values[narrow::<usize>(n)].into())
    }

    /// The Grundy values of the segments of `from` cards and more, as many as there is room for.
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

    /// What a move from a segment of `n` cards to the nimber `target` leaves, (u, v) with u <= v, if there is
    /// one.
    ///
    /// Scans the splits, those with most cards left first: up to (R-L+1) n/2 of them. With a period it scans
    /// R-L+1 times pre-period and period: a longer u of a split can be shortened by the period in favour
    /// of v, and as neither is then below the pre-period, both values stay.
    pub fn split(&self, n: u64, target: Nimber) -> Option<(u64, u64)> {
        let sums = n.saturating_sub(self.window.r)..=n.checked_sub(self.window.l)?;
        let shortest = self.period.map_or(u64::MAX, |period| period.start + period.length);
        sums.rev().find_map(|sum| {
            let mut splits = (0..=shortest.min(sum / 2)).map(|u| (u, sum - u));
            splits.find(|&(u, v)| self.nimber(u) ^ self.nimber(v) == target)
        })
    }

    /// The period, if these values have one.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// Whether [`splits`](Self::splits) takes a fraction of a second for `sums` sums up to `n` together.
    pub(super) fn can_count(&self, sums: u64, n: u64) -> bool {
        const MAX_STEPS: u64 = 20_000_000;
        u128::from(sums) * self.count_steps(n) <= MAX_STEPS.into()
    }

    /// How many splits [`splits`](Self::splits) looks at for a sum up to `n`.
    pub(super) fn count_steps(&self, n: u64) -> u128 {
        self.period.map_or(n, |period| n.min(2 * period.start + 2 * period.length)).into()
    }

    /// How many (u, v) in order have u+v = `sum` and `g[u] xor g[v]` = `target`.
    ///
    /// With a period, while neither part is below the pre-period, a step of u by the period changes nothing:
    /// each of these u is counted for all that follow it so.
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

/// The values of all segments of 0 to `n` cards, sum by sum, from the first values on and the latest sum of each
/// XOR value.
///
/// For each XOR value it keeps one number, the latest sum u+v at which it was seen, and one more. The sums come in
/// ascending order, so a value is an option of i exactly when its latest sum is at least i-R. About
/// (n-L)^2/4 steps, and four bytes for each segment and each XOR value. `None` if `give_up` says so, which
/// receives the number of values from time to time.
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
                // The mask changes nothing, it only shows that the index is below the width.
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
