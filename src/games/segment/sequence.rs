//! Grundy values of rows too long for the pair index, and of periodic windows.

use super::sparse::{self, SparseSpace};
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

    /// The same, telling from time to time how many values there are so far.
    ///
    /// # Panics
    ///
    /// As [`up_to`](Self::up_to).
    pub fn reporting(window: Window, n: u64, progress: &mut dyn FnMut(u64)) -> Self {
        match sparse::values(window, n, progress) {
            Some(sparse::Found { values, space, period }) => {
                Self { window, values: values.into_iter().map(u32::from).collect(), space, period }
            }
            None => Self { window, values: dense(window, n), space: None, period: None },
        }
    }

    /// The memory that the values up to `n` take while they are computed.
    pub fn bytes(window: Window, n: u64) -> u128 {
        // In codes three times over, or as they are and the latest sum of each XOR value.
        let [n, l] = [n, window.l].map(u128::from);
        (n + 1) * 3 * size_of::<u16>() as u128 + (n / l + 1).next_power_of_two() * size_of::<u32>() as u128
    }

    /// The values of all segments of 0 to `n` cards of a window, by its [known period](known_period) if it
    /// has one: then no more are computed than have to be.
    pub fn periodic(window: Window, n: u64) -> Self {
        match known_period(window) {
            Some(period) if n >= period.start + period.length => {
                let values = Self::up_to(window, period.start + period.length);
                Self { period: Some(period), ..values }
            }
            _ => Self::up_to(window, n),
        }
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
        let steps = self.period.map_or(n, |period| n.min(2 * period.start + 2 * period.length));
        sums.saturating_mul(steps) <= MAX_STEPS
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
///
/// For each XOR value it keeps one number, the latest sum u+v at which it was seen. The sums come in
/// ascending order, so a value is an option of i exactly when its latest sum is at least i-R. About
/// (n-L)^2/4 steps, and four bytes for each segment and each XOR value.
pub(super) fn dense(window: Window, n: u64) -> Vec<u32> {
    let (l, r) = (window.l.min(n + 1) as usize, window.r.min(n) as usize);
    let n = n as usize;
    let width = (n / l + 1).next_power_of_two();
    // One more than the latest sum, 0 before the first.
    let mut latest = vec![0_u32; width];
    let mut values: Vec<u32> = Vec::with_capacity(n + 1);
    for i in 0..=n {
        if let Some(sum) = i.checked_sub(l) {
            let (up, down) = (&values[..=sum / 2], values[..=sum].iter().rev());
            for (a, b) in up.iter().zip(down) {
                // The mask changes nothing, it only shows that the index is below the width.
                latest[(a ^ b) as usize & (width - 1)] = sum as u32 + 1;
            }
        }
        let least = i.saturating_sub(r) as u32 + 1;
        values.push(latest.iter().take_while(|&&sum| sum >= least).count() as u32);
    }
    values
}
