//! The verdicts of games.

use std::fmt;

use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};

/// The verdict of a game, from a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Verdict {
    Won,
    Lost,
    Resigned,
    Illegal,
    Malformed,
    ExtraOutput,
    Crashed,
    ExitedEarly,
    TimeCpu,
    TimeWall,
    Idle,
    NoExit,
    Memory,
    Processes,
    OutputLimit,
    JudgeError,
    Interrupted,
}

impl Verdict {
    /// Returns the verdict that is displayed as `name`.
    ///
    /// # Errors
    ///
    /// If no verdict has this name.
    pub(crate) fn from_name(name: &str) -> Result<Self, serde::de::value::Error> {
        Self::deserialize(name.into_deserializer())
    }

    /// Checks whether two verdicts describe the same failure. Whether a bot first uses up its CPU time or its wall time
    /// depends on the load of the machine, so these two verdicts count as the same failure.
    pub(crate) fn is_like(self, other: Self) -> bool {
        let is_about_time = |verdict| matches!(verdict, Self::TimeCpu | Self::TimeWall);
        self == other || is_about_time(self) && is_about_time(other)
    }

    /// Checks whether the bot lost by its moves, and not by its process or the form of its output.
    pub(crate) fn is_about_moves(self) -> bool {
        matches!(self, Self::Lost | Self::Resigned | Self::Illegal)
    }
}

/// Writes the name that the verdict also has in JSON, such as `EXTRA_OUTPUT`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_padded() {
        assert_eq!(format!("{:<13}|{:>4}", Verdict::ExtraOutput, Verdict::Won), "EXTRA_OUTPUT | WON");
        assert_eq!(Verdict::from_name("EXTRA_OUTPUT"), Ok(Verdict::ExtraOutput));
    }

    #[test]
    fn either_time_limit_is_the_same_failure() {
        assert!(Verdict::TimeCpu.is_like(Verdict::TimeWall) && Verdict::TimeWall.is_like(Verdict::TimeCpu));
        assert!(Verdict::Lost.is_like(Verdict::Lost) && !Verdict::Lost.is_like(Verdict::TimeCpu));
        assert!(!Verdict::TimeWall.is_like(Verdict::Memory));
    }
}
