//! The Grundy values of heaps under an octal or hexadecimal code, and of Grundy's game.
//!
//! A code that is a [window](OctalCode::window) uses the engines of windows. The other codes use the first engine of
//! this list that applies:
//!
//! - sets of nimbers, if a move may leave three heaps;
//! - the definition, if no move leaves more than one heap, or if digits of the code repeat;
//! - the sparse-space engine, for all remaining codes.

pub use arithmetic_proof::ArithmeticPeriod;
use sequence::FIRST_SEARCH;
pub use sequence::restore_stream;
pub use sequence::{CodeSequence, move_bounds, stream};

use self::split_table::SplitTable;
use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TableRequest, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::OctalCode;
use crate::rules::{Grundy, Heap, HeapMove, Octal, Rules};

mod arithmetic_proof;
mod sequence;
mod split_table;
#[cfg(test)]
mod tests;
mod three_heaps;

impl Engine for Octal {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        match &self.row {
            Some(row) => row.comparison_cost(heap),
            None => self.move_count(heap).saturating_pow(2),
        }
    }

    fn least_cost(&self, largest: Heap, kind: ValueKind) -> [u128; 2] {
        match &self.row {
            Some(row) => row.least_cost(largest, kind),
            // The first heaps may prove a period; then later values need no memory.
            None => [0, CodeSequence::bytes(largest.size.min(FIRST_SEARCH))],
        }
    }

    fn table(&self, request: TableRequest<'_>) -> Result<Box<dyn GrundyTable>, TooLarge> {
        if let Some(row) = &self.row {
            return row.table(request);
        }
        let TableRequest { largest, budget, progress, .. } = request;
        Ok(CodeSequence::repeating(self.code, largest.size, budget, progress)?.into_table())
    }
}

/// Maximum heap of a table of Grundy's game: nimbers, which are less than half the size, must be below 2^16.
const MAX_SIZE: u64 = 1 << 17;

impl Engine for Grundy {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        self.move_count(heap).saturating_pow(2)
    }

    fn least_cost(&self, largest: Heap, _kind: ValueKind) -> [u128; 2] {
        [u128::from(largest.size).pow(2) / 4, u128::from(largest.size) * 2]
    }

    /// Time: n^2/4 steps. Memory: two bytes for each heap, and four for each of 2^16 nimbers.
    fn table(&self, request: TableRequest<'_>) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let TableRequest { largest, kind, budget, progress } = request;
        let what = || format!("a Grundy table of Grundy's game up to {}", largest.size);
        let [steps, bytes] = self.least_cost(largest, kind);
        budget.spend(what, steps, bytes)?;
        if largest.size > MAX_SIZE {
            let [asked, limit] = [largest.size, MAX_SIZE].map(u128::from);
            return Err(TooLarge { what: what(), asked, left: limit, limit, unit: "cards" });
        }
        let mut cpu_watch = budget.watch_cpu();
        let (mut values, mut seen): (Vec<u16>, Vec<u32>) = (Vec::new(), vec![0; 1 << 16]);
        for size in 0..=narrow::<usize>(largest.size) {
            let (smaller, larger) = (values.iter().skip(1), values.iter().rev());
            for (a, b) in smaller.zip(larger).take(size.div_ceil(2).saturating_sub(1)) {
                seen[usize::from(a ^ b)] = narrow::<u32>(size) + 1;
            }
            let value = seen.iter().take_while(|&&last| last == narrow::<u32>(size) + 1).count();
            values.push(narrow(value));
            if size % 1024 == 0 {
                progress(size as u64);
                cpu_watch.check(what, (size as u128).pow(2) / 4, steps)?;
            }
        }
        Ok(Box::new(SplitTable::new(*self, values, None)))
    }
}
