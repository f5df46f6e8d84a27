//! The intervals of ratings, by the bootstrap over starts.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::bradley_terry::DecidedPairs;

/// How many samples are drawn.
const SAMPLES: usize = 400;

/// How many of them lie below an interval, and how many above it: 2.5 %.
const TAIL: usize = SAMPLES / 40;

/// The 95 % interval of each bot's rating, by B. Efron's bootstrap (1979, "Bootstrap methods: another look at the
/// jackknife").
///
/// A sample draws starts, as many as there are, each as likely as the others, and takes all decided pairs of each.
/// Starts are drawn, not pairs, because the pairs of one start depend on each other. `starts` has the decided
/// pairs of each start, winner and loser; `empty` the pairs before any game. Without two starts nothing is known of
/// others: there are no intervals.
pub(crate) fn intervals(
    bots: usize,
    empty: &DecidedPairs,
    starts: &[Vec<(usize, usize)>],
) -> Option<Vec<(f64, f64)>> {
    if starts.len() < 2 {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut ratings: Vec<Vec<f64>> = vec![Vec::with_capacity(SAMPLES); bots];
    for _ in 0..SAMPLES {
        let mut sample = empty.clone();
        for _ in starts {
            for &(winner, loser) in &starts[rng.random_range(0..starts.len())] {
                sample.add(winner, loser);
            }
        }
        for (all, rating) in ratings.iter_mut().zip(sample.ratings()) {
            all.push(rating);
        }
    }
    let ends = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        (all[TAIL], all[SAMPLES - 1 - TAIL])
    };
    Some(ratings.into_iter().map(ends).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::arena::statistics::elo::EloEstimate;
    use crate::matches::arena::statistics::elo::PairCounts;

    /// With one pair a start, the interval of two bots is that of the closed form.
    #[test]
    fn two_bots_near_the_closed_form() {
        let starts: Vec<_> =
            (0..300).map(|start| vec![if start % 3 == 0 { (1, 0) } else { (0, 1) }]).collect();
        let ends = intervals(2, &DecidedPairs::new(2, &[(0, 1)]), &starts).unwrap();
        // The rating of one is half the difference of the two.
        let (low, high) = (2.0 * ends[0].0, 2.0 * ends[0].1);
        let counts = PairCounts { won: 200, lost: 100, split: 0 };
        let EloEstimate::Interval { elo, margin } = EloEstimate::of(counts) else { panic!() };
        assert!((low - (elo - margin)).abs() < 4.0, "{low} {elo} {margin}");
        assert!((high - (elo + margin)).abs() < 4.0, "{high} {elo} {margin}");
    }

    /// Pairs of one start that always end alike are worth one pair.
    #[test]
    fn repeated_pairs_of_a_start_narrow_nothing() {
        let width = |repeats: usize| {
            let starts: Vec<_> =
                (0..100).map(|start| vec![if start % 2 == 0 { (1, 0) } else { (0, 1) }; repeats]).collect();
            let ends = intervals(2, &DecidedPairs::new(2, &[(0, 1)]), &starts).unwrap();
            ends[0].1 - ends[0].0
        };
        assert!((width(4) / width(1) - 1.0).abs() < 0.05);
    }
}
