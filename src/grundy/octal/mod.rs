//! The values of rows under a code.
//!
//! A code that is a [window](OctalCode::window) has the engines of windows. Codes whose moves leave two heaps at most are
//! computed by the sparse-space engine of the windows, three heaps by the sets of the nimbers that they may have.

use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::grundy::segment::MoveBounds;
use crate::rules::{Grundy, Heap, HeapMove, Octal, Rules};
use crate::spec::OctalCode;

#[cfg(feature = "analysis")]
mod arithmetic_period;
#[cfg(feature = "analysis")]
mod arithmetic_proof;
mod grundys_game;
mod leads;
mod sequence;
mod split_table;
mod stream;
#[cfg(test)]
mod tests;
#[cfg(feature = "analysis")]
mod three_heaps;

#[cfg(feature = "analysis")]
pub use arithmetic_period::ArithmeticPeriod;
pub use sequence::CodeSequence;
use sequence::FEW;
#[cfg(feature = "analysis")]
pub use stream::restore_stream;
pub use stream::stream;

/// What the proof of a period has to know of the moves of a code.
///
/// ```
/// use zeroxor::grundy::octal::move_bounds;
/// use zeroxor::grundy::segment::MoveBounds;
///
/// assert_eq!(move_bounds("0.77".parse()?), MoveBounds { longest_take: 2, most_heaps: 2 });
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
pub fn move_bounds(code: OctalCode) -> MoveBounds {
    let leaves_three = code.digits().iter().any(|&digit| digit >= 8);
    MoveBounds { longest_take: code.longest_take(), most_heaps: if leaves_three { 3 } else { 2 } }
}

impl Engine for Octal {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        match &self.row {
            Some(row) => row.comparison_cost(heap),
            // The moves of each follower are gone through.
            None => self.move_count(heap).saturating_pow(2),
        }
    }

    fn least_cost(&self, largest: Heap, kind: ValueKind) -> [u128; 2] {
        match &self.row {
            Some(row) => row.least_cost(largest, kind),
            // The first heaps may prove a period.
            None => [0, CodeSequence::bytes(largest.size.min(FEW))],
        }
    }

    fn table(
        &self,
        largest: Heap,
        kind: ValueKind,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn GrundyTable>, TooLarge> {
        if let Some(row) = &self.row {
            return row.table(largest, kind, budget, progress);
        }
        Ok(CodeSequence::repeating(self.code, largest.size, budget, progress)?.into_table())
    }
}
