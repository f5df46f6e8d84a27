//! The intervals of ratings, computed by the bootstrap over starts.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::bradley_terry::DecidedPairs;

/// The number of samples of the bootstrap.
const SAMPLES: usize = 400;

/// The number of samples below each interval, and above it: 2.5 % of all samples.
const TAIL: usize = SAMPLES / 40;

/// Computes the 95 % interval of each bot's rating by B. Efron's bootstrap (1979, "Bootstrap methods: another look at
/// the jackknife").
///
/// For each sample, `starts.len()` starts are drawn with equal probability, and the sample has all decided pairs of
/// these starts. Starts are drawn instead of pairs because the pairs of one start depend on each other. `starts` has
/// the decided pairs of each start, as winner and loser. `empty` is the result of
/// [`DecidedPairs::new`], to which the pairs of each sample are added. With fewer than two starts there are no
/// intervals, because nothing is known about other starts.
pub fn intervals(
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
    use crate::statistics::elo::EloEstimate;
    use crate::statistics::elo::PairCounts;

    /// With one pair for each start, the interval of two bots is near the interval that the closed formula gives.
    #[test]
    fn two_bots_near_the_closed_form() {
        let starts: Vec<_> =
            (0..300).map(|start| vec![if start % 3 == 0 { (1, 0) } else { (0, 1) }]).collect();
        let ends = intervals(2, &DecidedPairs::new(2, &[(0, 1)]), &starts).unwrap();
        // The rating of one bot is half of the difference of the two.
        let (low, high) = (2.0 * ends[0].0, 2.0 * ends[0].1);
        let counts = PairCounts { won: 200, lost: 100, split: 0 };
        let EloEstimate::Interval { elo, margin } = EloEstimate::of(counts) else { panic!() };
        assert!((low - (elo - margin)).abs() < 4.0, "{low} {elo} {margin}");
        assert!((high - (elo + margin)).abs() < 4.0, "{high} {elo} {margin}");
    }

    /// Several pairs of one start that always end alike count as one pair.
    #[test]
    fn repeated_pairs_of_a_start_do_not_narrow_the_interval() {
        let width = |repeats: usize| {
            let starts: Vec<_> =
                (0..100).map(|start| vec![if start % 2 == 0 { (1, 0) } else { (0, 1) }; repeats]).collect();
            let ends = intervals(2, &DecidedPairs::new(2, &[(0, 1)]), &starts).unwrap();
            ends[0].1 - ends[0].0
        };
        assert!((width(4) / width(1) - 1.0).abs() < 0.05);
    }
}
