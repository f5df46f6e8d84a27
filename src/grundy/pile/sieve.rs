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

/// Number of blocks of a segment, whose marks stay in the cache: a byte for each pile. Less in tests.
const SEGMENT: usize = if cfg!(test) { 2 } else { 32 };

/// Marks are set one by one for fewer losing piles of a block: these take as long as a shift of the words.
const FEW: usize = 80;

/// The losing piles of a subtraction game.
#[derive(Debug)]
pub(super) struct PPositions {
    /// A bit for each pile that is won, to the end of the last block.
    won: Vec<u64>,
}

impl PPositions {
    /// Finds the losing piles from 0 to `n`. A move takes one of the numbers in `takes`, which are in ascending order.
    ///
    /// Time: for each block and each number at most [`WORDS`] steps, and for each losing pile at most a step for each
    /// number less than [`BLOCK`]. Memory: a bit for each pile, and 16 bytes for each losing pile of a block with few.
    ///
    /// # Panics
    ///
    /// If `n` is 2^32 or more.
    pub(super) fn new(takes: &[u64], n: u64) -> Self {
        assert!(u32::try_from(n).is_ok(), "{n} piles are too many for the sieve");
        let blocks = narrow::<usize>(n) / BLOCK + 1;
        let mut sieve = Sieve {
            takes: takes.iter().map(|&take| narrow(take)).collect(),
            // A word more, for the upper bits of the last shifted word.
            won: vec![0; blocks * WORDS + 1],
            marks: Vec::new(),
            few: Vec::new(),
            many: Vec::new(),
        };
        for segment in (0..blocks).step_by(SEGMENT) {
            sieve.decide(segment..blocks.min(segment + SEGMENT));
        }
        Self { won: sieve.won }
    }

    pub(super) fn contains(&self, pile: u64) -> bool {
        let pile: usize = narrow(pile);
        self.won[pile / 64] >> (pile % 64) & 1 == 0
    }

    /// Returns the losing piles below `end`, in ascending order. `end` is at most one more than the largest pile.
    pub(super) fn below(&self, end: u64) -> impl Iterator<Item = u64> {
        let words = (0..).step_by(64).zip(&self.won);
        let losing = words.flat_map(|(first, word)| ones(!word).map(move |bit| first + bit as u64));
        losing.take_while(move |&pile| pile < end)
    }
}

struct Sieve {
    /// The numbers that a move may take, in ascending order.
    takes: Vec<u32>,
    /// A bit for each pile that is won; before its block is decided, only for marks by the losing piles of `many`.
    won: Vec<u64>,
    /// For each pile of a segment, whether it is won because of a losing pile of `few`.
    marks: Vec<bool>,
    /// The losing piles of the blocks that have few.
    few: Vec<Losing>,
    /// The blocks that have many.
    many: Vec<usize>,
}

struct Losing {
    pile: usize,
    /// The index of the least number that has not marked a pile.
    next: usize,
}

impl Losing {
    /// Marks the piles from which a move leaves this pile. The marks begin with that of the pile `start`, and no earlier
    /// pile may be left to mark.
    fn mark(&mut self, takes: &[u32], marks: &mut [bool], start: usize) {
        let first = self.pile.wrapping_sub(start);
        let index = |take: u32| first.wrapping_add(take as usize);
        // Four marks with one test of the end: most of the time goes into these loops.
        while let Some(next) =
            takes[self.next..].first_chunk::<4>().filter(|next| index(next[3]) < marks.len())
        {
            for take in next {
                marks[index(*take)] = true;
            }
            self.next += 4;
        }
        for take in &takes[self.next..] {
            let Some(mark) = marks.get_mut(index(*take)) else { break };
            *mark = true;
            self.next += 1;
        }
    }
}

impl Sieve {
    fn decide(&mut self, blocks: Range<usize>) {
        let (start, end) = (blocks.start * BLOCK, blocks.end * BLOCK);
        self.marks.clear();
        self.marks.resize(end - start, false);
        for losing in &mut self.few {
            losing.mark(&self.takes, &mut self.marks, start);
        }
        for block in std::mem::take(&mut self.many) {
            self.shift(block, start..end);
            self.many.push(block);
        }
        for block in blocks {
            let known = self.few.len();
            self.decide_block(block, start);
            if self.few.len() - known < FEW {
                for losing in &mut self.few[known..] {
                    losing.mark(&self.takes, &mut self.marks, start);
                }
            } else {
                self.few.truncate(known);
                self.many.push(block);
                self.shift(block, (block + 1) * BLOCK..end);
            }
        }
    }

    /// Decides the piles of a block, if the losing piles of all earlier blocks have marked the block. Adds the losing piles
    /// to `few`. `start` is the first pile of the segment.
    fn decide_block(&mut self, block: usize, start: usize) {
        let end = (block + 1) * BLOCK;
        for first in (block * BLOCK..end).step_by(64) {
            let word = self.won[first / 64];
            let mut won = 0;
            for bit in 0..64 {
                let pile = first + bit;
                let is_won = word >> bit & 1 > 0 || self.marks[pile - start];
                won |= u64::from(is_won) << bit;
                if !is_won {
                    let mut losing = Losing { pile, next: 0 };
                    losing.mark(&self.takes, &mut self.marks[..end - start], start);
                    self.few.push(losing);
                }
            }
            self.won[first / 64] = won;
        }
    }

    /// Marks the piles of `targets` from which a move leaves a losing pile of `block`.
    fn shift(&mut self, block: usize, targets: Range<usize>) {
        let first = block * BLOCK;
        let mut lost = [0; WORDS];
        for (lost, won) in lost.iter_mut().zip(&self.won[block * WORDS..]) {
            *lost = !won;
        }
        let from = self.takes.partition_point(|&take| first + take as usize + BLOCK <= targets.start);
        let takes = self.takes[from..].iter().map(|&take| take as usize);
        for take in takes.take_while(|take| first + take < targets.end) {
            shift_onto(&lost, &mut self.won[(first + take) / 64..], take % 64);
        }
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

        /// Few losing piles in a block, or many.
        #[test]
        fn any_takes(takes in prop::collection::btree_set(1_u64..30_000, 0..300), n in 1_u64..40_000) {
            let takes: Vec<u64> = takes.into_iter().filter(|&take| take <= n).collect();
            prop_assert_eq!(sieved(&takes, n), losing(&takes, n));
        }
    }
}
