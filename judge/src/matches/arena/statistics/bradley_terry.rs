//! The ratings of several bots.

use super::elo::ELO_PER_LOGIT;

/// The decided pairs of several bots: who won how many against whom.
#[derive(Clone, Debug)]
pub(crate) struct DecidedPairs {
    bots: usize,
    /// `won[a * bots + b]`: how many pairs a won against b.
    won: Vec<f64>,
}

/// When the ratings change by less than this in a step, they have been found.
const TOLERANCE: f64 = 1e-7;

/// The most steps: ratings of bots that hardly ever lose converge slowly.
const MAX_STEPS: usize = 10_000;

impl DecidedPairs {
    /// The pairs of this number of bots before any game. Each two bots that meet have one more pair, half won by
    /// each: without it the rating of a bot that wins all its pairs would be infinite.
    pub(crate) fn new(bots: usize, meetings: &[(usize, usize)]) -> Self {
        let mut pairs = Self { bots, won: vec![0.0; bots * bots] };
        for &(a, b) in meetings {
            *pairs.entry(a, b) += 0.5;
            *pairs.entry(b, a) += 0.5;
        }
        pairs
    }

    fn entry(&mut self, winner: usize, loser: usize) -> &mut f64 {
        &mut self.won[winner * self.bots + loser]
    }

    /// Adds a pair.
    pub(crate) fn add(&mut self, winner: usize, loser: usize) {
        *self.entry(winner, loser) += 1.0;
    }

    /// The Elo ratings of the model of R. Bradley and M. Terry (1952, "Rank analysis of incomplete block designs") that
    /// are most likely, with a mean of 0, by the steps of D. Hunter (2004, "MM algorithms for generalized
    /// Bradley-Terry models"). All bots are connected by meetings.
    pub(crate) fn ratings(&self) -> Vec<f64> {
        let won: Vec<f64> = self.won.chunks(self.bots).map(|row| row.iter().sum()).collect();
        let mut strengths = vec![1.0; self.bots];
        for _ in 0..MAX_STEPS {
            let change = self.step(&won, &mut strengths);
            if change < TOLERANCE {
                break;
            }
        }
        strengths.into_iter().map(|strength| ELO_PER_LOGIT * strength.ln()).collect()
    }

    /// Improves the strengths, whose product stays 1. Returns the largest change of a logarithm.
    fn step(&self, won: &[f64], strengths: &mut [f64]) -> f64 {
        let next: Vec<f64> = (0..self.bots)
            .map(|a| {
                let met = |b: usize| {
                    let pairs = self.won[a * self.bots + b] + self.won[b * self.bots + a];
                    pairs / (strengths[a] + strengths[b])
                };
                let expected = (0..self.bots).filter(|&b| b != a).map(met).sum::<f64>();
                if expected > 0.0 { won[a] / expected } else { 1.0 }
            })
            .collect();
        let count = next.iter().fold(0.0, |count, _| count + 1.0);
        let mean = (next.iter().map(|strength| strength.ln()).sum::<f64>() / count).exp();
        let mut change = 0_f64;
        for (strength, next) in strengths.iter_mut().zip(next) {
            change = change.max((next / mean / *strength).ln().abs());
            *strength = next / mean;
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::arena::statistics::elo::pair_probability;

    const MEETINGS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

    #[test]
    fn two_bots_in_closed_form() {
        let mut pairs = DecidedPairs::new(2, &[(0, 1)]);
        (0..7).for_each(|_| pairs.add(0, 1));
        (0..3).for_each(|_| pairs.add(1, 0));
        let ratings = pairs.ratings();
        assert!((ratings[0] - ratings[1] - ELO_PER_LOGIT * (7.5_f64 / 3.5).ln()).abs() < 1e-3, "{ratings:?}");
        assert!(ratings.iter().sum::<f64>().abs() < 1e-6);
    }

    /// Where the ratings are most likely, every bot has won as many pairs as they say.
    #[test]
    fn pairs_won_are_those_expected() {
        let mut pairs = DecidedPairs::new(3, &MEETINGS);
        for (winner, loser, count) in [(0, 1, 9), (1, 0, 4), (0, 2, 20), (1, 2, 7), (2, 1, 6)] {
            (0..count).for_each(|_| pairs.add(winner, loser));
        }
        let ratings = pairs.ratings();
        for a in 0..3 {
            let won: f64 = (0..3).map(|b| pairs.won[a * 3 + b]).sum();
            let expected: f64 = (0..3)
                .filter(|&b| b != a)
                .map(|b| {
                    let played = pairs.won[a * 3 + b] + pairs.won[b * 3 + a];
                    played * pair_probability(ratings[a] - ratings[b])
                })
                .sum();
            assert!((won - expected).abs() < 1e-4, "{a}: {won} {expected}");
        }
    }

    #[test]
    fn without_games_all_are_equal_and_a_bot_that_wins_all_is_finite() {
        assert!(DecidedPairs::new(3, &MEETINGS).ratings().iter().all(|rating| rating.abs() < 1e-9));
        let mut pairs = DecidedPairs::new(3, &MEETINGS);
        (0..100).for_each(|_| {
            pairs.add(0, 1);
            pairs.add(0, 2);
        });
        let ratings = pairs.ratings();
        assert!(ratings[0].is_finite() && ratings[0] > 200.0 && (ratings[1] - ratings[2]).abs() < 1e-3);
    }
}
