//! The engine for games whose moves take a number of a sequence, such as the squares: a table for nimbers, and a sieve
//! for outcomes.

use super::sieve::PPositions;
use super::{
    BYTES_PER_PILE, Cost, Engine, GrundyTable, Heap, Pile, Tabulated, TooLarge, ValueKind, Values,
    subtraction_values,
};
use crate::rules::{FromSequence, Takes};

/// The value of a losing pile is 0, and the value of a winning pile is 1.
impl Values for PPositions {
    fn value(&self, n: u64) -> u64 {
        u64::from(!self.contains(n))
    }

    fn zeros(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.below(below))
    }
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
            ValueKind::Nimber => Cost {
                steps: moves.saturating_mul(STEPS_PER_MOVE),
                bytes: (u128::from(n) + 1) * BYTES_PER_PILE,
            },
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
