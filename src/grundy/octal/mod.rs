//! The values of rows under a code.
//!
//! A code that is a [window](OctalCode::window) has the engines of windows. Codes whose moves leave two heaps at most are
//! computed by the sparse-space engine of the windows, three heaps by the definition.

use std::sync::Arc;

use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::rules::{Grundy, Heap, HeapMove, Octal, Rules};
use crate::spec::OctalCode;

mod grundys_game;
mod leads;
mod sequence;
mod stream;
#[cfg(test)]
mod tests;
mod two_heaps;

pub use sequence::CodeSequence;
pub use stream::{restore_stream, stream};

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
            None if CodeSequence::is_of(self.code) => [0, CodeSequence::bytes(largest.size)],
            None => [u128::from(largest.size), 0],
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
        if !CodeSequence::is_of(self.code) {
            let rules: Arc<dyn Rules> = Arc::new(*self);
            return rules.table(largest, kind, budget, progress);
        }
        Ok(CodeSequence::within(self.code, largest.size, budget, progress)?.into_table())
    }
}
