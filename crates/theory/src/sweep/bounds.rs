//! How far each game of a sweep is looked at.

use zeroxor::grundy::Budget;

/// A longer look is worth its cost if it goes to so many per cent of the values that are known.
pub(super) const WORTH: u64 = 130;

/// How far a game is looked at, and what that may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The largest heap.
    pub to: u64,
    /// Counted nanoseconds, see [`Budget`].
    pub steps: u64,
    /// Bytes of memory.
    pub memory: u64,
}

impl Bounds {
    pub(super) fn budget(&self) -> Budget {
        Budget::new(self.steps.into(), self.memory.into())
    }
}
