//! What is left of a block, settled from within.

use super::block::Work;
use super::found::Found;
use super::takes::{MODULUS, Residue, Takes};
use super::{LOOK_WITHIN, LOST, OPEN, OPEN_NEAR, SHIFT_WITHIN, STEP};
use crate::bits::{ones, ones_of};

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
