//! One block of a sieve, marked from all before it.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::found::{Class, Found};
use super::{BEGIN, MODULUS, READ, SHIFT, STEP, Takes, WRITE};
use crate::bits::ones_of;

/// The takes of a residue between two looks at what is unmarked.
const ROUND: usize = 8;

/// Lines are gone through together where at most so many times as few piles lose in one as in the best.
const COMPARABLE: usize = 4;

/// The parts in which the sparse classes are gone through, each with its share of the takes.
const PARTS: usize = 8;

/// What one thread has done for a block.
pub(super) struct Work {
    /// The piles that are won by a take to a sparse class, a bit each.
    pub(super) won: Vec<u64>,
    /// By class, the rows that no take to a dense class wins, a bit each.
    pub(super) open: Vec<(usize, Vec<u64>)>,
    /// What that cost, in the measure of [`STEP`].
    pub(super) cost: usize,
    /// The rows of one class, while they are marked.
    rows: Vec<u64>,
}

impl Work {
    /// For blocks of so many rows.
    pub(super) fn new(rows: usize) -> Self {
        let won = vec![0; rows * MODULUS / 64];
        Self { won, open: Vec::new(), cost: 0, rows: vec![0; rows / 64] }
    }
}

/// Marks a block from all before it. The threads take the classes, and the parts of the sparse, as they come.
pub(super) fn mark(takes: &Takes, found: &Found, block: usize, works: &mut [Work]) {
    let next = AtomicUsize::new(0);
    let task = |work: &mut Work| loop {
        let task = next.fetch_add(1, Ordering::Relaxed);
        match task.checked_sub(PARTS) {
            None => mark_from_poor(takes, task, found, block, work),
            Some(class) if class < MODULUS => mark_from_dense(takes, class, found, block, work),
            Some(_) => break,
        }
    };
    for work in &mut *works {
        work.won.fill(0);
        work.open.clear();
        work.cost = 0;
    }
    let Some((own, others)) = works.split_first_mut() else { return };
    thread::scope(|scope| {
        for work in others {
            // A thread that cannot be had is not missed: the others do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, || task(work));
        }
        task(own);
    });
}

/// Marks what every eighth take wins by leading to a sparse class.
fn mark_from_poor(takes: &Takes, part: usize, found: &Found, block: usize, work: &mut Work) {
    let size = found.rows * MODULUS;
    let (first, end) = (block * size, (block + 1) * size);
    for take in takes.all.iter().skip(part).step_by(PARTS).map(|&take| take as usize) {
        let range = first.saturating_sub(take)..end.saturating_sub(take).min(first);
        if range.is_empty() {
            // The take is too large, or there is nothing below the block.
            break;
        }
        let sparse = found.sparse(range);
        for &pile in sparse {
            // The place in the block; the piles around the range fall outside.
            let at = (pile as usize).wrapping_add(take).wrapping_sub(first);
            if let Some(word) = work.won.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        work.cost += WRITE * sparse.len() + STEP;
    }
}

/// Where the takes of one residue lead from a class.
struct Line<'a> {
    source: &'a Class,
    /// The first row that a take of no rows leads to, counted from a block below 0.
    base: usize,
    /// The rows of each take that leads to a pile and has not been gone through.
    rows: &'a [u32],
}

impl<'a> Line<'a> {
    /// The first rows that the largest takes lead to, where the class is dense, so many takes at most; they are
    /// then gone through.
    ///
    /// The largest takes come first, for they lead to the smallest piles, of which more lose.
    fn next(&mut self, takes: usize) -> impl Iterator<Item = usize> + use<'a> {
        let (left, next) = self.rows.split_at(self.rows.len().saturating_sub(takes));
        let (source, base) = (self.source, self.base);
        self.rows = left;
        next.iter().rev().map(move |&rows| base - rows as usize).filter(|&row| source.is_dense_from(row))
    }
}

/// Finds the piles of a class that no take to a dense class wins.
///
/// Takes to classes in which many piles lose come first: fewer takes then win as many piles.
fn mark_from_dense(takes: &Takes, class: usize, found: &Found, block: usize, work: &mut Work) {
    let lines = takes.residues.iter().filter_map(|residue| {
        let (source, more) = residue.from(class);
        let base = (block + 1) * found.rows - more;
        let rows = &residue.rows[..residue.rows.partition_point(|&rows| (rows as usize) < base)];
        let source = &found.classes[source];
        source.is_dense().then_some(Line { source, base, rows })
    });
    let mut lines: Vec<Line<'_>> = lines.collect();
    lines.sort_by_key(|line| Reverse(line.source.losing()));
    work.rows.fill(0);
    while READ * count_zeros(&work.rows) > SHIFT * work.rows.len() {
        let mut left = lines.iter_mut().filter(|line| !line.rows.is_empty()).peekable();
        let Some(best) = left.peek().map(|line| line.source.losing()) else { break };
        for line in left.take_while(|line| line.source.losing() >= best / COMPARABLE) {
            for row in line.next(ROUND) {
                line.source.shift_onto(row, &mut work.rows);
                work.cost += SHIFT * work.rows.len() + BEGIN;
            }
        }
    }
    let mut open: Vec<u64> = work.rows.iter().map(|word| !word).collect();
    work.cost += look_up(&mut lines, &mut open);
    work.open.push((class, open));
}

/// Leaves of the open rows of a class those that none of the takes that are left wins. Returns the cost.
fn look_up(lines: &mut [Line<'_>], open: &mut [u64]) -> usize {
    let mut cost = 0;
    let mut left: Vec<usize> = ones_of(open.iter().copied()).collect();
    let starts = lines.iter_mut().flat_map(|line| {
        let source = line.source;
        line.next(usize::MAX).map(move |row| (source, row))
    });
    for (source, row) in starts {
        if left.is_empty() {
            break;
        }
        cost += READ * left.len() + STEP;
        left.retain(|at| !source.contains(row + at));
    }
    open.fill(0);
    for at in left {
        open[at / 64] |= 1 << (at % 64);
    }
    cost
}

fn count_zeros(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_zeros() as usize).sum()
}
