//! The blocked sieve: the losing piles of a subtraction game, for which only outcomes are needed.
//!
//! A pile is won exactly when a take leads to a losing pile. So the losing piles before a block, shifted by each take
//! and combined by OR, are won piles of the block. The remaining piles of the block are decided in ascending order.
//!
//! # Residue classes
//!
//! Each residue class modulo 65 = 5 * 13 has its own bits: pile 65 q + c is bit q of class c, and q is the *row* of
//! the pile. A take 65 s + t leads from class c to class c - t, and from each row to the row s lower, so classes
//! without losing piles cost nothing. For squares this saves most of the work: squares have few residues modulo 5 and
//! modulo 13, and most losing piles are in classes that do not differ by a square (I. Z. Ruzsa 1984, "Difference sets
//! without squares", builds large sets of such residues modulo 65). Below 10^8 one pile in 300 loses, and a third of
//! the classes has nine of ten losing piles.
//!
//! # Which way is cheaper
//!
//! The sieve has three ways to use the losing piles of earlier blocks, and chooses the cheapest. Writing a bit costs
//! about 5 times as much as shifting a word, and reading a bit 8 times as much. Let a class have w words in a block:
//!
//! - A class is *dense* in a block if more than one of its piles in 640 loses there. The bits of a dense class are
//!   shifted: w words per take. The takes that win most piles come first: those that lead to the classes with most
//!   losing piles, and to the smallest piles.
//! - Otherwise the class is *sparse* in the block. For each of its losing piles and each take, the pile that the take
//!   wins is marked: one bit is written. The marks use all takes, but the shifts end when few piles are unmarked;
//!   with this difference, one in 640 is the best limit.
//! - Once fewer than w / 8 piles of a class are unmarked, a losing follower is searched for each of them instead: one
//!   bit is read per remaining take. This costs no more than the shifts, and ends when a losing follower is found.
//!
//! Within the block the sieve works by stripes of 64 rows: shifts from the lower stripes, then pile by pile.

use self::block::Work;
use self::found::{Found, MODULUS, Takes};
use super::processors;
use crate::grundy::{Budget, TooLarge};

mod block;
mod found;

/// The losing piles of a subtraction game.
pub(super) struct PPositions {
    found: Found,
}

impl PPositions {
    /// Finds the losing piles from 0 to `n`. A move takes one of the numbers in `takes`, which are in ascending order.
    ///
    /// Time: at most a fraction of a step per pile and take; see the module. Uses up to 8 threads. Memory: at most a
    /// bit per pile, touched only in dense classes; four bytes per losing pile of a sparse class; some bytes per
    /// take. The number of steps is known only block by block. `progress` is called with the last finished pile.
    ///
    /// # Errors
    ///
    /// If the forecast after a tenth of the budget's steps exceeds the budget; later only if the steps exceed twice the
    /// budget. `what` names the table.
    pub(super) fn new(
        takes: &[u32],
        n: u32,
        budget: &mut Budget,
        what: impl Fn() -> String,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let threads = if n < WORTH_THREADS { 1 } else { processors() };
        Self::in_blocks(takes, n, rows(n), threads, budget, what, progress)
    }

    /// Finds the P-positions of [`new`](Self::new) in blocks of `rows` rows, with `threads` threads.
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
            // Do not refuse an admitted sieve that needs more steps than forecast.
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

/// With fewer piles than `WORTH_THREADS`, one thread finishes before other threads have started.
const WORTH_THREADS: u32 = 1 << 21;

/// Returns the number of rows in a block: a multiple of 1024. With larger blocks more piles are decided one by one;
/// with smaller blocks more shifts are started. These sizes were measured as the fastest.
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
    /// For each finished block, the number of steps up to and including this block.
    spent: Vec<u128>,
}

impl Forecast {
    /// Returns the forecast for a sieve of `blocks` blocks with a budget of `allowed` steps.
    fn new(allowed: u128, blocks: usize) -> Self {
        Self { allowed, blocks, spent: Vec::new() }
    }

