//! Why a game was lost: the move that threw the win away, and what would have kept it.

use zeroxor::grundy::TooLarge;
use zeroxor::{Move, Outcome, Position, Side, Solver};

use referee::review::{Blunder, Review};

/// Why a player has lost a game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The player's last blunder; after it, the other player kept the win.
    Blunder(Blunder),
    /// The player resigned a position that this move wins.
    ResignedWon(Move),
    /// The start was lost for the player, and no move gave a chance to win.
    FromTheStart,
}

impl Loss {
    /// Finds out why `loser` has lost the game with these moves, all of them legal from `start` on.
    ///
    /// # Errors
    ///
    /// If the tables of nimbers would be too large for the solver.
    pub(crate) fn of(
        start: &Position,
        loser: Side,
        moves: &[Move],
        solver: &mut Solver,
    ) -> Result<Self, TooLarge> {
        let review = Review::of(start.clone(), loser, false, moves, solver)?;
        if review.last == Outcome::N
            && let Some(mv) = winning_move_after(start, moves, solver)?
        {
            return Ok(Self::ResignedWon(mv));
        }
        Ok(review.blunders.into_iter().last().map_or(Self::FromTheStart, Self::Blunder))
    }
}

/// A move that wins the position after these moves.
fn winning_move_after(
    start: &Position,
    moves: &[Move],
    solver: &mut Solver,
) -> Result<Option<Move>, TooLarge> {
    let mut position = start.clone();
    for &mv in moves {
        if position.play(mv).is_err() {
            return Ok(None);
        }
    }
    solver.winning_move(&position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(header: &str, loser: Side, takes: &[u64]) -> Loss {
        let moves: Vec<Move> = takes.iter().map(|&take| Move { place: 1, take }).collect();
        let start = Position::new(&header.parse().unwrap()).unwrap();
        Loss::of(&start, loser, &moves, &mut Solver::new()).unwrap()
    }

    /// The squares' P-positions are 0, 2, 5, 7, 10, 12, 15, 17, 20.
    #[test]
    fn the_last_blunder_decides() {
        // 18: 1 wins. After 4, 14 is won by 4; after 1 instead, 13 is won by 1; 9 leaves 4, which takes all.
        let Loss::Blunder(blunder) = loss("square 18", Side::First, &[4, 1, 9, 4]) else { panic!() };
        assert_eq!((blunder.ply, blunder.mv.take, blunder.better.map(|mv| mv.take)), (3, 9, Some(1)));
    }

    #[test]
    fn a_start_that_is_lost() {
        assert_eq!(loss("square 20", Side::First, &[9, 9, 1, 1]), Loss::FromTheStart);
        assert_eq!(loss("square 3 ban 1", Side::First, &[]), Loss::FromTheStart);
    }

    #[test]
    fn resigning() {
        assert_eq!(loss("square 4", Side::First, &[]), Loss::ResignedWon(Move { place: 1, take: 4 }));
        assert_eq!(loss("square 20", Side::First, &[]), Loss::FromTheStart);
        let Loss::Blunder(blunder) = loss("square 4 2", Side::First, &[1, 1]) else { panic!() };
        assert_eq!(blunder.ply, 1);
    }
}
