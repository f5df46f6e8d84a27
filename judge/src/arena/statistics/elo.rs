//! The Elo difference of two bots.

use std::fmt;

use crate::arena::statistics::proportion::at_most;

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

    /// The likelihood of superiority is a sum of binomial coefficients, divided by a power of 2.
    #[test]
    fn superiority_has_a_closed_form() {
        let binomial = |n: u32, k: u32| (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product::<f64>();
        for (won, lost) in [(0, 0), (3, 0), (0, 3), (7, 4), (20, 31)] {
            let n = won + lost + 1;
            let exact = (0..=won).map(|k| binomial(n, k)).sum::<f64>() / 2_f64.powf(f64::from(n));
            let got = superiority(counts(won, lost));
            assert!((got - exact).abs() < 1e-9, "{won} {lost}: {got} {exact}");
        }
    }

    #[test]
    fn pairs_are_counted() {
        let mut counts = PairCounts::default();
        for won in [2, 2, 1, 0, 2, 1] {
            counts.add(won);
        }
        assert_eq!(counts.to_string(), "[1, 0, 2, 0, 3]");
        assert_eq!((counts.pairs(), counts.decided()), (6, 4));
    }
}
