//! Which engine answers for a row.

use std::sync::OnceLock;

use super::counts::Counts;
use super::{Heap, PairIndex, Scale, Sequence, Take, Theory, TooLarge, Window};
use crate::Nimber;

/// The Grundy values of the segments of a window, scaled down, from the engine that fits their length.
pub(super) struct SegmentTheory {
    window: Window,
    scale: Scale,
    engine: Engine,
    largest: u64,
    counts: OnceLock<Option<Counts>>,
}

enum Engine {
    Pairs(PairIndex),
    Sequence(Sequence),
}

impl SegmentTheory {
    /// The dense engine runs at about 10^9 steps a second: this is some ten seconds.
    const MAX_STEPS: u128 = 10_000_000_000;

    pub(super) fn new(window: Window, largest: u64) -> Result<Self, TooLarge> {
        let scale = Scale::of(window);
        let n = scale.down(largest);
        let engine = if let Some(index) = PairIndex::new(scale.window, n) {
            Engine::Pairs(index)
        } else if let Some(sequence) = Sequence::periodic(scale.window) {
            Engine::Sequence(sequence)
        } else {
            let steps = u128::from(n.saturating_sub(scale.window.l)).pow(2) / 4;
            if steps > Self::MAX_STEPS {
                let Window { l, r } = window;
                let what = format!("a Grundy table of segments up to {largest} under the window [{l}, {r}]");
                return Err(TooLarge { what, asked: steps, limit: Self::MAX_STEPS, unit: "steps" });
            }
            Engine::Sequence(Sequence::up_to(scale.window, n))
        };
        Ok(Self { window, scale, engine, largest, counts: OnceLock::new() })
    }

    fn value(&self, n: u64) -> Nimber {
        let n = self.scale.down(n);
        match &self.engine {
            Engine::Pairs(index) => index.nimber(n),
            Engine::Sequence(sequence) => sequence.nimber(n),
        }
    }
}

impl Theory for SegmentTheory {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.value(heap.size)
    }

    fn move_to(&self, heap: Heap, target: Nimber) -> Option<Take> {
        let n = self.scale.down(heap.size);
        let (a, b) = match &self.engine {
            Engine::Pairs(index) => index.split(n, target).map(|pair| (pair.u(), pair.v())),
            Engine::Sequence(sequence) => sequence.split(n, target),
        }?;
        Some(self.scale.lift(heap.size, a, b))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        // Moves are counted in the row as it is: scaled down, many become one.
        let count = || Counts::new(self.window, self.largest, |n| self.value(n).0 as u32);
        let counts = self.counts.get_or_init(count).as_ref()?;
        Some(counts.moves(heap.size, target.0).into())
    }
}
