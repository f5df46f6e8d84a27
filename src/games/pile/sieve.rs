//! The blocked sieve: the losing piles of a subtraction game, where only outcomes are asked for.

use crate::games::{Budget, TooLarge};

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
    /// Time: one step for each losing pile and take. Memory: four bytes for each losing pile, twelve for each take. How
    /// many losing piles there are shows only on the way, so the cost is taken from the budget block by block.
    ///
    /// # Errors
    ///
    /// If that takes more than the budget; `what` names the table.
    pub(super) fn new(
        takes: &[u32],
        n: u32,
        budget: &mut Budget,
        what: impl Fn() -> String,
    ) -> Result<Self, TooLarge> {
        let mut piles: Vec<u32> = Vec::new();
        let mut next = vec![0; takes.len()];
        let mut won = vec![false; BLOCK];
        for first in (0..=n).step_by(BLOCK) {
            let last = n.min(first + (BLOCK as u32 - 1));
            let before = piles.len();
            won.fill(false);
            let far = mark_from_before(&piles, takes, &mut next, first, last, &mut won);
            let near = mark_from_within(&mut piles, takes, first, last, &mut won);
            let found = &piles[before..];
            for (take, next) in takes.iter().zip(&mut next).take_while(|(take, _)| **take as usize <= BLOCK) {
                // These have been marked from already, where they were found.
                match found.partition_point(|pile| pile + take <= last) {
                    0 => {}
                    done => *next = before + done,
                }
            }
            // A growing list may have twice the room it needs.
            budget.spend(&what, far + near, (found.len() * 2 * size_of::<u32>()) as u128)?;
        }
        Ok(Self { piles })
    }

    /// Whether a pile loses.
    pub(super) fn contains(&self, pile: u64) -> bool {
        u32::try_from(pile).is_ok_and(|pile| self.piles.binary_search(&pile).is_ok())
    }
}

/// Marks the piles from `first` to `last` that are won by a take to a losing pile of an earlier block. `next` are, by
/// take, the first of the losing piles that have not been marked from. Returns the number of steps.
fn mark_from_before(
    piles: &[u32],
    takes: &[u32],
    next: &mut [usize],
    first: u32,
    last: u32,
    won: &mut [bool],
) -> u128 {
    let mut steps = 0;
    for (take, next) in takes.iter().zip(next).take_while(|(take, _)| **take <= last) {
        let mut done = 0;
        for pile in &piles[*next..] {
            // The place in the block. No pile is so low that it would be missed, and those above are not there.
            let Some(won) = won.get_mut(pile.wrapping_add(*take).wrapping_sub(first) as usize) else { break };
            *won = true;
            done += 1;
        }
        *next += done;
        steps += done as u128 + 1;
    }
    steps
}

/// Finds the losing piles from `first` to `last`, and marks what they win up to there. Returns the number of steps.
fn mark_from_within(piles: &mut Vec<u32>, takes: &[u32], first: u32, last: u32, won: &mut [bool]) -> u128 {
    let mut steps = 0;
    for at in 0..=(last - first) as usize {
        if won[at] {
            continue;
        }
        piles.push(first + at as u32);
        for take in takes {
            let Some(won) = won.get_mut(at + *take as usize) else { break };
            *won = true;
            steps += 1;
        }
    }
    steps
}
