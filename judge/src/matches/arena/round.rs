//! The round of a game, in a format that has rounds.

use serde::{Deserialize, Serialize};

/// A format that is played in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RoundFormat {
    Knockout,
    Swiss,
}

/// The round of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) format: RoundFormat,
    /// Its number, from 1.
    pub(crate) number: u32,
    /// How many rounds there are.
    pub(crate) of: u32,
}
