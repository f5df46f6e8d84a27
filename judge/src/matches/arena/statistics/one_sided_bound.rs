//! The bound on the rating of a bot that has won all of its decided pairs: there a bootstrap shows nothing, because all samples
//! are alike.

use super::elo::{ONE_SIDED_ERROR, pair_probability};

/// Ratings beyond this are not looked for.
const FARTHEST: f64 = 1e5;

/// How often the range is halved.
const HALVINGS: usize = 60;

/// The Elo rating at which a bot wins all its decided pairs once in twenty times; `opponents` has the Elo rating of the
/// opponent in each pair. Against equal opponents it is the one-sided bound of C. Clopper and E. Pearson (1934).
pub(crate) fn if_all_are_won(opponents: &[f64]) -> f64 {
    let all_won =
        |rating: f64| opponents.iter().map(|other| pair_probability(rating - other)).product::<f64>();
    let (mut low, mut high) = (-FARTHEST, FARTHEST);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if all_won(middle) < ONE_SIDED_ERROR { low = middle } else { high = middle }
    }
    high
}

/// The Elo rating at which a bot loses all its decided pairs once in twenty times.
pub(crate) fn if_all_are_lost(opponents: &[f64]) -> f64 {
    -if_all_are_won(&opponents.iter().map(|other| -other).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::arena::statistics::elo::EloEstimate;
    use crate::matches::arena::statistics::pair_counts::PairCounts;

    /// Against one opponent it is the bound of the difference.
    #[test]
    fn one_opponent() {
        for pairs in [1, 3, 40] {
            let counts = PairCounts { won: pairs, lost: 0, split: 0 };
            let EloEstimate::AtLeast(bound) = EloEstimate::of(counts) else { panic!() };
            let opponents = vec![25.0; pairs as usize];
            assert!((if_all_are_won(&opponents) - 25.0 - bound).abs() < 1e-6, "{pairs}");
            assert!((if_all_are_lost(&opponents) - 25.0 + bound).abs() < 1e-6, "{pairs}");
        }
    }

    /// To have won against the better one shows more.
    #[test]
    fn several_opponents() {
        let bound = if_all_are_won(&[-100.0, 50.0]);
        let both = pair_probability(bound + 100.0) * pair_probability(bound - 50.0);
        assert!((both - 0.05).abs() < 1e-9);
        assert!(bound > if_all_are_won(&[-100.0, -100.0]) && bound < if_all_are_won(&[50.0, 50.0]));
    }
}
