//! The limits of sizes: what the values of a game cost, and how much they may cost.

use std::error::Error;
use std::fmt;

use super::{Engine, ValueKind};
use crate::rules::{Heap, MAX_SIZE};

/// The cost of a table, from a formula for each game. It bounds the cost of every game up to a size, so that a game is
/// always computed or always refused, before anything is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Steps: nanoseconds on a slow machine, about half of one on a fast machine.
    pub(crate) steps: u128,
    pub(crate) bytes: u128,
}

impl Cost {
    /// The cost of the values up to `largest`, with four more bytes for each: a stamp or a code.
    pub(crate) fn of_values(steps: u128, largest: u64) -> Self {
        Self { steps, bytes: (u128::from(largest) + 1) * 2 * size_of::<u32>() as u128 }
    }
}

/// What tables may still cost. Each table is subtracted, so the games of a sum, and of a conversation, share a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    steps: u128,
    bytes: u128,
    /// Whether nothing was subtracted.
    is_whole: bool,
}

impl Limit {
    /// The limit of a game, a sum, or a conversation of several games: three seconds on a slow machine, and 256 MiB, a
    /// quarter of the contest's memory.
    pub const GAME: Self = Self::new(3_000_000_000, 256 << 20);

    /// The limit of tables that are only needed to choose a delaying move: a fraction of a second.
    pub(crate) const DELAYING: Self = Self::new(300_000_000, 128 << 20);

    /// Returns a limit of `steps` steps, each about a nanosecond on a slow machine, and `bytes` bytes.
    pub const fn new(steps: u128, bytes: u128) -> Self {
        Self { steps, bytes, is_whole: true }
    }

    pub(crate) fn allows(&self, cost: Cost) -> bool {
        cost.steps <= self.steps && cost.bytes <= self.bytes
    }

    pub(crate) fn steps_left(&self) -> u64 {
        u64::try_from(self.steps).unwrap_or(u64::MAX)
    }

    pub(crate) fn set_steps_left(&mut self, steps: u64) {
        self.is_whole &= self.steps == steps.into();
        self.steps = steps.into();
    }

    /// Subtracts the cost of a table of the game `words` up to `largest`. If the table costs more than is left, nothing
    /// is subtracted.
    pub(crate) fn spend(
        &mut self,
        engine: &dyn Engine,
        words: impl FnOnce() -> String,
        largest: Heap,
        kind: ValueKind,
    ) -> Result<(), TooLarge> {
        let cost = engine.cost(largest, kind);
        if !self.allows(cost) {
            return Err(TooLarge::Size {
                game: words(),
                size: largest.size,
                largest: self.largest(engine, kind),
                is_alone: self.is_whole,
            });
        }
        self.steps -= cost.steps;
        self.bytes -= cost.bytes;
        self.is_whole &= cost == Cost::default();
        Ok(())
    }

    pub(crate) fn largest(&self, engine: &dyn Engine, kind: ValueKind) -> u64 {
        let (mut fits, mut above) = (0, MAX_SIZE + 1);
        while above - fits > 1 {
            let middle = fits + (above - fits) / 2;
            if self.allows(engine.cost(Heap::of(middle), kind)) {
                fits = middle;
            } else {
                above = middle;
            }
        }
        fits
    }
}

/// The error of a game that is too large to be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooLarge {
    /// A heap is larger than the values of its game can be computed for.
    Size {
        /// The rules in words.
        game: String,
        /// The size of the heap.
        size: u64,
        /// The largest size.
        largest: u64,
        /// Whether the largest size is that of a game on its own. Otherwise other games have a share of the limit.
        is_alone: bool,
    },
    /// A search in misère play is too large.
    Work {
        /// What is too large.
        what: String,
        /// The most that is allowed, in `unit`.
        limit: u64,
        /// The unit, such as sums or plies.
        unit: &'static str,
    },
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { game, size, largest, is_alone } => {
                // A list of bans may have thousands of numbers.
                let short = game.char_indices().nth(100).map(|(at, _)| format!("{}...", &game[..at]));
                let game = short.as_ref().unwrap_or(game);
                write!(f, "\"{game}\" with a heap of {size}; the largest size is {largest}")?;
                if *is_alone { Ok(()) } else { f.write_str(" beside the other games") }
            }
            Self::Work { what, limit, unit } => write!(f, "{what} needs more than {limit} {unit}"),
        }
    }
}

impl Error for TooLarge {}
