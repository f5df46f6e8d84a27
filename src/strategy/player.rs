//! One player of one game: what it remembers from move to move, so that a won position stays won.

use super::Solver;
use crate::compat::warn;
use crate::grundy::{Budget, TooLarge};
use crate::{IllegalMove, Move, Position, Side};

/// A player of a game, whose position it keeps.
///
/// Once the opponent is to move in a position that is known to be lost, the player can answer every move. A
/// move in one of two equal heaps is answered by the same move in the other (the Tweedledum and Tweedledee
/// argument of E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways for your Mathematical Plays");
/// that needs no values, whatever the size of the heaps. A move in an unpaired heap is answered from the
/// values by which the position was known to be lost, and these cover all that the heap can become.
///
/// ```
/// use zeroxor::{Move, Player, Position, Side};
///
/// // The values of the two long rows are out of reach; the two piles take part as a pair, too.
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
    solver: Solver,
    /// Whether it is the opponent's move in a position that is known to be lost.
    is_won: bool,
    /// A move that is known to win.
    winning: Option<Move>,
}

impl Player {
    /// A player before the first move.
    ///
    /// ```
    /// use zeroxor::{Player, Position};
    ///
    /// let mut player = Player::new(Position::new(&"nim 6".parse()?)?);
    /// assert_eq!(player.best_move().map(|mv| mv.take), Some(6));
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn new(position: Position) -> Self {
        Self::with_budget(position, Budget::GAME)
    }

    /// A player whose tables for the game may cost this much. A limit on CPU time begins now, and again with each move of
    /// the opponent.
    pub fn with_budget(position: Position, budget: Budget) -> Self {
        let solver = Solver::with_budget(budget.restarted());
        Self { position, solver, is_won: false, winning: None }
    }

    /// The position in play.
    ///
    /// ```
    /// use zeroxor::{Move, Player, Position};
    ///
    /// let mut player = Player::new(Position::new(&"nim 6 4".parse()?)?);
    /// player.opponent_played(Move { place: 1, take: 5 })?;
    /// assert_eq!(player.position().to_string(), "nim: 1 4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Continues from another position of the game, where nothing is known of what was played before.
    ///
    /// ```
    /// use zeroxor::{Move, Player, Position};
    ///
    /// // An opponent who takes a move back.
    /// let mut player = Player::new(Position::new(&"nim 6 4".parse()?)?);
    /// let before = player.position().clone();
    /// player.opponent_played(Move { place: 1, take: 2 })?;
    /// player.set_position(before);
    /// assert_eq!(player.winning_move()?, Some(Move { place: 1, take: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
        self.winning = None;
        self.is_won = false;
    }

    /// The side that wins from here, for the player who is to move first or second.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach.
    ///
    /// ```
    /// use zeroxor::{Player, Position, Side};
    ///
    /// // 21 and 13 are Fibonacci numbers: 21/13 is less than the golden ratio.
    /// let mut player = Player::new(Position::new(&"euclid 21 13".parse()?)?);
    /// assert_eq!(player.winning_side()?, Side::Second);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_side(&mut self) -> Result<Side, TooLarge> {
        let side = self.solver.winning_side(&self.position)?;
        self.is_won = side == Side::Second;
        Ok(side)
    }

    /// Prepares for a game from a lost position, so that the first [delaying move](Self::delaying_move) is found
    /// sooner.
    ///
    /// ```
    /// use zeroxor::{Player, Position, Side};
    ///
    /// // Assigned to the side that loses.
    /// let mut player = Player::new(Position::new(&"subtract 12 take 1 2 3".parse()?)?);
    /// assert_eq!(player.winning_side()?, Side::Second);
    /// player.prepare_delaying();
    /// assert!(player.delaying_move().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare_delaying(&mut self) {
        self.solver.prepare_delaying(&self.position);
    }

    /// A move that wins, `None` from a lost position.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach; never if the position was won when the opponent moved.
    ///
    /// ```
    /// use zeroxor::{Player, Position};
    ///
    /// let mut player = Player::new(Position::new(&"subtract 14 take 1 2 3".parse()?)?);
    /// assert_eq!(player.winning_move()?.map(|mv| mv.take), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_move(&mut self) -> Result<Option<Move>, TooLarge> {
        if self.winning.is_none() {
            self.winning = self.solver.winning_move(&self.position)?;
        }
        Ok(self.winning)
    }

    /// From a lost position, the move that makes the win hardest to find; `None` if there is no move.
    ///
    /// ```
    /// use zeroxor::{Player, Position};
    ///
    /// // Whatever is taken of 12, one reply wins; taking one leaves most play.
    /// let mut player = Player::new(Position::new(&"subtract 12 take 1 2 3".parse()?)?);
    /// assert_eq!(player.delaying_move().map(|mv| mv.take), Some(1));
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn delaying_move(&mut self) -> Option<Move> {
        self.solver.best_delaying_move(&self.position)
    }

    /// The move to make: one that wins, else the best delaying move; `None` if there is no move.
    ///
    /// A game that has begun is played to its end: an opponent may bring a lost game beyond the reach of theory.
    ///
    /// ```
    /// use zeroxor::{Player, Position};
    ///
    /// let mut player = Player::new(Position::new(&"7 2 4".parse()?)?);
    /// let mut plies = 0;
    /// while let Some(mv) = player.best_move() {
    ///     player.play(mv)?;
    ///     plies += 1;
    /// }
    /// assert!(player.position().is_over());
    /// assert_eq!(plies % 2, 1, "First made the last move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// ```
    /// use zeroxor::{Move, Player, Position};
    ///
    /// let mut player = Player::new(Position::new(&"nim 6".parse()?)?);
    /// assert!(player.play(Move { place: 1, take: 7 }).is_err());
    /// assert_eq!(player.position().to_string(), "nim: 6");
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
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
    ///
    /// ```
    /// use zeroxor::{Move, Player, Position, Side};
    ///
    /// let mut player = Player::new(Position::new(&"nim 5 5".parse()?)?);
    /// assert_eq!(player.winning_side()?, Side::Second);
    /// player.opponent_played(Move { place: 2, take: 3 })?;
    /// assert_eq!(player.best_move(), Some(Move { place: 1, take: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opponent_played(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mirrored = self.position.mirrored_move(mv).filter(|_| self.is_won);
        self.position.play(mv)?;
        self.solver.begin_anew();
        self.winning = mirrored;
        self.is_won = false;
        Ok(())
    }
}
