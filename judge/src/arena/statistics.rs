//! The statistics of games between bots: which bot is stronger, and how certain the answer is. All functions are
//! pure.
//!
//! The model: the logit of the probability that A wins is `theta + delta` in one seat and `theta - delta` in the other.
//! `delta` depends on the start. Each start is played as a pair of games with the seats swapped. If A wins both
//! games with probability `p`, and B wins both with probability `q`, then `p / q` is `e^(2 theta)` for every `delta`. A
//! pair in which each bot wins one game shows nothing about `theta`. So Elo is computed only from decided pairs.

use std::fmt;
use std::str::FromStr;

use clap::Args;

/// The Elo difference at which a bot's odds of winning a decided pair are `e`: 200 / ln 10.
const ELO_PER_LOGIT: f64 = 86.858_896_380_650_36;

/// The quantile of the normal distribution for a two-sided interval of 95 %.
const NORMAL_95: f64 = 1.959_963_984_540_054;

const ONE_SIDED_ERROR: f64 = 0.05;

/// The estimate of the Elo difference of two bots from decided pairs, and the ends of its interval, with a confidence of
/// 95 %. All numbers are finite. If the first bot won or lost all decided pairs, only one end is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EloEstimate {
    pub(crate) elo: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

impl EloEstimate {
    /// Returns the maximum likelihood estimate with its Wald interval. If a count is zero, returns a one-sided bound
    /// from the probability that one bot wins all decided pairs.
    pub(crate) fn of(counts: PairCounts) -> Self {
        let bound = |pairs: u32| elo_of(ONE_SIDED_ERROR.powf(f64::from(pairs).recip()));
        match (counts.won, counts.lost) {
            (0, 0) => Self::default(),
            (won, 0) => Self { low: Some(bound(won)), ..Self::default() },
            (0, lost) => Self { high: Some(-bound(lost)), ..Self::default() },
            (won, lost) => {
                let (won, lost) = (f64::from(won), f64::from(lost));
                let elo = ELO_PER_LOGIT * (won / lost).ln();
                let margin = NORMAL_95 * ELO_PER_LOGIT * (won.recip() + lost.recip()).sqrt();
                Self { elo: Some(elo), low: Some(elo - margin), high: Some(elo + margin) }
            }
        }
    }
}

impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { elo: Some(elo), high: Some(high), .. } => write!(f, "{elo:+.0} ± {:.0}", high - elo),
            Self { low: Some(bound), .. } => write!(f, "at least {bound:+.0}"),
            Self { high: Some(bound), .. } => write!(f, "at most {bound:+.0}"),
            _ => f.write_str("unknown"),
        }
    }
}

/// Returns the Elo difference at which a bot wins a decided pair with this probability.
fn elo_of(probability: f64) -> f64 {
    ELO_PER_LOGIT * (probability / (1.0 - probability)).ln()
}

/// Returns the probability that a bot with this Elo difference wins a decided pair.
pub(crate) fn pair_probability(elo: f64) -> f64 {
    (1.0 + (-elo / ELO_PER_LOGIT).exp()).recip()
}

/// Returns the likelihood of superiority: the probability, after these pairs, that the first bot is stronger. The prior
/// distribution of the probability of winning a decided pair is uniform.
pub(crate) fn superiority(counts: PairCounts) -> f64 {
    at_most(counts.won, counts.decided().saturating_add(1), 0.5)
}

/// The numbers of pairs that the first of two bots won, lost and split. A game has no draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairCounts {
    pub(crate) won: u32,
    pub(crate) lost: u32,
    /// The number of pairs in which each bot won one game.
    pub(crate) split: u32,
}

impl PairCounts {
    /// Adds a pair of games. `games_won` is how many of the two games the first bot won.
    pub(crate) fn add(&mut self, games_won: u32) {
        let count = match games_won {
            0 => &mut self.lost,
            1 => &mut self.split,
            _ => &mut self.won,
        };
        *count = count.saturating_add(1);
    }

    pub(crate) fn as_cell(self) -> String {
        format!("{}/{}/{}", self.won, self.split, self.lost)
    }

    pub(crate) fn pairs(self) -> u32 {
        self.decided().saturating_add(self.split)
    }

    /// Returns the number of decided pairs: one bot won both games.
    pub(crate) fn decided(self) -> u32 {
        self.won.saturating_add(self.lost)
    }
}

/// Writes the pentanomial counts: pairs with 0, 1/2, 1, 3/2 and 2 points. The counts for half points are 0.
impl fmt::Display for PairCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, 0, {}, 0, {}]", self.lost, self.split, self.won)
    }
}

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

/// Returns the sum of the products of the first, of the first two, and so on, of descending ratios.
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

const MAX_ELO: f64 = 1000.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hypotheses {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
}

impl FromStr for Hypotheses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || {
            format!(
                "expected ELO0,ELO1: two numbers from -{MAX_ELO} to {MAX_ELO}, the smaller one first, as in 0,20"
            )
        };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= MAX_ELO);
        let numbers = text.split_once(',').and_then(|(elo0, elo1)| number(elo0).zip(number(elo1)));
        let (elo0, elo1) = numbers.filter(|(elo0, elo1)| elo0 < elo1).ok_or_else(wanted)?;
        Ok(Self { elo0, elo1 })
    }
}

