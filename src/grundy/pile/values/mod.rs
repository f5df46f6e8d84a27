//! Computing the Grundy values of a subtraction game.

use std::sync::{Mutex, PoisonError};
use std::{iter, thread};

use self::seen::{BATCH, Row, STRIPE, Seen};
use super::{Mex, max_threads};
use crate::integers::narrow;

mod seen;

/// Number of bytes of memory per pile: 4 for its value, and 1 each for its group and its bit in a [`Row`].
pub(super) const BYTES: u128 = size_of::<u32>() as u128 + 2;

/// Minimum number of piles for which several threads are used. Smaller tables are finished before other threads have
/// started.
const MIN_PILES_FOR_THREADS: usize = 1 << 16;

/// Returns the Grundy values of the piles of 0 to `n` stones. A move takes one of the numbers in `takes`, which are in
/// ascending order.
///
/// Time: about 3 v / 256 vector instructions per move if the largest value v is less than 320, else one store per move.
/// Uses up to 8 threads. Memory: [`BYTES`] per pile.
///
/// # Errors
///
/// Returns the error of `check`. `check` is called from time to time with the number of piles whose values are known.
pub(super) fn subtraction_values<E>(
    takes: &[usize],
    n: usize,
    check: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let threads = if n < MIN_PILES_FOR_THREADS { 1 } else { max_threads() };
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

/// Number of bytes in a row of [`extend`], one for each value. Longer rows would leave too little room in the L1 cache.
const WIDTH: usize = 1024;

/// Number of piles in a block of [`extend`], one row each.
const ROWS: usize = 16;

/// Extends `values` up to pile `n`, or up to the last pile before the first block with a value of `WIDTH` - 1 or more.
///
/// Each pile of a block has a row of bytes, one for each value that a follower may have. If the same number is taken
/// from all piles of a block, the followers are consecutive piles. So the loop over `far` reads the values before the
/// block in order, and the rows stay in the L1 cache. Only takes whose followers may lie in the block are processed
/// pile by pile.
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
            // The first piles of the block may be smaller than `take`.
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

/// Returns the first value that is not marked in `row`.
fn mex(row: &[u8]) -> usize {
    let full = row.chunks_exact(16).take_while(|values| values.iter().all(|&seen| seen == 1)).count() * 16;
    full + row[full..].iter().take_while(|&&seen| seen == 1).count()
}

/// Extends `values` up to pile `n`, pile by pile. Values may have any size.
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

/// Number of piles in a block. With larger blocks, the one thread that computes the values of a block has more work;
/// with smaller blocks, threads are started more often.
const BLOCK: usize = 4096;

/// The place of pile 0 in a [`Row`]. The places before `ORIGIN` have no value: they represent the negative sizes that
/// result if a take is larger than the pile.
const ORIGIN: usize = 2 * BLOCK;

/// [`values`] stops at the first value of `VALUE_LIMIT` or more; [`extend`] and [`extend_by_piles`] continue. With more
/// batches of values, one store per follower is cheaper.
const VALUE_LIMIT: usize = 5 * BATCH;

/// Returns the values from pile 0 to `n`, or those before the first value >= [`VALUE_LIMIT`]. Works block by block:
/// while one thread computes the values of a block, the other threads mark the far followers of the next block.
///
/// - *Far* takes have at least 2 [`BLOCK`] stones, so their followers lie before the block that is being computed. Far
///   takes are most of the work. Each free thread repeatedly processes the next stripe of the next block.
/// - *Middle* takes have at least [`STRIPE`] stones. They are processed stripe by stripe, once all values before the
///   stripe are known.
/// - *Near* takes have fewer stones. Their followers may lie in the same stripe, so near takes are processed pile by
///   pile.
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
            // Start other threads only if a far take is possible from some pile of the next block.
            if far.first().is_some_and(|&take| take < first + 2 * BLOCK) {
                for _ in 1..threads {
                    // Ignore a thread that does not start: the other threads do its share.
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

/// The block whose values are being computed.
struct Recent<'a> {
    /// The values of the two blocks before this block, and of this block.
    row: Row,
    /// For each batch of values, the place of the first pile that has a value in the batch.
    onsets: Vec<usize>,
    near: &'a [usize],
    middle: &'a [usize],
}

impl Recent<'_> {
    /// Computes the values of the block, at most up to pile `n`. The values of far followers are in `block` already.
    /// Stops before a value of [`VALUE_LIMIT`] or more.
    // Inlined into the closure of the caller, this function needs 6 % more instructions.
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

    /// With all takes up to k, the value of a pile is its size modulo k + 1. Some values exceed `VALUE_LIMIT` or
    /// `WIDTH`.
    #[test]
    fn large_values() {
        for k in [63, 64, 254, 255, 318, 319, 320, 321, 1022, 1023, 1024, 3000] {
            let takes: Vec<usize> = (1..=k).collect();
            let values: Vec<u32> = (0..=9 * k).map(|pile| narrow(pile % (k + 1))).collect();
            assert_eq!(by_threads(&takes, 9 * k, 2), values, "takes up to {k}");
        }
    }

    /// Most of these tables end next to the end of a stripe or of a block.
    #[test]
    fn squares_up_to_the_end_of_a_stripe_or_block() {
        let takes: Vec<usize> = (1..=400).map(|root| root * root).collect();
        let values = by_piles(&takes, 90_000);
        for (n, threads) in
            [(0, 1), (63, 1), (64, 2), (4095, 1), (4096, 2), (8191, 2), (20_479, 3), (90_000, 2)]
        {
            assert_eq!(by_threads(&takes, n, threads), values[..=n], "piles up to {n}");
        }
    }
}
