//! The confidence interval of a proportion.

use std::fmt;

use crate::arena::statistics::beta::beta_quantile;

/// The error probability on each side of the interval.
const TAIL: f64 = 0.025;

/// A proportion, with the exact 95 % interval of C. Clopper and E. Pearson (1934, "The use of confidence or
/// fiducial limits illustrated in the case of the binomial").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proportion {
    pub(crate) part: u32,
    pub(crate) total: u32,
}

impl Proportion {
    pub(crate) fn add(&mut self, is_part: bool) {
        self.total = self.total.saturating_add(1);
        self.part = self.part.saturating_add(u32::from(is_part));
    }

    /// Returns the ends of the interval. If `total` is 0, the interval is 0 to 1.
    pub(crate) fn interval(self) -> (f64, f64) {
        let (part, rest) = (f64::from(self.part), f64::from(self.total.saturating_sub(self.part)));
        let low = if self.part == 0 { 0.0 } else { beta_quantile(part, rest + 1.0, TAIL) };
        let high = if self.part >= self.total { 1.0 } else { beta_quantile(part + 1.0, rest, 1.0 - TAIL) };
        (low, high)
    }
}

impl fmt::Display for Proportion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.total == 0 {
            return f.write_str("-");
        }
        let (low, high) = self.interval();
        write!(f, "{} of {} ({:.1} to {:.1} %)", self.part, self.total, 100.0 * low, 100.0 * high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the probability of at most `k` successes in `n` trials.
    fn at_most(k: u32, n: u32, p: f64) -> f64 {
        let term = |k: u32| {
            let ways = (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product::<f64>();
            ways * p.powf(f64::from(k)) * (1.0 - p).powf(f64::from(n - k))
        };
        (0..=k).map(term).sum()
    }

    /// At each end of the interval, the probability of the count or a more extreme count is 2.5 %.
    #[test]
    fn interval_ends_match_the_definition() {
        for (part, total) in [(0, 10), (1, 10), (5, 10), (9, 10), (10, 10), (3, 200), (150, 200)] {
            let (low, high) = Proportion { part, total }.interval();
            if part > 0 {
                assert!((at_most(part - 1, total, low) - 0.975).abs() < 1e-6, "{part} {total}: {low}");
            }
            if part < total {
                assert!((at_most(part, total, high) - 0.025).abs() < 1e-6, "{part} {total}: {high}");
            }
        }
        assert_eq!(Proportion::default().interval(), (0.0, 1.0));
        assert_eq!(Proportion { part: 5, total: 10 }.to_string(), "5 of 10 (18.7 to 81.3 %)");
    }
}
