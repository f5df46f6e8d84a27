//! One block of a sieve: first its piles are marked from all earlier blocks, then the unmarked piles are decided.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::found::{
    BEGIN, Class, Found, LOOK_WITHIN, LOST, MODULUS, OPEN, OPEN_NEAR, READ, Residue, SHIFT, SHIFT_WITHIN,
    STEP, TAKE, Takes, WRITE,
};
use crate::integers::{ones, ones_of};

/// Number of takes of each used residue in a round, before the unmarked rows are counted again.
const ROUND: usize = 8;

/// A [`Line`] is used in the same round as the best line if its source has at least 1/`COMPARABLE` of the losing piles
/// of the best line's source.
const COMPARABLE: usize = 4;

/// Number of tasks that mark from the sparse classes. Each task has one stretch of the block and a share of the takes.
const PARTS: usize = 8;

/// Number of rows in a stretch. Their bits stay in the L1 cache.
const STRETCH: usize = 1 << 11;

/// The result of one thread for a block.
pub(super) struct Work {
    /// The piles from which a take leads to a losing pile of a sparse class: a bit for each pile of the block.
    pub(super) won: Vec<u64>,
    /// For each class that this thread marked: the class, and a bit for each row, which is set if no take from the pile
    /// of the row leads to a losing pile of a dense class.
    pub(super) open: Vec<(usize, Vec<u64>)>,
    /// The cost of the work, in the unit of [`STEP`].
    pub(super) cost: usize,
}

impl Work {
    /// Returns an empty result for blocks of `rows` rows.
    pub(super) fn new(rows: usize) -> Self {
        let won = vec![0; rows * MODULUS / 64];
        Self { won, open: Vec::new(), cost: 0 }
    }
}

/// Marks the piles of a block that are won by takes to losing piles of earlier blocks. Each thread repeatedly does the
/// next task. A task marks a group of classes by takes to dense classes, or does one part of the marking by takes to
/// sparse classes.
pub(super) fn mark(takes: &Takes, found: &Found, block: usize, works: &mut [Work]) {
    let next = AtomicUsize::new(0);
    let group = MODULUS.div_ceil(2 * works.len());
    let groups = MODULUS.div_ceil(group);
    let task = |work: &mut Work| loop {
        let task = next.fetch_add(1, Ordering::Relaxed);
        if task < groups {
            mark_from_dense(takes, task * group..MODULUS.min((task + 1) * group), found, block, work);
        } else if task < groups + PARTS {
            mark_from_sparse(takes, task - groups, found, block, work);
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
            // Ignore a thread that does not start: the other threads do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, || task(work));
        }
        task(own);
    });
}

/// Marks the piles of one stretch of the block from which a take leads to a losing pile of a sparse class. Uses only
/// one share of the takes; `part` determines the stretch and the share.
fn mark_from_sparse(takes: &Takes, part: usize, found: &Found, block: usize, work: &mut Work) {
    let stretches = (found.rows / STRETCH).clamp(1, PARTS);
    let (stretch, share, shares) = (part % stretches, part / stretches, PARTS / stretches);
    let size = found.rows / stretches * MODULUS;
    let (before, first) = (block * found.rows * MODULUS, (block * stretches + stretch) * size);
    let won = &mut work.won[stretch * size / 64..][..size / 64];
    for take in takes.all.iter().skip(share).step_by(shares).map(|&take| take as usize) {
        let range = first.saturating_sub(take)..(first + size).saturating_sub(take).min(before);
        if range.is_empty() {
            if range.end == 0 {
                // The take is larger than all piles of the stretch, or this block is the first.
                break;
            }
            // The take leads from the stretch only into this block.
            continue;
        }
        let sparse = found.sparse(range);
        for &pile in sparse {
            // The index in the stretch. `sparse` may have piles outside the range; their indices are out of bounds.
            let at = (pile as usize).wrapping_add(take).wrapping_sub(first);
            if let Some(word) = won.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
        work.cost += WRITE * sparse.len() + TAKE;
    }
}

/// The takes of one residue, which lead from one class of the block to the class `source`.
struct Line<'a> {
    source: &'a Class,
    /// The row of `source` that a take of 0 rows would lead to from the first row of the block. Rows are counted from
    /// the empty block below row 0.
    base: usize,
    /// The numbers of rows of the takes that have not been used yet, in ascending order. Takes larger than all piles of
    /// the block are left out.
    rows: &'a [u32],
}

impl<'a> Line<'a> {
    /// Removes the `takes` largest takes, or all takes if there are fewer. Returns for each take the row of `source`
    /// that it leads to from the first row of the block. A take is omitted if `source` is sparse in both of the blocks
    /// that the shifted block overlaps.
    ///
    /// The largest takes are used first, because they lead to the smallest piles, and more of the small piles lose.
    fn next(&mut self, takes: usize) -> impl Iterator<Item = usize> + use<'a> {
        let (unused, next) = self.rows.split_at(self.rows.len().saturating_sub(takes));
        let (source, base) = (self.source, self.base);
        self.rows = unused;
        next.iter().rev().map(move |&rows| base - rows as usize).filter(|&row| source.is_dense_from(row))
    }
}

