//! Grundy values of rows too long for the pair index, and of periodic windows.

use std::mem;

use super::sparse::{self, GiveUp, SparseSpace};
use super::{Period, Window, known_period};
use crate::Nimber;

/// The Grundy values of a window from 0 on: so many of them, or all by a period.
#[derive(Clone, Debug)]
pub struct Sequence {
    window: Window,
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
    pub fn up_to(window: Window, n: u64) -> Self {
        Self::reporting(window, n, &mut |_| ())
    }

    /// As [`up_to`](Self::up_to), telling from time to time how many values there are so far.
    ///
    /// # Panics
    ///
    /// As [`up_to`](Self::up_to).
    pub fn reporting(window: Window, n: u64, progress: &mut dyn FnMut(u64)) -> Self {
        match Self::counted(window, n, u64::MAX, &mut |_, _| false, progress) {
            Ok((sequence, _)) => sequence,
            Err(_) => unreachable!("without a limit nothing is out of reach"),
        }
    }

    /// As [`periodic`](Self::periodic), if it takes no more than `limit` steps, a nanosecond each or less; and
    /// the steps that it took. What they are is counted, not timed, and the same each time.
    ///
    /// # Errors
    ///
    /// The steps that it would take, if they are more. They are foreseen after a tenth of a second or an eighth of
    /// `limit`, from the values and the steps so far; later only where rare values come again behind many that
    /// were not, or nimbers suddenly grow.
    ///
    /// # Panics
    ///
    /// As [`up_to`](Self::up_to).
    pub fn within(window: Window, n: u64, limit: u128) -> Result<(Self, u128), u128> {
        Self::within_unless(window, n, limit, &mut |_, _| false)
    }

    /// As [`within`](Self::within), unless `give_up` says so, which is asked from time to time with the steps that are
    /// done and those that are expected in all.
    pub(super) fn within_unless(
        window: Window,
        n: u64,
        limit: u128,
        give_up: &mut dyn FnMut(u128, u128) -> bool,
    ) -> Result<(Self, u128), u128> {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX).saturating_mul(sparse::STEPS_OF_A_NANOSECOND);
        let in_nanoseconds = |steps: u64| u128::from(steps.div_ceil(sparse::STEPS_OF_A_NANOSECOND));
        let give_up = &mut |done, all| give_up(in_nanoseconds(done), in_nanoseconds(all));
        match Self::counted(window, Self::computed(window, n), limit, give_up, &mut |_| ()) {
            Ok((sequence, steps)) => Ok((sequence.repeating(), in_nanoseconds(steps))),
            Err(steps) => Err(in_nanoseconds(steps)),
        }
    }

    /// The values and the steps they took, else the steps they would take.
    fn counted(
        window: Window,
        n: u64,
        limit: u64,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Self, u64), u64> {
        match sparse::values(window, n, limit, give_up, progress) {
            Ok((sparse::Found { values, space, period }, steps)) => {
                let values = values.into_iter().map(u32::from).collect();
                Ok((Self { window, values, space, period }, steps))
            }
            Err(sparse::Left::Wide(mut wide)) => {
                let steps = wide.steps_to(window, n);
                if steps > limit {
                    return Err(steps);
                }
                let (values, latest) = (mem::take(&mut wide.values), mem::take(&mut wide.latest));
                let values = values.into_iter().map(u32::from).collect();
                let give_up = &mut |len| give_up(wide.steps_to(window, len), steps);
                let values = dense_from(window, n, values, latest, give_up, progress);
                let values = values.ok_or(steps)?;
                Ok((Self { window, values, space: None, period: None }, steps))
            }
            Err(sparse::Left::OutOfReach(steps)) => Err(steps),
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

    /// The values of all segments of 0 to `n` cards of a window, by its [known period](known_period) if it
    /// has one: then no more are computed than have to be.
    pub fn periodic(window: Window, n: u64) -> Self {
        Self::up_to(window, Self::computed(window, n)).repeating()
    }

    /// These values, and those behind them by the [known period](known_period), if there is one and it shows.
    #[must_use]
    pub fn repeating(self) -> Self {
        let shows = |period: &Period| period.start + period.length <= self.values.len() as u64;
        let period = known_period(self.window).filter(shows).or(self.period);
        Self { period, ..self }
    }

    /// Up to where the values of a window are computed, so that they tell all up to `n`.
    pub(super) fn computed(window: Window, n: u64) -> u64 {
        known_period(window).map_or(n, |period| n.min(period.start + period.length))
    }

    /// The values from 0 on, as far as they were computed.
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
    pub fn nimber(&self, n: u64) -> Nimber {
        let n = match self.period {
            Some(Period { start, length }) if n >= start => start + (n - start) % length,
            _ => n,
        };
        Nimber(self.values[n as usize].into())
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

    /// Whether [`splits`](Self::splits) can be asked for so many sums up to `n` in a fraction of a second.
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

/// The values of all segments of 0 to `n` cards, sum by sum.
#[cfg(test)]
pub(super) fn dense(window: Window, n: u64) -> Vec<u32> {
    dense_from(window, n, Vec::new(), Vec::new(), &mut |_| false, &mut |_| ()).unwrap()
}

/// The values of all segments of 0 to `n` cards, sum by sum, from the first values on and the latest sum of each
/// XOR value.
///
/// For each XOR value it keeps one number, the latest sum u+v at which it was seen, and one more. The sums come in
/// ascending order, so a value is an option of i exactly when its latest sum is at least i-R. About
/// (n-L)^2/4 steps, and four bytes for each segment and each XOR value. `None` if `give_up` says so, which is told from
/// time to time how many values there are.
fn dense_from(
    window: Window,
    n: u64,
    mut values: Vec<u32>,
    mut latest: Vec<u32>,
    give_up: &mut dyn FnMut(u64) -> bool,
    progress: &mut dyn FnMut(u64),
) -> Option<Vec<u32>> {
    let (l, r) = (window.l.min(n + 1) as usize, window.r.min(n) as usize);
    let n = n as usize;
    let width = (n / l + 1).next_power_of_two();
    latest.resize(width, 0);
    values.reserve_exact(n + 1 - values.len());
    for i in values.len()..=n {
        if let Some(sum) = i.checked_sub(l) {
            let (up, down) = (&values[..=sum / 2], values[..=sum].iter().rev());
            for (a, b) in up.iter().zip(down) {
                // The mask changes nothing, it only shows that the index is below the width.
                latest[(a ^ b) as usize & (width - 1)] = sum as u32 + 1;
            }
        }
        let least = i.saturating_sub(r) as u32 + 1;
        values.push(latest.iter().take_while(|&&sum| sum >= least).count() as u32);
        if i.is_multiple_of(1 << 10) {
            progress(i as u64);
            if give_up(i as u64) {
                return None;
            }
        }
    }
    Some(values)
}
