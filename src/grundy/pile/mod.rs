//! The Grundy values of piles.

pub use subtract::subtraction_period;

use super::nimber::Mex;
use super::tabulated::{Tabulated, Values};
use super::{Cost, Engine, GrundyTable, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::{Heap, Pile};

mod divisor;
mod sequence;
mod sieve;
mod subtract;

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
