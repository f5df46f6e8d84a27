//! The trait of observers, which show a game during play.

use zeroxor::{Move, Position, Side};

use super::conversation::side_to_move;

/// The player who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    Bot,
    Judge,
}

impl Mover {
    /// Returns who makes the move number `ply`. `bot` is the bot's side, if it has one.
    pub fn of(ply: u64, bot: Option<Side>) -> Self {
        if bot == Some(side_to_move(ply)) { Self::Bot } else { Self::Judge }
    }
}

/// An observer of a game during play. By default, its methods do nothing.
pub trait Spectator {
    /// Shows that the next game repeats the previous one, because the time of that one is in doubt.
    ///
    /// # Errors
    ///
    /// If the repetition cannot be shown.
    fn repeat(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Shows the position before the first move.
    ///
    /// # Errors
    ///
    /// If the position cannot be shown.
    fn start(&mut self, _position: &Position) -> anyhow::Result<()> {
        Ok(())
    }

    /// Shows a legal move after it was played.
    ///
    /// # Errors
    ///
    /// If the move cannot be shown.
    fn moved(&mut self, _ply: u64, _mover: Mover, _mv: Move) -> anyhow::Result<()> {
        Ok(())
    }
}

/// An observer that does nothing.
impl Spectator for () {}
