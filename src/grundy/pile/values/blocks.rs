//! Blocks of piles. While one is settled, the other threads enter into the next what it sees far back.
//!
//! - *Far* takes are those of two blocks or more: they lead back past the block before, which need not be
//!   known yet. They are most of the work, and stripes of the next block are handed out to whoever is free.
//! - *Middle* takes are those of a stripe or more. They are entered stripe by stripe when all before the stripe
//!   is known.
//! - *Near* takes lead back into the stripe, and are gone through pile by pile.

use std::iter;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::seen::{BATCH, Row, STRIPE, Seen};
use crate::narrow::narrow;

/// The piles of a block. Of a larger one more is left to the thread that settles it; for smaller ones threads
/// are started more often.
const BLOCK: usize = 4096;

/// Where pile 0 stands. The places before it have no value: a stripe there may take more than its first piles
/// have.
const ORIGIN: usize = 2 * BLOCK;

/// Values from here on are left to others: for so many groups a store for each follower costs less.
const VALUE_LIMIT: usize = 5 * BATCH;

/// The values from pile 0 to `n`, or to the last before one of [`VALUE_LIMIT`] or more.
pub(super) fn values<E>(
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
            // Unless nothing of the next block is far from what is settled.
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
