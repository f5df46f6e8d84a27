//! A blocked sieve that finds the losing piles of a subtraction game, if only outcomes are needed.
//!
//! A pile is won exactly when a take leads to a losing pile. So the losing piles before a block, shifted by each take
//! and combined by OR, are won piles of the block. The remaining piles of the block are decided in ascending order.
//!
//! # Residue classes
//!
//! Each residue class modulo 65 = 5 * 13 has its own bits: pile 65 q + c is bit q of class c, and q is the *row* of
//! the pile. A take 65 s + t leads from class c to class c - t modulo 65, s rows lower (s + 1 rows if t > c). Classes
//! without losing piles cost nothing. For squares this saves most of the work: squares have few residues modulo 5 and
//! modulo 13, and most losing piles are in classes that do not differ by a square (I. Z. Ruzsa 1984, "Difference sets
//! without squares", builds large sets of such residues modulo 65). Below 10^8 one pile in 300 loses, and a third of
//! the classes have nine tenths of the losing piles.
//!
//! # Choosing the cheapest method
//!
//! The sieve has three ways to use the losing piles of earlier blocks, and chooses the cheapest. Writing a bit costs
//! about 4 times as much as shifting a word, and reading a bit 8 times as much. Let a class have w words in a block:
//!
//! - A class is *dense* in a block if more than 1/640 of its piles in this block lose. The bits of a dense class are
//!   shifted: w words per take. The takes that probably win the most piles are used first: those that lead to the
//!   classes with the most losing piles, and to the smallest piles.
//! - In other blocks the class is *sparse*. For each of its losing piles there and each take, the pile from which the
//!   take leads to the losing pile is marked as won: one bit is written. Marks must be written for all takes, but
//!   shifts end when few piles are unmarked. Because of this difference, 1/640 is the best limit.
//! - Once at most w / 8 piles of a class are unmarked, the sieve searches for a losing follower of each of them instead
//!   of shifting: it reads one bit per remaining take. This costs no more than the shifts, and the search for a pile
//!   ends when a losing follower is found.
//!
//! Within the block, the sieve processes stripes of 64 rows: first by shifts from the lower stripes, then pile by pile.

use self::block::Work;
use self::found::{Found, MODULUS, Takes};
use super::max_threads;
use crate::grundy::{Budget, TooLarge};

mod block;
mod found;

/// The losing piles of a subtraction game.
pub(super) struct PPositions {
    found: Found,
}

impl PPositions {
    /// Finds the losing piles from 0 to `n`. A move takes one of the numbers in `takes`, which are in ascending order.
    /// After each block, `progress` is called with the last finished pile.
    ///
    /// Time: at most a fraction of a step per pile and take, see the module; not known in advance. Uses up to 8
    /// threads. Memory: about a bit per pile, touched only in dense classes, four bytes per losing pile of a sparse
    /// class, and some bytes per take.
    ///
    /// # Errors
    ///
    /// If the forecast after a tenth of the budget's steps exceeds the budget, if an earlier forecast exceeds four
    /// times the budget, if the steps exceed twice the budget, or if memory or CPU time do not suffice. `what` names
    /// the table.
    pub(super) fn new(
        takes: &[u32],
        n: u32,
        budget: &mut Budget,
        what: impl Fn() -> String,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let threads = if n < MIN_PILES_FOR_THREADS { 1 } else { max_threads() };
        Self::in_blocks(takes, n, rows(n), threads, budget, what, progress)
    }

