//! The Elo ratings of several bots, from the pairs that they won against each other.

use super::elo::ELO_PER_LOGIT;

/// The numbers of decided pairs between several bots.
#[derive(Clone, Debug)]
pub struct DecidedPairs {
    bots: usize,
    /// `won[a * bots + b]` is the number of pairs that bot a won against bot b.
    won: Vec<f64>,
    /// See [`Self::groups`].
    groups: Vec<usize>,
}

/// The iteration ends after a step in which the logarithm of each strength changes by less than this.
const TOLERANCE: f64 = 1e-7;

/// Maximum number of steps. The ratings of bots that rarely lose converge slowly.
const MAX_STEPS: usize = 10_000;

impl DecidedPairs {
    /// Returns the pairs of `bots` bots before any game. Every two bots that meet get one additional pair, of which
    /// each bot wins half. Without that pair, the rating of a bot that wins all its pairs would be infinite.
    pub fn new(bots: usize, meetings: &[(usize, usize)]) -> Self {
        let mut pairs = Self { bots, won: vec![0.0; bots * bots], groups: groups(bots, meetings) };
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
    pub fn add(&mut self, winner: usize, loser: usize) {
        *self.entry(winner, loser) += 1.0;
    }

    /// Computes the most likely Elo ratings in the model of R. Bradley and M. Terry (1952, "Rank analysis of incomplete
    /// block designs"), by the steps of D. Hunter (2004, "MM algorithms for generalized Bradley-Terry models"). The
    /// mean rating of each group is 0, because bots of different groups cannot be compared.
    pub fn ratings(&self) -> Vec<f64> {
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

    /// Returns for each bot the smallest index of a bot in its group. A chain of meetings connects any two bots of a
    /// group.
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Improves the strengths, whose product stays 1 in each group. Returns the largest change of the logarithm of a
    /// strength.
    fn step(&self, won: &[f64], strengths: &mut [f64]) -> f64 {
        let next: Vec<f64> = (0..self.bots)
            .map(|a| {
                let term = |b: usize| {
                    let pairs = self.won[a * self.bots + b] + self.won[b * self.bots + a];
                    pairs / (strengths[a] + strengths[b])
                };
                let sum = (0..self.bots).filter(|&b| b != a).map(term).sum::<f64>();
                if sum > 0.0 { won[a] / sum } else { 1.0 }
            })
            .collect();
        let mut sums = vec![(0.0, 0.0); self.bots];
        for (&group, strength) in self.groups.iter().zip(&next) {
            let (logarithms, count) = &mut sums[group];
            (*logarithms, *count) = (*logarithms + strength.ln(), *count + 1.0);
        }
        let mut change = 0_f64;
        for ((strength, next), &group) in strengths.iter_mut().zip(next).zip(&self.groups) {
            let (logarithms, count) = sums[group];
            let next = next / (logarithms / count).exp();
            change = change.max((next / *strength).ln().abs());
            *strength = next;
        }
        change
    }
}

/// Returns for each bot the smallest index of a bot in its group, see [`DecidedPairs::groups`].
fn groups(bots: usize, meetings: &[(usize, usize)]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..bots).collect();
    for &(a, b) in meetings {
        let [kept, other] = [groups[a].min(groups[b]), groups[a].max(groups[b])];
        groups.iter_mut().filter(|group| **group == other).for_each(|group| *group = kept);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo::pair_probability;

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

    /// At the most likely ratings, the number of pairs that each bot won equals the expected number.
    #[test]
    fn won_pairs_equal_the_expected_number() {
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

    /// Two groups that never met get the ratings that each group would get without the other.
    #[test]
    fn unconnected_groups_have_separate_ratings() {
        let mut pairs = DecidedPairs::new(5, &[(0, 3), (1, 4)]);
        assert_eq!(pairs.groups(), [0, 1, 2, 0, 1]);
        (0..7).for_each(|_| pairs.add(0, 3));
        (0..7).for_each(|_| pairs.add(4, 1));
        let mut alone = DecidedPairs::new(2, &[(0, 1)]);
        (0..7).for_each(|_| alone.add(0, 1));
        let (ratings, alone) = (pairs.ratings(), alone.ratings());
        for (rating, expected) in ratings.iter().zip([alone[0], alone[1], 0.0, alone[1], alone[0]]) {
            assert!((rating - expected).abs() < 1e-3, "{ratings:?} {alone:?}");
        }
        assert_eq!(DecidedPairs::new(4, &[(2, 3), (0, 1), (1, 2)]).groups(), [0; 4]);
    }

    #[test]
    fn ratings_without_games_and_after_only_wins() {
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
