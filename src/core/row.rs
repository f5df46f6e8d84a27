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
    /// If the move is illegal. The error says which rule it breaks.
    pub fn take(&mut self, Move { x, y }: Move) -> Result<(), String> {
        let (n, l, r) = self.header();
        let illegal = |rule: &str| Err(format!("taking {y} at place {x} is not legal: {rule}"));
        if !(1..=n).contains(&x) {
            return illegal(&format!("there is no such place; places are numbered from 1 to {n}"));
        }
        if y == 0 {
            return illegal("a move takes at least 1");
        }
        let Some(index) = self.segments.iter().position(|segment| segment.contains(&x)) else {
            return illegal("the card at that place is already taken");
        };
        if !(l..=r).contains(&y) {
            return illegal(&match (l, r) {
                (1, 1) => "a move takes exactly 1 card".to_owned(),
                _ if l == r => format!("a move takes exactly {l} consecutive cards"),
                _ => format!("a move takes {l} to {r} consecutive cards"),
            });
        }
        let segment = self.segments[index].clone();
        let free = segment.end - x;
        if y > free {
            return illegal(&format!("the run of free cards from that place on has length {free}"));
        }
        let left = [segment.start..x, x + y..segment.end];
        self.segments.splice(index..=index, left.into_iter().filter(|segment| !segment.is_empty()));
        Ok(())
    }
}
