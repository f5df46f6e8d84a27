//! The row of cards, and its legal moves.

use std::fmt;
use std::ops::Range;

/// A move: it takes the cards x, x+1, ..., x+y-1. The cards are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The first card.
    pub x: usize,
    /// The number of cards.
    pub y: usize,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.x, self.y)
    }
}

/// The cards of a game that are still there.
#[derive(Clone, Debug)]
pub struct Row {
    n: usize,
    l: usize,
    r: usize,
    /// The longest runs of cards that are still there, from left to right. None is empty.
    segments: Vec<Range<usize>>,
}

impl Row {
    /// A row of `n` cards of which a move takes `l` to `r`, or `None` unless 1 <= L <= R <= N.
    pub fn new(n: usize, l: usize, r: usize) -> Option<Self> {
        let is_game = 1 <= l && l <= r && r <= n;
        is_game.then(|| Self { n, l, r, segments: Vec::from([Range { start: 1, end: n + 1 }]) })
    }

    /// N, L and R, as in the contest's first line.
    pub fn header(&self) -> (usize, usize, usize) {
        (self.n, self.l, self.r)
    }

    /// The longest runs of cards that are still there, from left to right. None is empty.
    pub fn segments(&self) -> &[Range<usize>] {
        &self.segments
    }

    /// Takes the cards of a move. An illegal move changes nothing.
    ///
    /// # Errors
    ///
    /// If the move is illegal.
    pub fn take(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let (Move { x, y }, (n, l, r)) = (mv, self.header());
        let illegal = |rule| Err(IllegalMove { mv, rule });
        if !(1..=n).contains(&x) {
            return illegal(Rule::NoSuchCard { n });
        }
        if y == 0 {
            return illegal(Rule::TakesNothing);
        }
        let Some(index) = self.segments.iter().position(|segment| segment.contains(&x)) else {
            return illegal(Rule::CardTaken);
        };
        if !(l..=r).contains(&y) {
            return illegal(Rule::OutsideWindow { l, r });
        }
        let segment = self.segments[index].clone();
        let free = segment.end - x;
        if y > free {
            return illegal(Rule::RunTooShort { free });
        }
        let left = [segment.start..x, x + y..segment.end];
        self.segments.splice(index..=index, left.into_iter().filter(|segment| !segment.is_empty()));
        Ok(())
    }
}

/// A move that breaks a rule of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The rule that it breaks.
    pub rule: Rule,
}

/// A rule of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The first card is one of the cards 1 to N.
    NoSuchCard {
        /// N.
        n: usize,
    },
    /// A move takes at least one card.
    TakesNothing,
    /// The first card is still there.
    CardTaken,
    /// A move takes L to R cards.
    OutsideWindow {
        /// L.
        l: usize,
        /// R.
        r: usize,
    },
    /// All cards of the move are still there.
    RunTooShort {
        /// The number of consecutive cards that are still there, from the first card of the move on.
        free: usize,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "taking {} at place {} is not legal: ", self.mv.y, self.mv.x)?;
        match self.rule {
            Rule::NoSuchCard { n } => write!(f, "there is no such place; places are numbered from 1 to {n}"),
            Rule::TakesNothing => f.write_str("a move takes at least 1"),
            Rule::CardTaken => f.write_str("the card at that place is already taken"),
            Rule::OutsideWindow { l: 1, r: 1 } => f.write_str("a move takes exactly 1 card"),
            Rule::OutsideWindow { l, r } if l == r => write!(f, "a move takes exactly {l} consecutive cards"),
            Rule::OutsideWindow { l, r } => write!(f, "a move takes {l} to {r} consecutive cards"),
            Rule::RunTooShort { free } => {
                write!(f, "the run of free cards from that place on has length {free}")
            }
        }
    }
}

impl std::error::Error for IllegalMove {}
