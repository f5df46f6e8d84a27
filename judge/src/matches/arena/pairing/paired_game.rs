//! A game of a run: its bots and its start.

use crate::matches::arena::round::Round;

/// Who plays a game, and from which start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::matches::arena) struct PairedGame {
    /// The bot that moves first, and its opponent, as numbers of entrants.
    pub(in crate::matches::arena) seats: [usize; 2],
    /// The number of the start.
    pub(in crate::matches::arena) start: u64,
    pub(in crate::matches::arena) round: Option<Round>,
}
