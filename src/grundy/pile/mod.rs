//! The Grundy values of piles: the types that the engines share, and the engine for nim.

pub use subtract::subtraction_period;

use super::generic::fewest_replies;
use super::nimber::Mex;
use super::tabulated::{Tabulated, Values};
use super::{Cost, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::{Heap, HeapMove, Nim, Pile, Rules, take};

mod divisor;
mod sequence;
mod sieve;
mod subtract;

/// A pile is its own nimber (C. L. Bouton 1901, "Nim, a game with a complete mathematical theory").
impl Engine for Pile<Nim> {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        compared_sizes(heap.size).count() as u128
    }

    fn table(&self, _largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        Ok(Box::new(NimTable))
    }
}

struct NimTable;

impl GrundyTable for NimTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(heap.size)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        Box::new(std::iter::once(heap.size.checked_sub(target.0).filter(|&count| count > 0).map(take)))
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let moves = compared_sizes(heap.size).map(|left| (take(heap.size - left), [Heap::of(left)]));
        fewest_replies(self, heap, moves, |pile| pile.size, elsewhere)
    }
}

/// Returns the sizes of followers that are compared in a lost position. For a small pile, these are all sizes. For a
/// large pile, the number of winning replies depends only on the highest bit of the XOR after the move, so only the
/// greatest size for each highest bit is compared.
fn compared_sizes(n: u64) -> impl Iterator<Item = u64> {
    const SMALL: u64 = 4096;
    let all = 0..if n <= SMALL { n } else { 0 };
    let bits = (0..u64::BITS).map(|bit| 1_u64 << bit).filter(move |bit| n & bit != 0 && n > SMALL);
    all.chain(bits.map(move |bit| (n & !(2 * bit - 1)) | (bit - 1)))
}

/// Number of bytes of memory for each pile of [`subtraction_values`].
const BYTES_PER_PILE: u128 = 2 * size_of::<u32>() as u128;

/// Returns the Grundy values of the piles of 0 to `n` stones. A move takes one of the numbers in `takes`, which are in
/// ascending order. Time: a step for each move of each pile.
fn subtraction_values(takes: &[u64], n: u64) -> Vec<u32> {
    let takes: Vec<usize> = takes.iter().map(|&take| narrow(take)).collect();
    let (mut values, mut mex): (Vec<u32>, _) = (Vec::new(), Mex::default());
    for pile in 0..=narrow(n) {
        mex.clear();
        for take in takes.iter().take_while(|&&take| take <= pile) {
            mex.see(values[pile - take]);
        }
        values.push(mex.least());
    }
    values
}