/// The sequential probability ratio test of A. Wald (1945, "Sequential Tests of Statistical Hypotheses"), on decided
/// pairs, with the probabilities of its errors.
#[derive(Clone, Copy, Debug, PartialEq, Args)]
pub(crate) struct Sprt {
    /// Test whether the first of two bots is stronger by ELO1 rather than by ELO0, and stop when the test decides
    #[arg(long = "sprt", required = false, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) hypotheses: Hypotheses,

    /// The probability of accepting ELO1 if ELO0 is true
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = error_probability, requires = "hypotheses")]
    pub(crate) alpha: f64,

    /// The probability of accepting ELO0 if ELO1 is true
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = error_probability, requires = "hypotheses")]
    pub(crate) beta: f64,
}

fn error_probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-6..=0.4).contains(number));
    number.ok_or_else(|| "expected a probability from 0.000001 to 0.4".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    Elo0,
    Elo1,
}

impl Sprt {
    /// Returns the logarithm of the likelihood ratio, which is finite even if one bot wins every pair.
    pub(crate) fn log_ratio(&self, counts: PairCounts) -> f64 {
        let [q0, q1] = [self.hypotheses.elo0, self.hypotheses.elo1].map(pair_probability);
        f64::from(counts.won) * (q1 / q0).ln() + f64::from(counts.lost) * ((1.0 - q1) / (1.0 - q0)).ln()
    }

    /// Returns the lower and the upper bound of [`Self::log_ratio`]. The test ends when the ratio reaches a bound.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        let Self { alpha, beta, .. } = self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// Returns the hypothesis that is accepted after these pairs; `None` if more pairs are needed.
    pub(crate) fn accepted(&self, counts: PairCounts) -> Option<Accepted> {
        let (ratio, (low, high)) = (self.log_ratio(counts), self.bounds());
        let elo1 = (ratio >= high).then_some(Accepted::Elo1);
        elo1.or_else(|| (ratio <= low).then_some(Accepted::Elo0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(won: u32, lost: u32) -> PairCounts {
        PairCounts { won, lost, split: 5 }
    }

    #[test]
    fn the_elo_difference_of_decided_pairs() {
        let EloEstimate { elo, low, high } = EloEstimate::of(counts(100, 10));
        let (elo, margin) = (elo.unwrap(), (high.unwrap() - low.unwrap()) / 2.0);
        assert!((elo - 200.0).abs() < 1e-9, "odds of 10 to 1 are 200 Elo: {elo}");
        assert!((margin - 170.2398 * 0.11_f64.sqrt()).abs() < 1e-2, "{margin}");
        assert_eq!(EloEstimate::of(counts(100, 10)).to_string(), "+200 ± 56");
        assert_eq!(EloEstimate::of(counts(10, 100)).to_string(), "-200 ± 56");
        assert_eq!(EloEstimate::of(counts(0, 0)).to_string(), "unknown");
        assert!((pair_probability(200.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    /// With a zero count there is a finite bound. At this bound one bot wins all pairs with a probability of 5 %.
    #[test]
    fn bounds_are_finite() {
        for pairs in [1, 2, 5, 100, u32::MAX] {
            let bound = EloEstimate::of(counts(pairs, 0)).low.unwrap();
            let all_won = pair_probability(bound).powf(f64::from(pairs));
            assert!(bound.is_finite() && (all_won - 0.05).abs() < 1e-6, "{pairs}: {bound} {all_won}");
            let opposite = EloEstimate { high: Some(-bound), ..EloEstimate::default() };
            assert_eq!(EloEstimate::of(counts(0, pairs)), opposite);
        }
        assert_eq!(EloEstimate::of(counts(5, 0)).to_string(), "at least +17");
    }

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
        assert!((superiority(counts(3, 0)) - 0.9375).abs() < 1e-9);
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

    fn sprt() -> Sprt {
        Sprt { hypotheses: Hypotheses { elo0: 0.0, elo1: 20.0 }, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn hypotheses_as_text() {
        assert_eq!("0,20".parse(), Ok(Hypotheses { elo0: 0.0, elo1: 20.0 }));
        assert_eq!(" -5 , 2.5".parse(), Ok(Hypotheses { elo0: -5.0, elo1: 2.5 }));
        for text in ["", "0", "20,0", "0,0", "0,20,40", "0,nan", "0,inf", "0,1e9"] {
            let error = text.parse::<Hypotheses>().unwrap_err();
            assert!(error.starts_with("expected ELO0,ELO1"), "{text}: {error}");
        }
    }

    /// A test that ends at Wald's bounds keeps `alpha` and `beta`.
    #[test]
    fn the_ratio_in_closed_form() {
        let counts = PairCounts { won: 30, lost: 20, split: 1000 };
        let q1 = 1.0 / (1.0 + 10_f64.powf(-0.1));
        let ratio = 30.0 * (q1 / 0.5).ln() + 20.0 * ((1.0 - q1) / 0.5).ln();
        assert!((sprt().log_ratio(counts) - ratio).abs() < 1e-12);
        assert_eq!(sprt().accepted(counts), None);
        let (low, high) = sprt().bounds();
        assert!((high - 19_f64.ln()).abs() < 1e-12 && (low + high).abs() < 1e-12);
        assert_eq!(sprt().accepted(PairCounts { won: 28, lost: 0, split: 0 }), Some(Accepted::Elo1));
        assert_eq!(sprt().accepted(PairCounts { won: 0, lost: 28, split: 0 }), Some(Accepted::Elo0));
    }
}
