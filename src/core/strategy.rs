//! The side and the moves that win.

use super::nimbers::Nimbers;
use super::row::{Move, Row};
use std::fmt;

/// The player who makes the first move, or the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Moves first.
    First,
    /// Moves second.
    Second,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A way to win a game from its start.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// First takes the cards in the middle, so that two equal halves are left. A move in one half is then answered by
    /// the same move in the other half.
    Mirror {
        /// The first move.
        middle: Move,
    },
    /// The player moves to a row whose nimbers have the XOR 0, from which every move leads to another XOR.
    XorToZero(Nimbers),
}

impl Strategy {
    /// The strategy for a row from which no card was taken.
    ///
    /// No number of cards leaves two equal halves only if L = R and N-L is odd. Only then nimbers are computed, and
    /// they need the time of [`Nimbers::new`].
    pub fn new(row: &Row) -> Self {
        let (n, l, r) = row.header();
        match (l..=r).find(|y| (n - y) % 2 == 0) {
            Some(y) => Self::Mirror { middle: Move { x: (n - y) / 2 + 1, y } },
            None => Self::XorToZero(Nimbers::new(n, l, r)),
        }
    }

    /// The side that wins.
    pub fn side(&self, row: &Row) -> Side {
        match self {
            Self::Mirror { .. } => Side::First,
            Self::XorToZero(nimbers) if xor(row, nimbers) != 0 => Side::First,
            Self::XorToZero(_) => Side::Second,
        }
    }

    /// The answer to the opponent's move `last`, or the first move of the game if that is `None`. `None` if `row` is
    /// lost.
    pub fn answer(&self, row: &Row, last: Option<Move>) -> Option<Move> {
        match (self, last) {
            (&Self::Mirror { middle }, None) => Some(middle),
            (&Self::Mirror { middle }, Some(last)) => Some(mirrored(last, middle)),
            (Self::XorToZero(nimbers), _) => move_to_zero(row, nimbers),
        }
    }
}

/// The same move in the other half. The halves are as far apart as their first cards.
fn mirrored(mv: Move, middle: Move) -> Move {
    let distance = middle.x - 1 + middle.y;
    let x = if mv.x < middle.x { mv.x + distance } else { mv.x - distance };
    Move { x, ..mv }
}

fn xor(row: &Row, nimbers: &Nimbers) -> u32 {
    row.segments().iter().fold(0, |xor, segment| xor ^ nimbers.nimber(segment.len()))
}

/// A move after which the XOR is 0, if it is not 0 now.
///
/// The nimber of some segment has the highest bit of the XOR, so the XOR of all other segments is less than it. By the
/// definition of the mex, a move in this segment leaves that nimber.
fn move_to_zero(row: &Row, nimbers: &Nimbers) -> Option<Move> {
    let xor = xor(row, nimbers);
    row.segments().iter().find_map(|segment| {
        let nimber = nimbers.nimber(segment.len());
        let others = nimber ^ xor;
        let (left, right) = nimbers.split(segment.len(), others).filter(|_| others < nimber)?;
        Some(Move { x: segment.start + left, y: segment.len() - left - right })
    })
}
