//! The result of a game.

use std::time::Duration;

use zeroxor::grundy::TooLarge;
use zeroxor::{Move, Outcome, Position, Side};

use super::decide::decide;
use super::event::Usage;
use super::game_state::{GameState, Timing};
use super::review::Review;
use super::transcript::SetupLine;
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

/// A game that is over: how it was set up, its result, and how well the bot has played.
pub(crate) struct FinishedGame {
    pub(crate) setup: SetupLine,
    pub(crate) result: GameResult,
    /// The comparison with perfect play; `None` if the bot never named its side.
    pub(crate) review: Option<Result<Review, TooLarge>>,
}

impl FinishedGame {
    /// Compares the moves from `start` with perfect play.
    pub(crate) fn new(setup: SetupLine, start: Position, result: GameResult) -> Self {
        let review = result.side.map(|side| Review::of(start, side, &result.moves));
        Self { setup, result, review }
    }

    /// Whether the bot resigned a position that it could have won.
    pub(crate) fn has_resigned_won(&self) -> bool {
        let review = self.review.as_ref().and_then(|review| review.as_ref().ok());
        self.result.verdict == Verdict::Resigned && review.is_some_and(|review| review.last == Outcome::N)
    }
}
