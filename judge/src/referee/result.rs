//! The result of a game.

use std::time::Duration;

use zeroxor::{Move, Side};

use super::decide::decide;
use super::event::Usage;
use super::game_state::{GameState, Timing};
use super::verdict::Verdict;

/// What a game has come to.
#[derive(Debug)]
pub(crate) struct GameResult {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    /// The side that the bot has named.
    pub(crate) side: Option<Side>,
    /// The moves of both sides.
    pub(crate) moves: Vec<Move>,
    /// From the first line to the end of the process.
    pub(crate) wall: Duration,
    pub(crate) timing: Timing,
    pub(crate) used: Usage,
    /// The last of what the bot wrote to stderr.
    pub(crate) stderr: Vec<u8>,
}

impl GameResult {
    /// What a game has come to, after that time.
    pub(crate) fn new(state: &GameState, wall: Duration) -> Self {
        let (verdict, reason) = decide(state);
        Self {
            verdict,
            reason,
            side: state.side(),
            moves: state.moves().to_vec(),
            wall,
            timing: state.timing(),
            used: state.used(),
            stderr: state.stderr(),
        }
    }
}
