//! Those who watch a game while it is played.

use zeroxor::{Move, Position};

/// Who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    Bot,
    Judge,
}

/// Watches a game while it is played.
pub(crate) trait Spectator {
    /// The position before the first move.
    fn start(&mut self, _position: &Position) -> anyhow::Result<()> {
        Ok(())
    }

    /// A legal move.
    fn moved(&mut self, _ply: u64, _mover: Mover, _mv: Move) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Nobody watches.
impl Spectator for () {}
