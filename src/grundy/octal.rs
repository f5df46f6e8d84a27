//! The Grundy values of heaps under an octal or hexadecimal code, and of Grundy's game. A code that is equal to a
//! window has the engine of rows.

use super::rows::{self, TakeSet};
use super::segment::{MoveBounds, Sequence};
use super::tabulated::{Tabulated, UnequalSplits};
use super::{Cost, Engine, GrundyTable, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::{Heap, Octal, OctalCode};

/// Returns the bounds of the moves of a code. The proof of a period needs them.
pub fn move_bounds(code: OctalCode) -> MoveBounds {
    let leaves_three = code.digits().iter().any(|&digit| digit >= 8);
    // Without a bound on the cards taken, no number of values proves a period.
    let longest_take = code.longest_take().unwrap_or(u64::MAX);
    MoveBounds { longest_take, most_heaps: if leaves_three { 3 } else { 2 } }
}

impl Octal {
    fn take_set(&self) -> Option<TakeSet> {
        if self.are_unequal { Some(TakeSet::of_grundys_game()) } else { TakeSet::of_code(self.code) }
    }
}

impl Engine for Octal {
    fn move_bounds(&self) -> Option<MoveBounds> {
        self.code.longest_take().filter(|_| !self.are_unequal).map(|_| move_bounds(self.code))
    }

    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        let n = u128::from(largest.size);
        let (pairs, triples) = (n.saturating_pow(2) / 4, n.saturating_pow(3) / 36);
        let steps = match self.take_set() {
            Some(take_set) => pairs.saturating_mul(take_set.sums_entered() as u128),
            // A step for each move of each heap.
            None => match self.code.longest_take() {
                Some(longest) => (0..=longest).fold(n, |steps, take| {
                    let pairs = if self.code.allows(take, 2) { pairs } else { 0 };
                    let triples = if self.code.allows(take, 3) { triples } else { 0 };
                    steps.saturating_add(n).saturating_add(pairs).saturating_add(triples)
                }),
                None => pairs.saturating_mul(2).saturating_add(triples.saturating_mul(3)),
            },
        };
        Cost { steps, bytes: Sequence::bytes(largest.size) }
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let values = match self.take_set() {
            Some(take_set) => rows::values(&take_set, narrow(largest.size)).values,
            None => rows::by_definition(self.code, narrow(largest.size)),
        };
        Ok(if self.are_unequal {
            Box::new(Tabulated::new(&UnequalSplits, values).with_longest_play(largest))
        } else {
            Box::new(Tabulated::new(self, values).with_longest_play(largest))
        })
    }
}
