//! A game of a sweep.

use std::fmt;

use itertools::Itertools;

use crate::row_game::RowGame;

/// The rules of a game, sizes left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweepGame {
    /// A window or a code.
    Row(RowGame),
    /// A subtraction set, in ascending order.
    Subtract(Vec<u64>),
}

impl SweepGame {
    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    pub fn read(text: &str) -> Option<Self> {
        let game = match text.strip_prefix("subtract take ") {
            Some(takes) => Self::Subtract(takes.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?),
            None => Self::Row(RowGame::read(text)?),
        };
        (game.to_string() == text).then_some(game)
    }
}

impl fmt::Display for SweepGame {
    /// The rules in the header's words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(game) => game.fmt(f),
            Self::Subtract(takes) => write!(f, "subtract take {}", takes.iter().format(" ")),
        }
    }
}
