//! The blocked sieve: the losing piles of a subtraction game, for which only outcomes are needed.
//!
//! A pile is won exactly when a take leads to a losing one. So a block of piles is the OR of the losing piles
//! before it, shifted by each take; what is left is settled within the block, in ascending order.
//!
//! # Residue classes
//!
//! The piles of a residue class modulo 65 = 5 * 13 have bits of their own: pile 65 q + c is bit q of class c.
//! A take 65 s + t brings class c to class c - t, and rows of one to rows of the other, so classes without
//! losing piles cost nothing. For squares that is most of the work: they leave few differences modulo 5 and
//! modulo 13, and losing piles gather in classes that do not differ by a square (I. Z. Ruzsa 1984,
//! "Difference sets without squares", builds large such sets of the residues modulo 65). Below 10^8 one pile
//! in 300 loses, but nine of ten in a third of the classes.
//!
//! # Which way is cheaper
//!
//! Three ways to bring earlier losing piles to bear, each where it costs least. Against a word shifted, a bit
//! written costs about 5 times as much, and a bit read 8 times. With w words in the row of a class:
//!
//! - Where a class has more than one losing pile in 640 of a block it is *dense* there, and its bits are
//!   shifted: w words a take. The takes that lead where most piles lose come first: to the classes with most of
//!   them, and to the smallest piles.
//! - Elsewhere it is *sparse*, and each of its losing piles marks, by each take, the one pile it wins: one bit
//!   written for each pile and take. Marks continue for all takes, shifts only until few piles are
//!   unmarked, which makes one in 640 the best.
//! - Once fewer than w / 8 piles of a class are unmarked, each of them looks for its own losing follower
//!   instead, one bit read for each take that is left: no more than shifts, and over when one is found.
//!
//! Within the block the sieve works by stripes of 64 rows: shifts from the stripes below, then pile by pile.

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
    /// The losing piles from 0 to `n`, where `takes`, in ascending order, may be taken.
    ///
    /// Time: at most a fraction of a step for each pile and take; see the module. All processors take part.
    /// Memory: at most a bit for each pile, touched where losing piles are many, four bytes for each of the
    /// others, and some for each take. The steps are known only block by block; `progress` receives the pile up to
    /// which they are done.
    ///
    /// # Errors
    ///
    /// If the blocks that take the first tenth of the steps show that all will take more than the budget; later only
    /// beyond twice the budget. `what` names the table.
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

    /// Finds the P-positions of [`new`](Self::new) with blocks of `rows` rows, by `threads` threads.
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
            // A growing list may have twice the room it needs.
            let bytes = (found.sparse_count() - before) * 2 * size_of::<u32>();
            // More than was foreseen is no reason to refuse what has been admitted.
            budget.spend(&what, steps.min(budget.steps()), bytes as u128)?;
            progress(u64::from(n).min(((block + 1) * rows * MODULUS - 1) as u64));
        }
        Ok(Self { found })
    }

    /// The losing piles below `end`, at most all that were sieved, in ascending order.
    pub(super) fn below(&self, end: u64) -> impl Iterator<Item = u64> {
        self.found.below(end as usize).map(|pile| pile as u64)
    }

    /// Whether a pile loses.
    pub(super) fn contains(&self, pile: u64) -> bool {
        u32::try_from(pile).is_ok_and(|pile| self.found.contains(pile))
    }
}

/// Number of piles below which the sieve is done before other threads have begun.
const WORTH_THREADS: u32 = 1 << 21;

/// The rows of a block: a multiple of 1024. In larger blocks there is more to settle pile by pile, in smaller
/// ones a shift has more beginnings; these were measured to be best.
fn rows(n: u32) -> usize {
    match n {
        0..30_000_000 => 1 << 11,
        30_000_000..300_000_000 => 1 << 13,
        _ => 1 << 14,
    }
}

/// The steps of the blocks so far, and what they let expect of the rest.
struct Forecast {
    allowed: u128,
    blocks: usize,
    /// By block, the steps of it and all before.
    spent: Vec<u128>,
}

impl Forecast {
    /// For a sieve of `blocks` blocks that may take `allowed` steps.
    fn new(allowed: u128, blocks: usize) -> Self {
        Self { allowed, blocks, spent: Vec::new() }
    }

    /// The steps that are to be expected of all blocks, when one more has taken `steps`; `None` before
    /// [`LEAST`](Self::LEAST) blocks.
    ///
    /// In a sieve of twice as many blocks the later half takes as long as the first or, as there are more takes,
    /// up to twice as long. What the blocks so far grew by is how the rest grows.
    fn expect(&mut self, steps: u128) -> Option<u128> {
        let all = self.spent.last().copied().unwrap_or(0) + steps;
        self.spent.push(all);
        let done = self.spent.len();
        if done < Self::LEAST {
            return None;
        }
        let half = self.spent[done / 2 - 1].max(1);
        // In thousandths.
        let growth = (1000 * all / half).clamp(2000, 3000);
        let (mut expected, mut blocks) = (all, done);
        while 2 * blocks <= self.blocks {
            expected = expected * growth / 1000;
            blocks *= 2;
        }
        // Less than a doubling is left.
        let left = (self.blocks - blocks) as u128;
        Some(expected + expected * (growth - 1000) / 1000 * left / blocks as u128)
    }

    /// Whether what is expected is a reason to refuse: when the block that spends a tenth of what is allowed is done,
    /// and before if it is far more than is allowed.
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

    /// The losing piles by their definition.
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

        /// Five blocks of squares, some of them banned: dense and sparse classes, shifts, marks and lookups.
        #[test]
        fn squares(banned in prop::collection::btree_set(1_u32..550, 0..40), threads in 1_usize..4) {
            let roots = (1..=550).filter(|root| !banned.contains(root));
            let takes: Vec<u32> = roots.map(|root| root * root).collect();
            prop_assert_eq!(sieved(&takes, 300_000, threads), losing(&takes, 300_000));
        }

        /// Squares whose roots lie in some classes: then more piles lose, or those of other classes.
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

    /// However the threads share the work, the budget is charged the same.
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

    /// Where the first squares are banned, the first piles all lose, and the later ones cost far less: that is no reason
    /// to refuse.
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
