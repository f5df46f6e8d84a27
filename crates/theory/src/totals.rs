//! The totals of a summary.

use std::fmt;

use itertools::Itertools;
use serde::{Deserialize, Serialize};
use zeroxor::Nimber;

/// Maximum number of zeros that are listed.
const LISTED: usize = 10;

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
            self.values += 1;
        }
    }

    /// Counts the value 0 of the heap `at`, without counting it in `values`.
    pub(crate) fn enter_zero(&mut self, at: u64) {
        self.zeros += 1;
        if self.first_zeros.len() < LISTED {
            self.first_zeros.push(at);
        }
    }

    /// Enters `periods` whole periods with `zeros` zeros each. The values of one period must have been entered before.
    pub(crate) fn enter_periods(&mut self, periods: u64, length: u64, zeros: u64) {
        self.values += periods * length;
        self.zeros += periods * zeros;
    }
}

/// Writes the number of zeros, and the first zeros.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.zeros > LISTED as u64 { " ..." } else { "" };
        write!(f, "{} (n = {}{more})", self.zeros, self.first_zeros.iter().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that whole periods have the same totals as their values.
    #[test]
    fn periods() {
        let values = |n: u64| (0..n).map(|n| Nimber(if n < 7 { n } else { (n - 7) % 3 }));
        let mut expected = Totals::default();
        expected.enter(values(1000));
        let mut totals = Totals::default();
        totals.enter(values(40));
        let before = totals.zeros;
        totals.enter(values(43).skip(40));
        let zeros = totals.zeros - before;
        totals.enter_periods((1000 - 43) / 3, 3, zeros);
        totals.enter(values(1000).skip(43 + (1000 - 43) / 3 * 3));
        assert_eq!(totals.zeros, expected.zeros);
        assert_eq!((totals.largest, totals.largest_at, totals.values), (6, 6, 1000));
    }
}
