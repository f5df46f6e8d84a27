//! The confidence interval of a proportion, and the binomial distribution.

use std::fmt;

/// The error probability on each side of the interval.
const TAIL: f64 = 0.025;

/// Number of bisections for an end of an interval, which is then exact to the last digits of a floating-point number.
const BISECTIONS: u32 = 64;

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
        let Self { part, total } = self;
        let low = part.checked_sub(1).map_or(0.0, |less| chance_at(less, total, 1.0 - TAIL));
        let high = if part >= total { 1.0 } else { chance_at(part, total, TAIL) };
        (low, high)
    }
}

/// Returns the chance of a success with which [`at_most`] `k` of `n` trials succeed with this probability.
fn chance_at(k: u32, n: u32, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        if at_most(k, n, middle) > probability { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Returns the probability that at most `k` of `n` trials succeed, each with a chance above 0 and below 1.
pub(crate) fn at_most(k: u32, n: u32, chance: f64) -> f64 {
    let odds = chance / (1.0 - chance);
    // The probabilities of fewer and of more successes, in units of the probability of exactly `k`. One of them may be
    // infinite.
    let fewer = sum_of_products((0..k).rev().map(|i| f64::from(i + 1) / f64::from(n - i) / odds));
    let more = sum_of_products((k..n).map(|i| f64::from(n - i) / f64::from(i + 1) * odds));
    (1.0 + more / (1.0 + fewer)).recip()
}

/// Returns the sum of the products of the first, of the first two, and so on, of descending ratios, as exactly as
/// floating-point numbers allow.
fn sum_of_products(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut product) = (0.0, 1.0);
    for ratio in ratios {
        product *= ratio;
        sum += product;
        if product <= sum * f64::EPSILON * 1e-3 || sum.is_infinite() {
            break;
        }
    }
    sum
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

    fn by_definition(k: u32, n: u32, chance: f64) -> f64 {
        let term = |k: u32| {
            let ways = (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product::<f64>();
            ways * chance.powf(f64::from(k)) * (1.0 - chance).powf(f64::from(n - k))
        };
        (0..=k).map(term).sum()
    }

    #[test]
    fn tails_of_binomial_distributions() {
        for (k, n) in [(0, 1), (0, 7), (6, 7), (2, 7), (19, 23), (30, 67), (67, 67)] {
            for chance in [0.001, 0.1, 0.3, 0.5, 0.77, 0.999] {
                let (got, expected) = (at_most(k, n, chance), by_definition(k, n, chance));
                assert!((got - expected).abs() < 1e-12, "{k} of {n}, {chance}: {got} {expected}");
            }
        }
        // With an odd number of trials and a chance of one half the distribution is symmetric, even if it is wide.
        for k in [1000, 1_000_000] {
            assert!((at_most(k, 2 * k + 1, 0.5) - 0.5).abs() < 1e-9);
        }
        assert_eq!((at_most(1_000_000, 2_000_000, 0.001), at_most(1000, 2_000_000, 0.999)), (1.0, 0.0));
    }

    /// At each end of the interval, the probability of the count or a more extreme count is 2.5 %.
    #[test]
    fn interval_ends_match_the_definition() {
        for (part, total) in [(0, 10), (1, 10), (5, 10), (9, 10), (10, 10), (3, 200), (150, 200)] {
            let (low, high) = Proportion { part, total }.interval();
            if part > 0 {
                assert!((by_definition(part - 1, total, low) - 0.975).abs() < 1e-6, "{part} {total}: {low}");
            }
            if part < total {
                assert!((by_definition(part, total, high) - 0.025).abs() < 1e-6, "{part} {total}: {high}");
            }
        }
        assert_eq!(Proportion::default().interval(), (0.0, 1.0));
        assert_eq!(Proportion { part: 5, total: 10 }.to_string(), "5 of 10 (18.7 to 81.3 %)");
    }
}