    /// Does the work of [`new`](Self::new) in blocks of `rows` rows, with `threads` threads.
    fn in_blocks(
        takes: &[u32],
        n: u32,
        rows: usize,
        threads: usize,
        budget: &mut Budget,
        what: impl Fn() -> String,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        budget.spend(&what, 0, u128::from(n) / 8)?;
        let takes = Takes::new(takes, rows);
        let mut found = Found::new(rows, n);
        let mut works: Vec<Work> = (0..threads).map(|_| Work::new(rows)).collect();
        let allowed = budget.steps();
        let mut forecast = Forecast::new(allowed, found.blocks());
        let (mut done, mut cpu_watch) = (0, budget.watch_cpu());
        for block in 0..found.blocks() {
            block::mark(&takes, &found, block, &mut works);
            let before = found.sparse_count();
            let steps = block::settle(&takes, &mut found, block, &mut works, n);
            done += steps;
            let expected = forecast.expect(steps).unwrap_or(done);
            if forecast.is_refused(expected) || done > 2 * allowed {
                return Err(budget.too_many_steps(what(), expected));
            }
            cpu_watch.check(&what, done, expected)?;
            // The capacity of a growing list may be twice its length.
            let bytes = (found.sparse_count() - before) * 2 * size_of::<u32>();
            // Do not refuse a sieve that was admitted and needs more steps than forecast.
            budget.spend(&what, steps.min(budget.steps()), bytes as u128)?;
            progress(u64::from(n).min(((block + 1) * rows * MODULUS - 1) as u64));
        }
        Ok(Self { found })
    }

    /// Returns the losing piles below `end`, in ascending order. `end` is at most `n` + 1.
    pub(super) fn below(&self, end: u64) -> impl Iterator<Item = u64> {
        self.found.below(end as usize).map(|pile| pile as u64)
    }

    /// Returns whether a pile loses.
    pub(super) fn contains(&self, pile: u64) -> bool {
        u32::try_from(pile).is_ok_and(|pile| self.found.contains(pile))
    }
}

/// Minimum number of piles for which several threads are used. Smaller sieves are finished before other threads have
/// started.
const MIN_PILES_FOR_THREADS: u32 = 1 << 21;

/// Returns the number of rows in a block, a multiple of 1024. With larger blocks, more piles are decided one by one;
/// with smaller blocks, more shifts are started. These sizes were the fastest in measurements.
fn rows(n: u32) -> usize {
    match n {
        0..30_000_000 => 1 << 11,
        30_000_000..300_000_000 => 1 << 13,
        _ => 1 << 14,
    }
}

/// Estimates the steps of the whole sieve from the steps of the finished blocks.
struct Forecast {
    allowed: u128,
    blocks: usize,
    /// For each finished block, the number of steps of all blocks up to this one.
    spent: Vec<u128>,
}

impl Forecast {
    /// Returns the forecast for a sieve of `blocks` blocks with a budget of `allowed` steps.
    fn new(allowed: u128, blocks: usize) -> Self {
        Self { allowed, blocks, spent: Vec::new() }
    }

    /// Adds a finished block that needed `steps` steps, and returns the expected steps of all blocks; `None` before
    /// [`MIN_BLOCKS`](Self::MIN_BLOCKS) blocks.
    ///
    /// The second half of the blocks needs one to two times as many steps as the first half, because more takes apply.
    /// This growth is measured in the finished blocks and extrapolated.
    fn expect(&mut self, steps: u128) -> Option<u128> {
        let all = self.spent.last().copied().unwrap_or(0) + steps;
        self.spent.push(all);
        let done = self.spent.len();
        if done < Self::MIN_BLOCKS {
            return None;
        }
        let half = self.spent[done / 2 - 1].max(1);
        // The growth per doubling, in thousandths.
        let growth = (1000 * all / half).clamp(2000, 3000);
        let (mut expected, mut blocks) = (all, done);
        while 2 * blocks <= self.blocks {
            expected = expected * growth / 1000;
            blocks *= 2;
        }
        // Fewer blocks than a doubling remain.
        let remaining = (self.blocks - blocks) as u128;
        Some(expected + expected * (growth - 1000) / 1000 * remaining / blocks as u128)
    }

    /// Returns whether the sieve is refused because of the `expected` steps. The *deciding* block is the first block
    /// after which the spent steps exceed a tenth of the allowed steps. After the deciding block, the sieve is refused
    /// if `expected` exceeds the allowed steps; after an earlier block, if `expected` exceeds four times the allowed
    /// steps; after a later block, never.
    fn is_refused(&self, expected: u128) -> bool {
        let [.., before, all] = self.spent[..] else { return false };
        let tenth = self.allowed / 10;
        before <= tenth && (all > tenth || expected > 4 * self.allowed) && expected > self.allowed
    }

