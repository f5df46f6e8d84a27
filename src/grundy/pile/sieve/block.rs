//! One block of a sieve: marked from all blocks before it, and settled from within.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::found::{
    BEGIN, Class, Found, LOOK_WITHIN, LOST, MODULUS, OPEN, OPEN_NEAR, READ, Residue, SHIFT, SHIFT_WITHIN,
    STEP, TAKE, Takes, WRITE,
};
use crate::integers::{ones, ones_of};

/// The takes of a residue between two looks at what is unmarked.
const ROUND: usize = 8;

/// Lines are marked together if the best has at most `COMPARABLE` times the losing piles of each.
const COMPARABLE: usize = 4;

/// The parts in which the sparse classes are marked: each is a stretch of the block and a share of the takes.
const PARTS: usize = 8;

/// Rows that are marked from the sparse classes at a time: their bits stay in the first-level cache.
const STRETCH: usize = 1 << 11;

/// What one thread has done for a block.
pub(super) struct Work {
    /// The piles that are won by a take to a sparse class, a bit each.
    pub(super) won: Vec<u64>,
    /// By class, the rows that no take to a dense class wins, a bit each.
    pub(super) open: Vec<(usize, Vec<u64>)>,
    /// What that cost, in the measure of [`STEP`].
    pub(super) cost: usize,
}

impl Work {
    /// For blocks of `rows` rows.
    pub(super) fn new(rows: usize) -> Self {
        let won = vec![0; rows * MODULUS / 64];
        Self { won, open: Vec::new(), cost: 0 }
    }
}