    /// Adds a finished block that needed `steps` steps, and returns the expected steps of all blocks; `None` before
    /// [`LEAST`](Self::LEAST) blocks.
    ///
    /// The second half of the blocks needs as many steps as the first half or, because more takes apply, up to twice as
    /// many. The growth of the finished blocks is used for the rest.
    fn expect(&mut self, steps: u128) -> Option<u128> {
        let all = self.spent.last().copied().unwrap_or(0) + steps;
        self.spent.push(all);
        let done = self.spent.len();
        if done < Self::LEAST {
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
        let left = (self.blocks - blocks) as u128;
        Some(expected + expected * (growth - 1000) / 1000 * left / blocks as u128)
    }

    /// Returns whether the sieve is refused because of the `expected` steps: after the block that reaches a tenth of
    /// the allowed steps if `expected` exceeds them, and before it only if `expected` exceeds them four times.
    fn is_refused(&self, expected: u128) -> bool {
        let [.., before, all] = self.spent[..] else { return false };
        let tenth = self.allowed / 10;
        before <= tenth && (all > tenth || expected > 4 * self.allowed) && expected > self.allowed
    }

    /// Number of blocks below which no forecast is made.
    const LEAST: usize = 16;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the losing piles by their definition.
    fn losing(takes: &[u32], n: u32) -> Vec<u32> {
        let mut loses: Vec<bool> = Vec::new();
        for pile in 0..=n as usize {
            let mut followers = takes.iter().map_while(|&take| pile.checked_sub(take as usize));
            loses.push(!followers.any(|follower| loses[follower]));
        }
        (0..=n).filter(|&pile| loses[pile as usize]).collect()
    }

    fn sieved(takes: &[u32], n: u32, threads: usize) -> Vec<u32> {
        let mut budget = Budget::GAME;
        let mut told = Vec::new();
        let mut progress = |pile| told.push(pile);
        let sieve =
            PPositions::in_blocks(takes, n, 1024, threads, &mut budget, String::new, &mut progress).unwrap();
        assert!(told.is_sorted_by(|a, b| a < b) && told.last() == Some(&n.into()), "{told:?} of {n}");
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

        /// The roots of the squares are in some residue classes only: then more piles lose, or piles of other classes.
        #[test]
        fn squares_of_some_residues(modulus in 2_u32..16, kept in any::<u16>(), threads in 1_usize..4) {
            let roots = (1..=447).filter(|root| kept >> (root % modulus) & 1 == 1);
            let takes: Vec<u32> = roots.map(|root| root * root).collect();
            prop_assert_eq!(sieved(&takes, 200_000, threads), losing(&takes, 200_000));
        }

        /// Any takes, dense and sparse, equal or next to each other modulo 65.
        #[test]
        fn any_takes(takes in prop::collection::btree_set(1_u32..150_000, 0..300), threads in 1_usize..3) {
            let takes: Vec<u32> = takes.into_iter().collect();
            prop_assert_eq!(sieved(&takes, 200_000, threads), losing(&takes, 200_000));
        }
    }

    /// The cost does not depend on the number of threads.
    #[test]
    fn the_cost_of_any_threads() {
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

    /// If the first squares are banned, all first piles lose, and the later piles cost far less: the sieve must not be
    /// refused.
    #[test]
    fn few_takes_are_no_reason_to_refuse() {
        let takes: Vec<u32> = (1501..=3162).map(|root| root * root).collect();
        let mut budget = Budget::new(60_000_000, 1 << 24);
        PPositions::in_blocks(&takes, 10_000_000, 2048, 1, &mut budget, String::new, &mut |_| ()).unwrap();
    }

    #[test]
    fn ends_of_blocks() {
        let takes: Vec<u32> = (1..=520).map(|root| root * root).collect();
        let all = losing(&takes, 266_300);
        for n in [0, 1, 64, 65, 66_559, 66_560, 66_561, 133_119, 133_120, 266_240] {
            let up_to: Vec<u32> = all.iter().copied().take_while(|&pile| pile <= n).collect();
            assert_eq!(sieved(&takes, n, 2), up_to, "to {n}");
        }
    }
}
