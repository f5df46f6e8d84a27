//! A finished game with its review.

use zeroxor::grundy::TooLarge;
use zeroxor::{Outcome, Position, Solver};

use super::conversation::side_to_move;
use super::result::GameResult;
use super::review::Review;
use super::setup::{GameSetup, OpponentKind};
use super::transcript::SetupLine;
use super::verdict::Verdict;

/// A finished game: its set-up, its result, and how well the bot played.
pub struct FinishedGame {
    pub setup: SetupLine,
    pub result: GameResult,
    /// The comparison with perfect play; `None` if the bot never named its side.
    pub review: Option<Result<Review, TooLarge>>,
}

impl FinishedGame {
    /// Compares the moves from `start` with perfect play.
    pub fn new(setup: SetupLine, start: Position, result: GameResult) -> Self {
        let has_chosen = setup.game.header.side().is_none();
        let review =
            result.side.map(|side| Review::of(start, side, has_chosen, &result.moves, &mut Solver::new()));
        Self { setup, result, review }
    }

    /// Returns the command that plays this game again, see [`SetupLine::command`]. If the opponent was another
    /// bot, the command names the perfect opponent, which first repeats the moves of that bot. For a game that a person
    /// played, the command is `judge play`.
    pub fn command(&self) -> Option<String> {
        if !self.setup.config.played_by.is_program() {
            return Some(format!("judge play {}", self.setup.game.header));
        }
        if self.setup.game.opponent != OpponentKind::Bot {
            return self.setup.command();
        }
        let moves = self.result.moves.iter();
        let opponents = (1..).zip(moves).filter(|&(ply, _)| Some(side_to_move(ply)) != self.result.side);
        let line = opponents.map(|(_, mv)| [mv.place, mv.take]).collect();
        let game = GameSetup { opponent: OpponentKind::Perfect, line, ..self.setup.game.clone() };
        SetupLine { game, ..self.setup.clone() }.command()
    }

    /// Checks whether the bot resigned a position that it could have won.
    pub fn has_resigned_a_won_position(&self) -> bool {
        let review = self.review.as_ref().and_then(|review| review.as_ref().ok());
        self.result.verdict == Verdict::Resigned && review.is_some_and(|review| review.last == Outcome::N)
    }
}
