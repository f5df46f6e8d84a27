//! What may be spent on the Grundy tables of a game.

use std::error::Error;
use std::fmt;

/// Steps and bytes that are left to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    steps: u128,
    bytes: u128,
}

impl Budget {
    /// What the tables of one game, a sum included, may cost: at about 10^9 steps a second some ten seconds,
    /// and a quarter of the contest's memory.
    pub const TABLE: Self = Self { steps: 10_000_000_000, bytes: 256 << 20 };

    /// What they may cost where nothing is to be won by them: a fraction of a second.
    pub const FIGHT: Self = Self { steps: 300_000_000, ..Self::TABLE };

    /// Takes the cost of a table from what is left.
    ///
    /// # Errors
    ///
    /// If more is asked for than is left; then nothing is taken.
    pub fn spend(&mut self, what: impl Fn() -> String, steps: u128, bytes: u128) -> Result<(), TooLarge> {
        let units = [
            (steps, self.steps, Self::TABLE.steps, "steps"),
            (bytes, self.bytes, Self::TABLE.bytes, "bytes"),
        ];
        for (asked, left, limit, unit) in units {
            if asked > left {
                return Err(TooLarge { what: what(), asked, left, limit, unit });
            }
        }
        self.steps -= steps;
        self.bytes -= bytes;
        Ok(())
    }

    /// What is left when `spent` is taken, nothing at least.
    #[must_use]
    pub fn less(&self, spent: &Self) -> Self {
        let steps = self.steps.saturating_sub(spent.steps);
        Self { steps, bytes: self.bytes.saturating_sub(spent.bytes) }
    }

    /// What is left when `spent` is given back.
    #[must_use]
    pub fn plus(&self, spent: &Self) -> Self {
        Self { steps: self.steps + spent.steps, bytes: self.bytes + spent.bytes }
    }
}

/// A table of Grundy values that is larger than memory or a sane time allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What was to be computed.
    pub what: String,
    /// How much of `unit` it takes.
    pub asked: u128,
    /// How much of `unit` is left to it.
    pub left: u128,
    /// How much of `unit` a whole game may take.
    pub limit: u128,
    /// What is counted: steps, bytes.
    pub unit: &'static str,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, asked, left, limit, unit } = self;
        write!(f, "{what} takes {asked} {unit}, and the limit is {limit}")?;
        if left < limit { write!(f, ", of which {left} are left") } else { Ok(()) }
    }
}

impl Error for TooLarge {}
