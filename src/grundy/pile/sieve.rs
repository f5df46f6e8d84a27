//! A sieve that finds the losing piles of a subtraction game, if only outcomes are needed.
//!
//! A pile loses if no move from it leaves a losing pile. So the piles are decided in ascending order, block by block. A
//! losing pile marks the piles of its own block from which a move leaves it as won, one by one. Then all losing piles
//! of the block mark the later piles at once: for each number that may be taken, the bits of the block are shifted by
//! this number.

use crate::grundy::tabulated::Values;
use crate::integers::narrow;

/// Number of piles of a block, and of its words. A bit for each pile.
const BLOCK: usize = 1 << 12;
const WORDS: usize = BLOCK / 64;

/// The losing piles of a subtraction game.
#[derive(Debug)]
pub(super) struct PPositions {
    /// A bit for each pile that is won. The piles above the largest may be wrong.
    won: Vec<u64>,
}

impl PPositions {
    /// Finds the losing piles from 0 to `n`. A move takes one of the numbers in `takes`, which are in ascending order.
    ///
    /// Time: for each block and each number at most [`WORDS`] steps, and for each losing pile at most a step for each
    /// number less than [`BLOCK`]. Memory: a bit for each pile.
    pub(super) fn new(takes: &[u64], n: u64) -> Self {
        let (takes, n): (Vec<usize>, usize) = (takes.iter().map(|&take| narrow(take)).collect(), narrow(n));
        // The last blocks are shifted beyond the largest pile.
        let mut won = vec![0; (n / BLOCK + 2) * WORDS + 1];
        for first in (0..=n).step_by(BLOCK) {
            let lost = decide(&mut won[first / 64..][..WORDS], &takes);
            for &take in takes.iter().take_while(|&take| first + take <= n) {
                let (later, shift) = (&mut won[(first + take) / 64..], take % 64);
                for (won, lost) in later.iter_mut().zip(lost.windows(2)) {
                    // Two shifts for the lower word, because a shift of 64 bits is not allowed.
                    *won |= lost[1] << shift | lost[0] >> 1 >> (63 - shift);
                }
            }
        }
        Self { won }
    }
}

/// The value of a losing pile is 0, and the value of a winning pile is 1.
impl Values for PPositions {
    fn value(&self, n: u64) -> u64 {
        is_set(&self.won, narrow(n)).into()
    }
}

/// Decides the piles of a block that all earlier blocks have marked. Returns a bit for each losing pile, between a word
/// before and a word after those of the block.
fn decide(won: &mut [u64], takes: &[usize]) -> [u64; WORDS + 2] {
    for pile in 0..BLOCK {
        if !is_set(won, pile) {
            for later in takes.iter().map(|take| pile + take).take_while(|&later| later < BLOCK) {
                won[later / 64] |= 1 << (later % 64);
            }
        }
    }
    let mut lost = [0; WORDS + 2];
    lost[1..].iter_mut().zip(won).for_each(|(lost, won)| *lost = !*won);
    lost
}

fn is_set(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The losing piles up to `n` by the definition.
    fn losing(takes: &[u64], n: u64) -> Vec<u64> {
        let mut loses: Vec<bool> = Vec::new();
        for pile in 0..=n {
            let mut followers = takes.iter().map_while(|&take| pile.checked_sub(take));
            loses.push(!followers.any(|follower| loses[narrow::<usize>(follower)]));
        }
        (0..=n).filter(|&pile| loses[narrow::<usize>(pile)]).collect()
    }

    fn sieved(takes: &[u64], n: u64) -> Vec<u64> {
        let sieve = PPositions::new(takes, n);
        (0..=n).filter(|&pile| sieve.value(pile) == 0).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        /// Few losing piles in a block, or many.
        #[test]
        fn any_takes(takes in prop::collection::btree_set(1_u64..30_000, 0..300), n in 1_u64..40_000) {
            let takes: Vec<u64> = takes.into_iter().filter(|&take| take <= n).collect();
            prop_assert_eq!(sieved(&takes, n), losing(&takes, n));
        }
    }
}
