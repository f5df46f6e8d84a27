//! The Grundy values of piles, and the engine for games whose moves take a number of a sequence, such as the squares: a
//! table for nimbers, and a sieve for outcomes.

use sieve::PPositions;
pub use subtract::subtraction_period;

use super::nimber::Mex;
use super::tabulated::{Tabulated, Values};
use super::{Cost, Engine, GrundyTable, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::{FromSequence, Heap, Pile, Takes};

mod divisor;
mod sieve;
mod subtract;

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

impl Engine for Pile<FromSequence> {
    fn value_kind(&self, asked: ValueKind) -> ValueKind {
        asked
    }

    fn cost(&self, largest: Heap, kind: ValueKind) -> Cost {
        /// Steps of a move whose value is looked up.
        const STEPS_PER_MOVE: u128 = 5;
        let (n, moves) = (largest.size, (self.0.sequence.moves)(largest.size));
        match kind {
            ValueKind::Nimber => Cost::of_values(moves.saturating_mul(STEPS_PER_MOVE), n),
            // A word of 64 piles is shifted for the moves from all of them, and a losing pile marks those of its block.
            // The losing piles are listed if at most one pile in fifty is.
            ValueKind::Outcome => {
                let near = u128::from((self.0.sequence.count)(n.min(1 << 12)));
                Cost { steps: moves / 16 + u128::from(n) * near / 4, bytes: u128::from(n) / 2 }
            }
        }
    }

    fn table(&self, largest: Heap, kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let takes: Vec<u64> = self.0.takes(largest.size).collect();
        Ok(match kind {
            ValueKind::Nimber => Box::new(Tabulated::new(self, subtraction_values(&takes, largest.size))),
            ValueKind::Outcome => Box::new(Tabulated::new(self, PPositions::new(&takes, largest.size))),
        })
    }
}