/// The marking of one class of a block by takes to dense classes.
struct Marking<'a> {
    class: usize,
    /// The lines to dense classes. The classes with the most losing piles come first, so that few takes win many piles.
    lines: Vec<Line<'a>>,
    /// The rows that are won: a bit for each row.
    rows: Vec<u64>,
    /// The cost of shifting a word.
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

    /// Marks the rows that the next takes of the best lines win, and returns the cost. Returns `None`, without marking,
    /// if lookups are now cheaper than shifts, or if no takes remain.
    fn round(&mut self) -> Option<usize> {
        if READ * count_zeros(&self.rows) <= SHIFT * self.rows.len() {
            return None;
        }
        let mut lines = self.lines.iter_mut().filter(|line| !line.rows.is_empty()).peekable();
        let best = lines.peek().map(|line| line.source.losing())?;
        let mut cost = 0;
        for line in lines.take_while(|line| line.source.losing() >= best / COMPARABLE) {
            for row in line.next(ROUND) {
                line.source.shift_onto(row, &mut self.rows);
                cost += self.shift_cost * self.rows.len() + BEGIN;
            }
        }
        Some(cost)
    }
}

/// Finds the piles of the classes `classes` from which no take leads to a losing pile of a dense class.
///
/// All classes are marked for one round before the next round begins: in a round, the classes read the same rows, which
/// stay in the L2 cache.
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

/// Removes from `open`, the undecided rows of a class, the rows that one of the remaining takes of `lines` wins.
/// Returns the cost.
fn look_up(lines: &mut [Line<'_>], open: &mut [u64]) -> usize {
    let mut cost = 0;
    let mut undecided: Vec<usize> = ones_of(open.iter().copied()).collect();
    let starts = lines.iter_mut().flat_map(|line| {
        let source = line.source;
        line.next(usize::MAX).map(move |row| (source, row))
    });
    for (source, row) in starts {
        if undecided.is_empty() {
            break;
        }
        cost += READ * undecided.len() + STEP;
        undecided.retain(|at| !source.contains(row + at));
    }
    open.fill(0);
    for at in undecided {
        open[at / 64] |= 1 << (at % 64);
    }
    cost
}

fn count_zeros(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_zeros() as usize).sum()
}

/// Decides the unmarked piles of a block, up to pile `n`, in ascending order: a pile loses if no take leads to a losing
/// pile. Returns the number of steps of the whole block, with those of [`mark`].
///
/// The block is processed in stripes of 64 rows. Takes of at least 64 rows lead to lower stripes and are applied by
/// shifts of whole words. Smaller takes are tried pile by pile.
pub(super) fn settle(takes: &Takes, found: &mut Found, block: usize, works: &mut [Work], n: u32) -> u128 {
    let last = n as usize - block * found.rows * MODULUS;
    let mut cost = works.iter().map(|work| work.cost).sum::<usize>();
    let mut within =
        Within { lost: vec![vec![0; found.rows / 64 + 1]; MODULUS], has_losing: [false; MODULUS] };
    let open: Vec<(usize, Vec<u64>)> = works.iter_mut().flat_map(|work| work.open.drain(..)).collect();
    let has_near = takes.residues.iter().any(|residue| !residue.near.is_empty());
    let mut losing = Vec::new();
    for stripe in 0..found.rows / 64 {
        // A bit for each pile of the stripe, in ascending order.
        let mut undecided = [0_u64; MODULUS];
        for &(class, ref open) in open.iter().filter(|(_, open)| open[stripe] != 0) {
            let word = within.shift(takes, class, stripe, open[stripe], &mut cost);
            for at in ones(word).map(|row| row * MODULUS + class) {
                undecided[at / 64] |= 1 << (at % 64);
            }
        }
        for work in &*works {
            undecided.iter_mut().zip(&work.won[stripe * MODULUS..]).for_each(|(word, won)| *word &= !won);
        }
        for at in ones_of(undecided).map(|at| stripe * 64 * MODULUS + at).take_while(|&at| at <= last) {
            cost += if has_near { OPEN + OPEN_NEAR } else { OPEN };
            if !has_near || !within.wins(takes, at / MODULUS, at % MODULUS, &mut cost) {
                within.enter(at / MODULUS, at % MODULUS);
                losing.push(at as u32);
            }
        }
    }
    cost += LOST * losing.len();
    found.settle(block, &losing);
    // Round only the sum, so that the result does not depend on how the threads shared the work.
    (cost / STEP) as u128
}

/// The losing piles that have been found in the block.
struct Within {
    /// For each class, a bit for each row. The first 64 bits are rows below the block and are not set.
    lost: Vec<Vec<u64>>,
    /// For each class, whether `lost` has a set bit.
    has_losing: [bool; MODULUS],
}

impl Within {
    /// Returns the takes that lead from `class` to a class with losing piles in the block. Each item has the takes of
    /// one residue, the losing piles of their target class, and the number of rows to add to the rows of each take.
    fn lines<'a>(
        &'a self,
        takes: &'a Takes,
        class: usize,
    ) -> impl Iterator<Item = (&'a Residue, &'a [u64], usize)> {
        takes.residues.iter().filter_map(move |residue| {
            let (source, more) = residue.from(class);
            self.has_losing[source].then(|| (residue, self.lost[source].as_slice(), more))
        })
    }

    /// Returns `open`, the undecided rows of a class in a stripe, without the rows that a take of at least 64 rows
    /// wins.
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

    /// Returns whether a take of fewer than 64 rows leads from the pile of `row` and `class` to a losing pile.
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
        self.has_losing[class] = true;
    }
}