/// Marks a block from all before it. The threads take the classes, and the parts of the sparse, as they come.
pub(super) fn mark(takes: &Takes, found: &Found, block: usize, works: &mut [Work]) {
    let next = AtomicUsize::new(0);
    let group = MODULUS.div_ceil(2 * works.len());
    let groups = MODULUS.div_ceil(group);
    let task = |work: &mut Work| loop {
        let task = next.fetch_add(1, Ordering::Relaxed);
        if task < groups {
            mark_from_dense(takes, task * group..MODULUS.min((task + 1) * group), found, block, work);
        } else if task < groups + PARTS {
            mark_from_poor(takes, task - groups, found, block, work);
        } else {
            break;
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

/// Marks what the takes of one share win, in one stretch of the block, by leading to a sparse class.
fn mark_from_poor(takes: &Takes, part: usize, found: &Found, block: usize, work: &mut Work) {
    let stretches = (found.rows / STRETCH).clamp(1, PARTS);
    let (stretch, share, shares) = (part % stretches, part / stretches, PARTS / stretches);
    let size = found.rows / stretches * MODULUS;
    let (before, first) = (block * found.rows * MODULUS, (block * stretches + stretch) * size);
    let won = &mut work.won[stretch * size / 64..][..size / 64];
    for take in takes.all.iter().skip(share).step_by(shares).map(|&take| take as usize) {
        let range = first.saturating_sub(take)..(first + size).saturating_sub(take).min(before);
        if range.is_empty() {
            if range.end == 0 {
                // The take is too large, or there is nothing below the block.
                break;
            }
            // It leads back into the block.
            continue;
        }
        let sparse = found.sparse(range);
        for &pile in sparse {
            // The place in the stretch; the piles around the range fall outside.
            let at = (pile as usize).wrapping_add(take).wrapping_sub(first);
            if let Some(word) = won.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        work.cost += WRITE * sparse.len() + TAKE;
    }
}

/// Where the takes of one residue lead from a class.
struct Line<'a> {
    source: &'a Class,
    /// The first row that a take of no rows leads to, counted from a block below 0.
    base: usize,
    /// The rows of each take that leads to a pile and has not been used.
    rows: &'a [u32],
}

impl<'a> Line<'a> {
    /// The first rows that the largest takes lead to, if the class is dense, at most `takes` takes; these
    /// takes then count as used.
    ///
    /// The largest takes come first, for they lead to the smallest piles, of which more lose.
    fn next(&mut self, takes: usize) -> impl Iterator<Item = usize> + use<'a> {
        let (left, next) = self.rows.split_at(self.rows.len().saturating_sub(takes));
        let (source, base) = (self.source, self.base);
        self.rows = left;
        next.iter().rev().map(move |&rows| base - rows as usize).filter(|&row| source.is_dense_from(row))
    }
}

/// A class of a block, while takes to dense classes mark it.
struct Marking<'a> {
    class: usize,
    /// The lines to dense classes, those first that lead where most piles lose: fewer takes then win as many piles.
    lines: Vec<Line<'a>>,
    /// The rows that are won, a bit each.
    rows: Vec<u64>,
    /// What it costs to shift a word.
    shift_cost: usize,
}

impl<'a> Marking<'a> {
    fn new(takes: &'a Takes, class: usize, found: &'a Found, block: usize) -> Self {
        let lines = takes.residues.iter().filter_map(|residue| {
            let (source, more) = residue.from(class);
            let base = (block + 1) * found.rows - more;
            let rows = &residue.rows[..residue.rows.partition_point(|&rows| (rows as usize) < base)];
            let source = &found.classes[source];
            source.is_dense().then_some(Line { source, base, rows })
        });
        let mut lines: Vec<Line<'_>> = lines.collect();
        lines.sort_by_key(|line| Reverse(line.source.losing()));
        Self { class, lines, rows: vec![0; found.rows / 64], shift_cost: found.shift_cost() }
    }

    /// Marks from the next takes of the best lines, and returns the cost; `None` once shifts do not pay any more.
    fn round(&mut self) -> Option<usize> {
        if READ * count_zeros(&self.rows) <= SHIFT * self.rows.len() {
            return None;
        }
        let mut left = self.lines.iter_mut().filter(|line| !line.rows.is_empty()).peekable();
        let best = left.peek().map(|line| line.source.losing())?;
        let mut cost = 0;
        for line in left.take_while(|line| line.source.losing() >= best / COMPARABLE) {
            for row in line.next(ROUND) {
                line.source.shift_onto(row, &mut self.rows);
                cost += self.shift_cost * self.rows.len() + BEGIN;
            }
        }
        Some(cost)
    }
}

/// Finds the piles of some classes that no take to a dense class wins.
///
/// The classes take turns, for in the same round they read the same rows, which then stay in the second-level cache.
fn mark_from_dense(takes: &Takes, classes: Range<usize>, found: &Found, block: usize, work: &mut Work) {
    let mut markings: Vec<Marking<'_>> =
        classes.map(|class| Marking::new(takes, class, found, block)).collect();
    let mut active: Vec<&mut Marking<'_>> = markings.iter_mut().collect();
    while !active.is_empty() {
        active.retain_mut(|marking| {
            let cost = marking.round();
            work.cost += cost.unwrap_or(0);
            cost.is_some()
        });
    }
    for Marking { class, mut lines, rows, .. } in markings {
        let mut open: Vec<u64> = rows.iter().map(|word| !word).collect();
        work.cost += look_up(&mut lines, &mut open);
        work.open.push((class, open));
    }
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

/// Settles what is unmarked of a block, no larger than `n`, in ascending order: what no take wins loses.
/// Returns the steps that the block took in all.
///
/// It goes by stripes of 64 rows. All takes of 64 rows and more lead to the stripes below, where they shift
/// whole words; the smaller ones, if there are any, are tried pile by pile.
pub(super) fn settle(takes: &Takes, found: &mut Found, block: usize, works: &mut [Work], n: u32) -> u128 {
    let last = n as usize - block * found.rows * MODULUS;
    let mut cost = works.iter().map(|work| work.cost).sum::<usize>();
    let mut within = Within { lost: vec![vec![0; found.rows / 64 + 1]; MODULUS], is_live: [false; MODULUS] };
    let open: Vec<(usize, Vec<u64>)> = works.iter_mut().flat_map(|work| work.open.drain(..)).collect();
    let has_near = takes.residues.iter().any(|residue| !residue.near.is_empty());
    let mut losing = Vec::new();
    for stripe in 0..found.rows / 64 {
        // A bit for each pile of the stripe, in ascending order.
        let mut left = [0_u64; MODULUS];
        for &(class, ref open) in open.iter().filter(|(_, open)| open[stripe] != 0) {
            let word = within.shift(takes, class, stripe, open[stripe], &mut cost);
            for at in ones(word).map(|row| row * MODULUS + class) {
                left[at / 64] |= 1 << (at % 64);
            }
        }
        for work in &*works {
            left.iter_mut().zip(&work.won[stripe * MODULUS..]).for_each(|(left, won)| *left &= !won);
        }
        for at in ones_of(left).map(|at| stripe * 64 * MODULUS + at).take_while(|&at| at <= last) {
            cost += if has_near { OPEN + OPEN_NEAR } else { OPEN };
            if !has_near || !within.wins(takes, at / MODULUS, at % MODULUS, &mut cost) {
                within.enter(at / MODULUS, at % MODULUS);
                losing.push(at as u32);
            }
        }
    }
    cost += LOST * losing.len();
    found.settle(block, &losing);
    // Rounded but once: how the threads shared the work must not show.
    (cost / STEP) as u128
}

/// The losing piles of the block.
struct Within {
    /// By class, a bit for each row, above 64 rows that lie below the block.
    lost: Vec<Vec<u64>>,
    /// Whether there are any.
    is_live: [bool; MODULUS],
}

impl Within {
    /// The takes that lead from a class to losing piles of the block, and by how many rows more than their
    /// own.
    fn lines<'a>(
        &'a self,
        takes: &'a Takes,
        class: usize,
    ) -> impl Iterator<Item = (&'a Residue, &'a [u64], usize)> {
        takes.residues.iter().filter_map(move |residue| {
            let (source, more) = residue.from(class);
            self.is_live[source].then(|| (residue, self.lost[source].as_slice(), more))
        })
    }

    /// What is left of the open rows of a stripe when all takes of 64 rows and more have marked theirs.
    fn shift(&self, takes: &Takes, class: usize, stripe: usize, mut open: u64, cost: &mut usize) -> u64 {
        let end = 64 * (stripe + 1);
        for (residue, lost, more) in self.lines(takes, class) {
            let far = residue.far.iter().map(|&rows| rows as usize + more).take_while(|&rows| rows < end);
            for from in far.map(|rows| end - rows) {
                let (word, shift) = (from / 64, from % 64);
                open &= !(lost[word] >> shift | lost[word + 1] << 1 << (63 - shift));
                *cost += SHIFT_WITHIN;
                if open == 0 {
                    return 0;
                }
            }
        }
        open
    }

    /// Whether a take of fewer than 64 rows wins a pile.
    fn wins(&self, takes: &Takes, row: usize, class: usize, cost: &mut usize) -> bool {
        self.lines(takes, class).any(|(residue, lost, more)| {
            *cost += LOOK_WITHIN * residue.near.len();
            residue.near.iter().any(|&rows| {
                let from = 64 + row - rows as usize - more;
                lost[from / 64] >> (from % 64) & 1 == 1
            })
        })
    }

    fn enter(&mut self, row: usize, class: usize) {
        self.lost[class][row / 64 + 1] |= 1 << (row % 64);
        self.is_live[class] = true;
    }
}
