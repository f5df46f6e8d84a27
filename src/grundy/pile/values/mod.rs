//! The Grundy values of a subtraction game.

use std::sync::{Mutex, PoisonError};
use std::{iter, thread};

use self::seen::{BATCH, Row, STRIPE, Seen};
use super::{Mex, processors};
use crate::integers::narrow;

mod seen;

/// The memory for each pile: its value, its group and bit.
pub(super) const BYTES: u128 = size_of::<u32>() as u128 + 2;

/// With fewer piles than this, one thread finishes before others have started.
const WORTH_THREADS: usize = 1 << 16;

/// The Grundy values of piles from 0 to `n`, where `takes`, in ascending order, may be taken from any pile
/// that has as many stones.
///
/// Time: with v the largest value, about 3 v / 256 vector instructions for each move while that is below 320,
/// one store where it is larger. All processors take part. Memory: [`BYTES`] for each pile.
///
/// # Errors
///
/// That of `check`, which receives from time to time the pile up to which the values are known.
pub(super) fn subtraction_values<E>(
    takes: &[usize],
    n: usize,
    check: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let threads = if n < WORTH_THREADS { 1 } else { processors() };
    by_threads(takes, n, threads, check)
}

/// Computes [`subtraction_values`] by `threads` threads.
fn by_threads<E>(
    takes: &[usize],
    n: usize,
    threads: usize,
    check: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let mut values = values(takes, n, threads, check)?;
    extend(&mut values, takes, n, check)?;
    extend_by_piles(&mut values, takes, n, check)?;
    Ok(values)
}

/// Number of bytes in a row, one for each value. Few longer rows fit into the L1 cache.
const WIDTH: usize = 1024;

/// Number of piles that are computed together, one row each.
const ROWS: usize = 16;

/// Continues up to `n`, or to the first block with a value of `WIDTH` - 1 or more.
///
/// Each pile of a block has a row of bytes, one for each value that a follower may have. Piles of a block that take the
/// same number have neighbouring followers: so the values before the block are read in order, and the rows stay in the
/// L1 cache. Only takes that lead back into the block are processed pile by pile.
fn extend<E>(
    values: &mut Vec<u32>,
    takes: &[usize],
    n: usize,
    check: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let (near, far) = takes.split_at(takes.partition_point(|&take| take < ROWS));
    let mut seen: Box<[[u8; WIDTH]]> = std::iter::repeat_n([0; WIDTH], ROWS).collect();
    while values.len() <= n {
        let first = values.len();
        check(first)?;
        let end = (first + ROWS).min(n + 1);
        let rows = &mut seen[..end - first];
        rows.as_flattened_mut().fill(0);
        for &take in far.iter().take_while(|&&take| take < end) {
            // The first piles of the table may be smaller than the take.
            let skipped = take.saturating_sub(first);
            let followers = &values[first + skipped - take..];
            for (row, &value) in rows[skipped..].iter_mut().zip(followers) {
                row[value as usize % WIDTH] = 1;
            }
        }
        for (pile, row) in (first..).zip(rows) {
            for &take in near.iter().take_while(|&&take| take <= pile) {
                row[values[pile - take] as usize % WIDTH] = 1;
            }
            let mex = mex(row);
            if mex + 1 >= WIDTH {
                values.truncate(first);
                return Ok(());
            }
            values.push(narrow(mex));
        }
    }
    Ok(())
}

/// The first value that is not seen.
fn mex(row: &[u8]) -> usize {
    let full = row.chunks_exact(16).take_while(|values| values.iter().all(|&seen| seen == 1)).count() * 16;
    full + row[full..].iter().take_while(|&&seen| seen == 1).count()
}

/// Continues up to `n` pile by pile, whatever the values.
fn extend_by_piles<E>(
    values: &mut Vec<u32>,
    takes: &[usize],
    n: usize,
    check: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let mut mex = Mex::default();
    for pile in values.len()..=n {
        check(pile)?;
        mex.clear();
        for take in takes.iter().take_while(|&&take| take <= pile) {
            mex.see(values[pile - take]);
        }
        values.push(mex.least());
    }
    Ok(())
}

/// Number of piles in a block. In a larger block, the thread that settles it has more work to do by itself; with
/// smaller blocks, threads are started more often.
const BLOCK: usize = 4096;

/// The place of pile 0. The places before it have no value; they stand for the negative sizes reached when a take
/// exceeds the pile.
const ORIGIN: usize = 2 * BLOCK;

/// Values from this limit on are left to `extend` and `extend_by_piles`: for this many groups, a store for each
/// follower costs less.
const VALUE_LIMIT: usize = 5 * BATCH;

