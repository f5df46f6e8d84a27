//! Moves, sides and outcomes.

use std::error::Error;
use std::fmt;

use crate::rules::Violation;

/// The side of a player, who moves first or second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The side that makes the first move.
    First,
    /// The side that makes the second move.
    Second,
}

impl Side {
    /// Returns the other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}"))
    }
}

/// Who wins a position if both players play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// An N-position: the player to move (the next player) wins.
    N,
    /// A P-position: the player to move loses (the previous player wins).
    P,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}"))
    }
}

/// A move of any game, written `place take`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The place in the whole position, from 1.
    pub place: u64,
    /// The number of cards or stones that are taken; 0 if the move only splits a row, before the card at `place`.
    pub take: u64,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.place, self.take)
    }
}

/// A move that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The rule that the move breaks.
    pub rule: Violation,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Move { place, take } = self.mv;
        write!(f, "taking {take} at place {place} is not legal: {}", self.rule)
    }
}

impl Error for IllegalMove {}
