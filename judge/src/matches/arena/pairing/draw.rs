//! The draw: an order of the bots that the seed alone decides.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

/// The numbers of so many bots in the order in which they are drawn.
pub(super) fn draw(bots: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..bots).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    order
}
