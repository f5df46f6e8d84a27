//! The Grundy values of rows.
//!
//! A heap is a segment of adjacent cards. A move under the window [L, R] leaves two segments of u and v cards, which
//! may be empty, so `g[n] = mex { g[u] xor g[v] : n-R <= u+v <= n-L }`. Here u+v is a *sum*, and (u, v) a *split*.

use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TableRequest, TooLarge, ValueKind};
pub use crate::rules::Window;
use crate::rules::{Heap, HeapMove, Row, Rules};

mod all_windows;
mod delaying;
mod handover;
mod period;
mod scale;
mod sequence;
mod sparse;
mod table;
mod values;

pub use all_windows::AllWindows;
pub use handover::SparseSpace;
pub(super) use handover::{StepLimit, StopReason};
pub(super) use period::repeats;
pub use period::{MoveBounds, Period, known_period};
pub use scale::Scale;
pub use sequence::Sequence;
pub(super) use sparse::TakeSet;
pub use sparse::stream::{History, NoHistory, SparseStream, Stopped};

use table::SegmentTable;

impl Engine for Row {
    /// Testing a split takes about a nanosecond, one step.
    fn comparison_cost(&self, heap: Heap) -> u128 {
        self.move_count(heap)
    }

    fn least_cost(&self, largest: Heap, _kind: ValueKind) -> [u128; 2] {
        SegmentTable::least_cost(self.window, largest.size)
    }

    fn table(&self, request: TableRequest<'_>) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let TableRequest { largest, budget, progress, .. } = request;
        Ok(Box::new(SegmentTable::new(self.window, largest.size, budget, progress)?))
    }
}