    /// Minimum number of finished blocks for a forecast.
    const MIN_BLOCKS: usize = 16;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the losing piles up to `n` by the definition.
    fn losing(takes: &[u32], n: u32) -> Vec<u32> {
        let mut loses: Vec<bool> = Vec::new();
        for pile in 0..=n as usize {
            let mut followers = takes.iter().map_while(|&take| pile.checked_sub(take as usize));
            loses.push(!followers.any(|follower| loses[follower]));
        }
        (0..=n).filter(|&pile| loses[pile as usize]).collect()
    }

    /// Returns the losing piles up to `n` by the sieve. Checks `progress` and `below` too.
    fn sieved(takes: &[u32], n: u32, threads: usize) -> Vec<u32> {
        let mut budget = Budget::GAME;
        let mut done = Vec::new();
        let mut progress = |pile| done.push(pile);
        let sieve =
            PPositions::in_blocks(takes, n, 1024, threads, &mut budget, String::new, &mut progress).unwrap();
        assert!(done.is_sorted_by(|a, b| a < b) && done.last() == Some(&n.into()), "{done:?} of {n}");
        let piles: Vec<u32> = (0..=n).filter(|&pile| sieve.contains(pile.into())).collect();
        for end in [0, n / 2, n, n + 1] {
            let below: Vec<u64> = sieve.below(end.into()).collect();
            let expected = piles.iter().take_while(|&&pile| pile < end).map(|&pile| pile.into());
            assert_eq!(below, expected.collect::<Vec<u64>>(), "below {end}");
        }
        piles
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

        /// Five blocks with some squares banned: dense and sparse classes, shifts, marks and lookups.
        #[test]
        fn squares(banned in prop::collection::btree_set(1_u32..550, 0..40), threads in 1_usize..4) {
            let roots = (1..=550).filter(|root| !banned.contains(root));
            let takes: Vec<u32> = roots.map(|root| root * root).collect();
            prop_assert_eq!(sieved(&takes, 300_000, threads), losing(&takes, 300_000));
        }

        /// Only squares whose roots are in some residue classes: more piles lose, or piles of other classes.
        #[test]
        fn squares_of_some_residues(modulus in 2_u32..16, kept in any::<u16>(), threads in 1_usize..4) {
            let roots = (1..=447).filter(|root| kept >> (root % modulus) & 1 == 1);
            let takes: Vec<u32> = roots.map(|root| root * root).collect();
            prop_assert_eq!(sieved(&takes, 200_000, threads), losing(&takes, 200_000));
        }

        /// Takes of any residues modulo 65, few or many.
        #[test]
        fn any_takes(takes in prop::collection::btree_set(1_u32..150_000, 0..300), threads in 1_usize..3) {
            let takes: Vec<u32> = takes.into_iter().collect();
            prop_assert_eq!(sieved(&takes, 200_000, threads), losing(&takes, 200_000));
        }
    }

    #[test]
    fn cost_does_not_depend_on_the_number_of_threads() {
        let takes: Vec<u32> = (1..=1000).map(|root| root * root).collect();
        let left = |threads| {
            let mut budget = Budget::GAME;
            PPositions::in_blocks(&takes, 1_000_000, 1024, threads, &mut budget, String::new, &mut |_| ())
                .unwrap();
            budget
        };
        assert_ne!(left(1), Budget::GAME);
        for threads in 2..6 {
            assert_eq!(left(threads), left(1), "{threads} threads");
        }
    }

    /// If the first squares are banned, all first piles lose, and later piles cost far less than these. The sieve must
    /// not be refused.
    #[test]
    fn costly_first_piles_are_no_reason_to_refuse() {
        let takes: Vec<u32> = (1501..=3162).map(|root| root * root).collect();
        let mut budget = Budget::new(60_000_000, 1 << 24);
        PPositions::in_blocks(&takes, 10_000_000, 2048, 1, &mut budget, String::new, &mut |_| ()).unwrap();
    }

    #[test]
    fn last_pile_near_the_end_of_a_block() {
        let takes: Vec<u32> = (1..=520).map(|root| root * root).collect();
        let all = losing(&takes, 266_300);
        for n in [0, 1, 64, 65, 66_559, 66_560, 66_561, 133_119, 133_120, 266_240] {
            let up_to: Vec<u32> = all.iter().copied().take_while(|&pile| pile <= n).collect();
            assert_eq!(sieved(&takes, n, 2), up_to, "to {n}");
        }
    }
}
