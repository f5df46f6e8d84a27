//! The blocked sieve: the losing piles of a subtraction game, where only outcomes are asked for.

/// The losing piles of a subtraction game.
pub(super) struct Losing {
    piles: Vec<u32>,
}

/// Piles of a block: a byte each, so that it stays in the first-level cache.
const BLOCK: usize = 1 << 15;

impl Losing {
    /// The losing piles from 0 to `n`, where `takes`, in ascending order, may be taken.
    ///
    /// A pile is won exactly when a take leads to a losing one, and losing piles are few: below 10^8 one in 300, if
    /// all squares may be taken. So each losing pile marks the piles it wins, block by block, and for each take one
    /// index remembers which losing piles have been marked from. What is not marked when it is reached is losing,
    /// and marks the rest of its block at once.
    ///
    /// Time: one step for each losing pile and take. Memory: four bytes for each losing pile, eight for each take.
    pub(super) fn new(takes: &[u32], n: u32) -> Self {
        let mut piles: Vec<u32> = Vec::new();
        let mut next = vec![0_usize; takes.len()];
        let mut won = vec![false; BLOCK];
        for first in (0..=n).step_by(BLOCK) {
            won.fill(false);
            let last = n.min(first + (BLOCK as u32 - 1));
            for (take, next) in takes.iter().zip(&mut next).take_while(|(take, _)| **take <= last) {
                // Where a losing pile leads, from the block's first; it wraps around below and is too large above.
                let marks =
                    piles[*next..].iter().map(|pile| pile.wrapping_add(*take).wrapping_sub(first) as usize);
                let mut done = 0;
                for mark in marks {
                    let Some(won) = won.get_mut(mark) else { break };
                    *won = true;
                    done += 1;
                }
                *next += done;
            }
            let found = piles.len();
            for at in 0..=(last - first) as usize {
                if won[at] {
                    continue;
                }
                piles.push(first + at as u32);
                for take in takes {
                    let Some(won) = won.get_mut(at + *take as usize) else { break };
                    *won = true;
                }
            }
            for (take, next) in takes.iter().zip(&mut next).take_while(|(take, _)| **take as usize <= BLOCK) {
                // These have been marked already, where they were found.
                let done = piles[found..].partition_point(|pile| pile + take <= last);
                if done > 0 {
                    *next = found + done;
                }
            }
        }
        Self { piles }
    }

    /// Whether a pile loses.
    pub(super) fn contains(&self, pile: u64) -> bool {
        u32::try_from(pile).is_ok_and(|pile| self.piles.binary_search(&pile).is_ok())
    }
}
