//! Who wins.

use std::fmt;

/// Who wins a position when both play well.
///
/// ```
/// use zeroxor::{Outcome, Position, Solver};
///
/// let mut solver = Solver::new();
/// let mut outcome = |header: &str| -> Result<Outcome, Box<dyn std::error::Error>> {
///     Ok(solver.outcome(&Position::new(&header.parse()?)?)?)
/// };
/// // The next player wins a row of 3 by taking all, the previous one a row of 4.
/// assert_eq!(outcome("3 1 3")?, Outcome::N);
/// assert_eq!(outcome("4 1 1")?, Outcome::P);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// An N-position: the next player, who is to move, wins.
    N,
    /// A P-position: the previous player wins, and the player to move loses.
    P,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::N => "N",
            Self::P => "P",
        })
    }
}
