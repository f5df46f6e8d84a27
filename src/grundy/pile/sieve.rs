//! A sieve that finds the losing piles of a subtraction game, if only outcomes are needed.
//!
//! A pile loses if no move from it leaves a losing pile. So the piles are decided in ascending order, block by block,
//! and each losing pile marks the piles from which a move leaves it as won. The marks of a block are set in the cheaper
//! of two ways: one by one for each losing pile, or for all losing piles of the block at once, by shifting the words of
//! the block by each number that may be taken. Marks are set segment by segment, so that they stay in the cache.

use std::ops::Range;

use crate::integers::{narrow, ones};

/// Number of piles of a block, and of its words. A bit for each pile.
const BLOCK: usize = 1 << 12;
const WORDS: usize = BLOCK / 64;

/// Number of blocks of a segment, which has 128 KiB.
const SEGMENT: usize = (128 << 10) * 8 / BLOCK;

/// Marks are set one by one for fewer losing piles of a block: these take as long as a shift of the words.
const FEW: u32 = 80;

/// The losing piles of a subtraction game.
#[derive(Debug)]
pub(super) struct PPositions {
    /// A bit for each pile that is won.
    won: Vec<u64>,
    n: usize,
}

impl PPositions {
    /// Finds the losing piles from 0 to `n`. A move takes one of the numbers in `takes`, which are in ascending order.
    ///
    /// Time: for each block and each number at most [`WORDS`] steps, and for each losing pile at most a step for each
    /// number less than [`BLOCK`]. Memory: a bit for each pile.
    pub(super) fn new(takes: &[u64], n: u64) -> Self {
        let n: usize = narrow(n);
        let takes: Vec<usize> = takes.iter().map(|&take| narrow(take)).collect();
        let blocks = n / BLOCK + 1;
        // A word more, for the upper bits of the last shifted word.
        let mut sieve = Self { won: vec![0; blocks * WORDS + 1], n };
        for segment in (0..blocks).step_by(SEGMENT) {
            let end = blocks.min(segment + SEGMENT);
            for block in 0..segment {
                sieve.mark(block, segment..end, &takes);
            }
            for block in segment..end {
                sieve.decide(block, &takes);
                sieve.mark(block, block + 1..end, &takes);
            }
        }
        sieve
    }

    /// Decides the piles of a block, if the losing piles of all earlier blocks have marked the block.
    fn decide(&mut self, block: usize, takes: &[usize]) {
        let end = (block + 1) * BLOCK;
        for pile in block * BLOCK..end {
            if self.won[pile / 64] >> (pile % 64) & 1 == 0 {
                let won = takes.iter().map(|take| pile + take).take_while(|&won| won < end);
                won.for_each(|won| self.mark_pile(won));
            }
        }
    }

    /// Marks the piles of the blocks `targets` from which a move leaves a losing pile of `block`.
    fn mark(&mut self, block: usize, targets: Range<usize>, takes: &[usize]) {
        let (first, targets) = (block * BLOCK, targets.start * BLOCK..targets.end * BLOCK);
        let mut lost = [0; WORDS];
        for (lost, won) in lost.iter_mut().zip(&self.won[block * WORDS..]) {
            *lost = !won;
        }
        if lost.iter().map(|word| word.count_ones()).sum::<u32>() < FEW {
            // The greater the pile, the less must be taken to leave it.
            let mut used = takes.partition_point(|take| first + take < targets.start)
                ..takes.partition_point(|take| first + take < targets.end);
            for (word, &losing) in (first..).step_by(64).zip(&lost) {
                for pile in ones(losing).map(|bit| word + bit) {
                    while used.start > 0 && pile + takes[used.start - 1] >= targets.start {
                        used.start -= 1;
                    }
                    while used.end > 0 && pile + takes[used.end - 1] >= targets.end {
                        used.end -= 1;
                    }
                    takes[used.clone()].iter().for_each(|take| self.mark_pile(pile + take));
                }
            }
        } else {
            let from = takes.partition_point(|take| first + take + BLOCK <= targets.start);
            for take in takes[from..].iter().take_while(|&take| first + take < targets.end) {
                shift_onto(&lost, &mut self.won[(first + take) / 64..], take % 64);
            }
        }
    }

    fn mark_pile(&mut self, pile: usize) {
        if let Some(word) = self.won.get_mut(pile / 64) {
            *word |= 1 << (pile % 64);
        }
    }

    pub(super) fn contains(&self, pile: u64) -> bool {
        let pile: usize = narrow(pile);
        self.won[pile / 64] >> (pile % 64) & 1 == 0
    }

    /// Returns the losing piles below `end`, in ascending order. `end` is at most `n` + 1.
    pub(super) fn below(&self, end: u64) -> impl Iterator<Item = u64> {
        let words = (0..).step_by(64).zip(&self.won[..=self.n / 64]);
        let losing = words.flat_map(|(first, word)| ones(!word).map(move |bit| first + bit as u64));
        losing.take_while(move |&pile| pile < end)
    }
}

/// Sets the bits of `words` in `won`, `shift` bits higher. Bits after the end of `won` are dropped.
fn shift_onto(words: &[u64; WORDS], won: &mut [u64], shift: usize) {
    let mut before = 0;
    for (won, &word) in won.iter_mut().zip(words.iter().chain([&0])) {
        // Two shifts for the lower word, because a shift of 64 bits is not allowed.
        *won |= word << shift | before >> 1 >> (63 - shift);
        before = word;
    }
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
        let piles: Vec<u64> = (0..=n).filter(|&pile| sieve.contains(pile)).collect();
        for end in [0, n / 2, n, n + 1] {
            assert!(sieve.below(end).eq(piles.iter().copied().take_while(|&pile| pile < end)), "below {end}");
        }
        piles
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn squares_with_bans(banned in prop::collection::btree_set(1_u64..200, 0..100), n in 1_u64..40_000) {
            let roots = (1..=n.isqrt()).filter(|root| !banned.contains(root));
            let takes: Vec<u64> = roots.map(|root| root * root).collect();
            prop_assert_eq!(sieved(&takes, n), losing(&takes, n));
        }

        /// Few losing piles in a block, or many.
        #[test]
        fn any_takes(takes in prop::collection::btree_set(1_u64..30_000, 0..300), n in 1_u64..40_000) {
            let takes: Vec<u64> = takes.into_iter().filter(|&take| take <= n).collect();
            prop_assert_eq!(sieved(&takes, n), losing(&takes, n));
        }
    }
}
