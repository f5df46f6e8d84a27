//! The Grundy values of rows, of heaps under an octal or hexadecimal code, and of Grundy's game.
//!
//! A heap is a segment of adjacent cards. A move under the window [L, R] leaves two segments of u and v cards, which
//! may be empty, so `g[n] = mex { g[u] xor g[v] : n-R <= u+v <= n-L }`. Here u+v is a *sum*, and (u, v) a *split*.

pub use super::rows::SparseSpace;
use super::rows::TakeSet;
use super::tabulated::Tabulated;
use super::{Cost, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
pub use crate::rules::Window;
use crate::rules::{Heap, HeapMove, Octal, Rules};

mod counts;
mod period;
mod scale;
mod sequence;
mod table;

pub use period::{MoveBounds, Period, known_period};
pub use sequence::Sequence;

use scale::Scale;
use table::SegmentTable;

impl Engine for Window {
    /// A split takes some nanoseconds, and stands for two moves.
    fn comparison_cost(&self, heap: Heap) -> Option<u128> {
        Some(self.move_count(heap).saturating_mul(2))
    }

    fn move_bounds(&self) -> Option<MoveBounds> {
        Some(Window::move_bounds(*self))
    }

    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        /// Steps of a value of a window with a known period: all of these windows have few rare values.
        const STEPS_BY_PERIOD: u128 = 300;
        let scale = Scale::of(*self);
        let computed = Sequence::computed(scale.window, scale.down(largest.size));
        let pairs = u128::from(computed.saturating_sub(scale.window.l)).pow(2) / 4;
        let by_period = (u128::from(computed) + 1) * STEPS_BY_PERIOD;
        let steps = if known_period(scale.window).is_some() { pairs.min(by_period) } else { pairs };
        Cost::of_values(steps, computed)
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        Ok(Box::new(SegmentTable::new(*self, largest.size)))
    }
}

impl Engine for Octal {
    fn move_bounds(&self) -> Option<MoveBounds> {
        self.code.longest_take().filter(|_| !self.are_unequal).map(|_| self.code.move_bounds())
    }

    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        let n = u128::from(largest.size);
        let (pairs, triples) = (n.saturating_pow(2) / 4, n.saturating_pow(3) / 36);
        let steps = match (TakeSet::of_octal(self), self.code.longest_take()) {
            (Some(take_set), _) => pairs.saturating_mul(take_set.sums_entered() as u128),
            // A step for each move of each heap.
            (None, Some(longest)) => (0..=longest).fold(n, |steps, take| {
                let pairs = if self.code.allows(take, 2) { pairs } else { 0 };
                let triples = if self.code.allows(take, 3) { triples } else { 0 };
                steps.saturating_add(n).saturating_add(pairs).saturating_add(triples)
            }),
            // The same for all takes together, which are as many as the cards.
            (None, None) => {
                let triples = if self.code.is_playable() { 0 } else { n.saturating_pow(4) / 144 };
                pairs.saturating_mul(2).saturating_add(n.saturating_pow(3) / 12).saturating_add(triples)
            }
        };
        Cost::of_values(steps, largest.size)
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let values = Sequence::of_octal(self, largest.size).values;
        Ok(Box::new(Tabulated::new(self, values).with_longest_play(largest)))
    }
}
