//! The totals of a summary.

use std::fmt;

use itertools::Itertools;
use serde::{Deserialize, Serialize};
use zeroxor::Nimber;

const MAX_LISTED_ZEROS: usize = 10;

/// How many heaps have each nimber.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts(Vec<u64>);

impl Counts {
    /// Nimbers from this one on are counted together.
    const END: u64 = 1 << 20;

    fn enter(&mut self, nimber: u64) {
        // The value is at most 2^20.
        #[allow(clippy::cast_possible_truncation)]
        let at = nimber.min(Self::END) as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] += 1;
    }

    /// Enters `periods` more periods. The nimbers entered since `before` are one period.
    fn enter_periods(&mut self, periods: u64, before: &Self) {
        for (at, count) in self.0.iter_mut().enumerate() {
            *count += periods * (*count - before.0.get(at).unwrap_or(&0));
        }
    }
}

/// Writes `nimber:count` for each nimber that occurs, with blanks between them.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = (0..).zip(&self.0).filter(|(_, count)| **count > 0).map(|(nimber, count)| {
            let more = if nimber == Self::END { "+" } else { "" };
            format!("{nimber}{more}:{count}")
        });
        f.write_str(&counts.into_iter().join(" "))
    }
}

/// The largest value of a table, and its zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// Number of entered values.
    pub values: u64,
    pub largest: u64,
    /// The first heap with the largest value.
    pub(crate) largest_at: u64,
    /// Number of values that are 0.
    pub zeros: u64,
    /// The first heaps whose value is 0.
    pub(crate) first_zeros: Vec<u64>,
    /// How many heaps have each nimber, if they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) counts: Option<Counts>,
}

impl Totals {
    /// Enters the next values.
    pub(crate) fn enter(&mut self, values: impl IntoIterator<Item = Nimber>) {
        for Nimber(value) in values {
            if value > self.largest {
                (self.largest, self.largest_at) = (value, self.values);
            }
            if value == 0 {
                self.enter_zero(self.values);
            }
            if let Some(counts) = &mut self.counts {
                counts.enter(value);
            }
            self.values += 1;
        }
    }

    /// Counts the heap `at` as a zero. Does not change `values`.
    pub(crate) fn enter_zero(&mut self, at: u64) {
        self.zeros += 1;
        if self.first_zeros.len() < MAX_LISTED_ZEROS {
            self.first_zeros.push(at);
        }
    }

    /// Enters `periods` more periods. The values entered since `before` are one period.
    pub(crate) fn enter_periods(&mut self, periods: u64, before: &Self) {
        self.values += periods * (self.values - before.values);
        self.zeros += periods * (self.zeros - before.zeros);
        if let (Some(counts), Some(before)) = (&mut self.counts, &before.counts) {
            counts.enter_periods(periods, before);
        }
    }
}

/// Writes the number of zeros, and the first zeros.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.zeros > MAX_LISTED_ZEROS as u64 { " ..." } else { "" };
        write!(f, "{} (n = {}{more})", self.zeros, self.first_zeros.iter().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_nimbers_are_counted_together() {
        let mut counts = Counts::default();
        for nimber in [1, (1 << 20) - 1, 1 << 20, u64::MAX] {
            counts.enter(nimber);
        }
        assert_eq!(counts.to_string(), "1:1 1048575:1 1048576+:2");
    }

    /// Checks that entering whole periods gives the same totals as entering their values.
    #[test]
    fn whole_periods() {
        let values = |n: u64| (0..n).map(|n| Nimber(if n < 7 { n } else { (n - 7) % 3 }));
        let counting = || Totals { counts: Some(Counts::default()), ..Totals::default() };
        let mut expected = counting();
        expected.enter(values(1000));
        let mut totals = counting();
        totals.enter(values(40));
        let before = totals.clone();
        totals.enter(values(43).skip(40));
        totals.enter_periods((1000 - 43) / 3, &before);
        totals.enter(values(1000).skip(43 + (1000 - 43) / 3 * 3));
        assert_eq!(totals, expected);
        assert_eq!((totals.largest, totals.largest_at, totals.values), (6, 6, 1000));
        assert_eq!(totals.counts.unwrap().to_string(), "0:332 1:332 2:332 3:1 4:1 5:1 6:1");
    }
}