/// Computes the values from pile 0 to `n`, or up to the pile before the first value >= [`VALUE_LIMIT`], block by block.
/// While one block is settled, the other threads mark in the next block the values of followers that are far back.
///
/// - *Far* takes are those of two blocks or more: they lead back past the block before, which need not be
///   known yet. They are most of the work, and stripes of the next block are handed out to whoever is free.
/// - *Middle* takes are those of a stripe or more. They are entered stripe by stripe when all before the stripe
///   is known.
/// - *Near* takes lead back into the stripe, and are entered pile by pile.
fn values<E>(
    takes: &[usize],
    n: usize,
    threads: usize,
    check: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let (takes, far) = takes.split_at(takes.partition_point(|&take| take < 2 * BLOCK));
    let (near, middle) = takes.split_at(takes.partition_point(|&take| take < STRIPE));
    let mut values = Vec::with_capacity(n + 1);
    let mut settled = Row::new(ORIGIN);
    settled.reserve(n + BLOCK);
    let mut recent = Recent { row: Row::new(3 * BLOCK), onsets: vec![ORIGIN], near, middle };
    let [mut block, mut next] = [(); 2].map(|()| stripes());
    loop {
        let first = values.len();
        check(first)?;
        let onsets = recent.onsets.clone();
        let tasks = Mutex::new((first + BLOCK..=n).step_by(STRIPE).zip(&mut next));
        let enter_far = || {
            let next_task = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((first, seen)) = next_task() {
                seen.clear();
                seen.enter(&settled, ORIGIN + first, far, &onsets);
            }
        };
        thread::scope(|scope| {
            // Other threads help only if a far take from the next block reaches a settled pile.
            if far.first().is_some_and(|&take| take < first + 2 * BLOCK) {
                for _ in 1..threads {
                    // A thread that cannot be had is not missed: the others do its share.
                    let _ = thread::Builder::new().spawn_scoped(scope, enter_far);
                }
            }
            recent.settle(&mut block, &mut values, n);
            enter_far();
        });
        if values.len() < first + BLOCK {
            return Ok(values);
        }
        settled.append(&recent.row, ORIGIN + first);
        recent.row.advance(BLOCK);
        std::mem::swap(&mut block, &mut next);
    }
}

fn stripes() -> Vec<Seen> {
    iter::repeat_with(Seen::default).take(BLOCK / STRIPE).collect()
}

/// The block that is being settled.
struct Recent<'a> {
    /// The two blocks before it, and itself.
    row: Row,
    /// By batch of values, the place of the first pile that has one.
    onsets: Vec<usize>,
    near: &'a [usize],
    middle: &'a [usize],
}

impl Recent<'_> {
    /// Finds its values, up to that of pile `n`, when the far takes have been entered. Stops before a value
    /// of [`VALUE_LIMIT`] or more.
    // Inlined into the closure of its caller, it takes 6 % more instructions.
    #[inline(never)]
    fn settle(&mut self, block: &mut [Seen], values: &mut Vec<u32>, n: usize) {
        for seen in block {
            let first = values.len();
            if first > n {
                return;
            }
            seen.enter(&self.row, ORIGIN + first, self.middle, &self.onsets);
            for pile in first..(first + STRIPE).min(n + 1) {
                for take in self.near.iter().take_while(|&&take| take <= pile) {
                    seen.see(pile - first, &self.row, ORIGIN + pile - take);
                }
                let mex = seen.mex(pile - first);
                if mex >= VALUE_LIMIT {
                    return;
                }
                if mex >= self.onsets.len() * BATCH {
                    self.onsets.push(ORIGIN + pile);
                }
                self.row.set(ORIGIN + pile, mex);
                values.push(narrow(mex));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    fn by_piles(takes: &[usize], n: usize) -> Vec<u32> {
        let mut values = Vec::new();
        let Ok(()) = extend_by_piles(&mut values, takes, n, &mut |_| Ok::<_, Infallible>(()));
        values
    }

    fn by_threads(takes: &[usize], n: usize, threads: usize) -> Vec<u32> {
        let Ok(values) = super::by_threads(takes, n, threads, &mut |_| Ok::<_, Infallible>(()));
        values
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn any_takes(
            small in prop::collection::btree_set(1_usize..400, 0..40),
            large in prop::collection::btree_set(1_usize..30_000, 0..40),
            n in 0_usize..40_000,
            threads in 1_usize..4,
        ) {
            let takes: Vec<usize> = small.union(&large).copied().collect();
            prop_assert_eq!(by_threads(&takes, n, threads), by_piles(&takes, n));
        }
    }

    /// All takes up to k: the values run from 0 to k and again, past what blocks and rows of bytes have room
    /// for.
    #[test]
    fn large_values() {
        for k in [63, 64, 254, 255, 318, 319, 320, 321, 1022, 1023, 1024, 3000] {
            let takes: Vec<usize> = (1..=k).collect();
            let values: Vec<u32> = (0..=9 * k).map(|pile| narrow(pile % (k + 1))).collect();
            assert_eq!(by_threads(&takes, 9 * k, 2), values, "takes up to {k}");
        }
    }

    /// The last pile is at the end of a stripe or of a block, or one pile before or after.
    #[test]
    fn squares() {
        let takes: Vec<usize> = (1..=400).map(|root| root * root).collect();
        let values = by_piles(&takes, 90_000);
        for (n, threads) in
            [(0, 1), (63, 1), (64, 2), (4095, 1), (4096, 2), (8191, 2), (20_479, 3), (90_000, 2)]
        {
            assert_eq!(by_threads(&takes, n, threads), values[..=n], "piles up to {n}");
        }
    }
}
