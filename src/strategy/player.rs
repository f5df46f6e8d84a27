//! A player of one game, who remembers that the opponent is to move in a lost position, so that a won game stays won.

use super::Solver;
use crate::grundy::TooLarge;
use crate::{IllegalMove, Move, Outcome, Position, Side};
use log::warn;

/// A player of one game, with the position in play.
///
/// Once the opponent has to move from a position that is known to be lost, the player can answer every move. A move in
/// one of two equal heaps is answered by the same move in the other heap (the Tweedledum and Tweedledee argument of E.
/// R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways for your Mathematical Plays"). This needs no values, so
/// the heaps may have any size. The answer to a move in an unpaired heap comes from the tables that showed that the
/// position is lost: they have the values of all heaps that the unpaired heap can become.
///
/// ```
/// use zeroxor::{Move, Player, Position, Side};
///
/// // The values of the two long rows are too expensive. The two rows are a pair, and so are the two piles.
/// let game = "subtract 5 5 take 3 + 1000000000 3 3 + 1000000000 3 3".parse()?;
/// let mut player = Player::new(Position::new(&game)?);
/// assert_eq!(player.winning_side()?, Side::Second);
/// player.opponent_played(Move { place: 1, take: 3 })?;
/// assert_eq!(player.winning_move()?, Some(Move { place: 2, take: 3 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Player {
    position: Position,
    pub(crate) solver: Solver,
    /// Whether the opponent is to move in a position that is known to be lost.
    is_won: bool,
    /// A move that is known to win, if there is one.
    winning: Option<Move>,
}

impl Player {
    /// Returns a player with the limits of docs/limits.md.
    pub fn new(position: Position) -> Self {
        Self::with_solver(position, Solver::new())
    }

    pub(crate) fn with_solver(position: Position, solver: Solver) -> Self {
        Self { position, solver, is_won: false, winning: None }
    }

    /// Returns the position in play.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Replaces the position, and forgets what was known about the old one.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
        self.winning = None;
        self.is_won = false;
    }

    /// Returns the side that wins if the position is the start.
    ///
    /// # Errors
    ///
    /// As for [`Solver::outcome`].
    pub fn winning_side(&mut self) -> Result<Side, TooLarge> {
        self.is_won = if self.position.is_misere() {
            self.solver.outcome(&self.position)? == Outcome::P
        } else {
            self.winning_move()?.is_none()
        };
        Ok(if self.is_won { Side::Second } else { Side::First })
    }

    /// Returns a winning move; `None` from a lost position.
    ///
    /// # Errors
    ///
    /// As for [`Solver::outcome`]. There is no error if the opponent has just moved from a position known to be lost.
    pub fn winning_move(&mut self) -> Result<Option<Move>, TooLarge> {
        if self.winning.is_none() {
            self.winning = self.solver.winning_move(&self.position)?;
        }
        Ok(self.winning)
    }

    /// Returns the move from a lost position that makes the win hardest to find, see [`Solver::best_delaying_move`];
    /// `None` if there is no legal move.
    pub fn delaying_move(&mut self) -> Option<Move> {
        self.solver.best_delaying_move(&self.position)
    }

    /// Returns a winning move, else the best delaying move; `None` if there is no legal move.
    ///
    /// Also returns a delaying move if the values cost too much, so that the game is played to its end.
    pub fn best_move(&mut self) -> Option<Move> {
        let winning = self.winning_move().unwrap_or_else(|error| {
            warn!("no winning move can be found: {error}");
            None
        });
        winning.or_else(|| self.delaying_move())
    }

    /// Makes the player's own move. A move that is not legal changes nothing.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.position.play(mv)?;
        self.is_won = self.winning.take() == Some(mv);
        Ok(())
    }

    /// Makes the opponent's move. A move that is not legal changes nothing.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move.
    pub fn opponent_played(&mut self, mv: Move) -> Result<(), IllegalMove> {
        // In misère play equal heaps do not cancel.
        let mirrored = self.position.mirrored_move(mv).filter(|_| self.is_won && !self.position.is_misere());
        self.position.play(mv)?;
        self.winning = mirrored;
        self.is_won = false;
        Ok(())
    }
}
