//! The Grundy values of rows.
//!
//! A heap is a segment of adjacent cards. A move under the window [L, R] leaves two segments of u and v cards, which
//! may be empty, so `g[n] = mex { g[u] xor g[v] : n-R <= u+v <= n-L }`. Here u+v is a *sum*, and (u, v) a *split*.

pub use super::rows::SparseSpace;
use super::{Cost, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
pub use crate::rules::Window;
use crate::rules::{Heap, HeapMove, Row, Rules};

mod counts;
mod period;
mod scale;
mod sequence;
mod table;

pub use period::{MoveBounds, Period, known_period};
pub use sequence::Sequence;

use scale::Scale;
use table::SegmentTable;

impl Engine for Row {
    /// A split takes some nanoseconds, and stands for two moves.
    fn comparison_cost(&self, heap: Heap) -> Option<u128> {
        Some(self.move_count(heap).saturating_mul(2))
    }

    fn move_bounds(&self) -> Option<MoveBounds> {
        Some(self.window.move_bounds())
    }

    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        let scale = Scale::of(self.window);
        Sequence::cost(scale.window, scale.down(largest.size))
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        Ok(Box::new(SegmentTable::new(self.window, largest.size)))
    }
}
