//! The sequential probability ratio test of A. Wald (1945, "Sequential Tests of Statistical Hypotheses"), on decided
//! pairs.

use std::str::FromStr;

use crate::arena::statistics::elo::{PairCounts, pair_probability};

const MAX_ELO: f64 = 1000.0;

/// Two hypotheses about the Elo difference of two bots.
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
        let (elo0, elo1) = text.split_once(',').ok_or_else(wanted)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= MAX_ELO);
        let (elo0, elo1) = number(elo0).zip(number(elo1)).ok_or_else(wanted)?;
        if elo0 < elo1 { Ok(Self { elo0, elo1 }) } else { Err(wanted()) }
    }
}

/// The test of two hypotheses, with the probabilities of its errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sprt {
    pub(crate) hypotheses: Hypotheses,
    /// The probability of accepting `elo1` if `elo0` is true.
    pub(crate) alpha: f64,
    /// The probability of accepting `elo0` if `elo1` is true.
    pub(crate) beta: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    Elo0,
    Elo1,
}

impl Sprt {
    /// Returns the logarithm of the likelihood ratio of the two hypotheses. The logarithm is finite, even if one bot
    /// wins every pair.
    pub(crate) fn log_ratio(&self, counts: PairCounts) -> f64 {
        let (on_win, on_loss) = self.steps();
        f64::from(counts.won) * on_win + f64::from(counts.lost) * on_loss
    }

    /// Returns the amounts that a won pair and a lost pair add to [`Self::log_ratio`].
    fn steps(&self) -> (f64, f64) {
        let [q0, q1] = [self.hypotheses.elo0, self.hypotheses.elo1].map(pair_probability);
        ((q1 / q0).ln(), ((1.0 - q1) / (1.0 - q0)).ln())
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
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;

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

    /// The means of many simulated tests: the share of tests that accepted `elo1`, and the number of pairs in a test.
    struct Simulated {
        accepted: f64,
        pairs: f64,
    }

    /// The probability that a pair is decided.
    const DECIDED: f64 = 0.6;

    /// Simulates tests of bots with the Elo difference `elo`, pair by pair.
    fn simulate(elo: f64) -> Simulated {
        const MATCHES: u32 = 2000;
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut accepted, mut pairs) = (0, 0_u32);
        for _ in 0..MATCHES {
            let mut counts = PairCounts::default();
            let end = loop {
                let is_decided = rng.random_bool(DECIDED);
                let won = 2 * u32::from(rng.random_bool(pair_probability(elo)));
                counts.add(if is_decided { won } else { 1 });
                if let Some(end) = sprt().accepted(counts) {
                    break end;
                }
            };
            accepted += u32::from(end == Accepted::Elo1);
            pairs += counts.pairs();
        }
        let mean = |sum: u32| f64::from(sum) / f64::from(MATCHES);
        Simulated { accepted: mean(accepted), pairs: mean(pairs) }
    }

    /// Returns Wald's approximation of the mean number of pairs for bots with the Elo difference `elo`. `accepted` is
    /// the probability that `elo1` is accepted.
    fn expected_pairs(elo: f64, accepted: f64) -> f64 {
        let (low, high) = sprt().bounds();
        let (on_win, on_loss) = sprt().steps();
        let q = pair_probability(elo);
        accepted.mul_add(high, (1.0 - accepted) * low) / q.mul_add(on_win, (1.0 - q) * on_loss) / DECIDED
    }

    fn is_near(got: f64, expected: f64) -> bool {
        (got / expected - 1.0).abs() < 0.1
    }

    /// In 2,000 tests at `elo0` and at `elo1`, the error rates are as specified, and the number of pairs agrees with
    /// Wald's formula. The standard error of a rate of 5 % in 2,000 tests is half a per cent.
    #[test]
    fn simulated_tests_keep_alpha_and_beta() {
        let (at0, at1) = (simulate(0.0), simulate(20.0));
        assert!(at0.accepted < 0.065, "alpha {}", at0.accepted);
        assert!(at1.accepted > 0.935, "beta {}", 1.0 - at1.accepted);
        let expected = [expected_pairs(0.0, 0.05), expected_pairs(20.0, 0.95)];
        assert!(is_near(at0.pairs, expected[0]), "{} {}", at0.pairs, expected[0]);
        assert!(is_near(at1.pairs, expected[1]), "{} {}", at1.pairs, expected[1]);
    }
}
