//! The kinds of games that a header can name.

use std::sync::Arc;

use super::pile::{divisor, prime, square, subtract};
use super::{Clause, Random, Rules, euclid, octal, row};

/// A kind of game. The first word of a header names it; a header of three numbers is a [`Segment`](Self::Segment).
///
/// ```
/// use zeroxor::GameKind;
///
/// assert_eq!(GameKind::named("nim").map(|kind| kind.form()), Some("nim n1 n2 ..."));
/// assert_eq!(GameKind::named("chess"), None);
/// assert!(GameKind::all().all(|kind| kind.form().starts_with(kind.name())));
/// assert_eq!(GameKind::Divisor.keywords(), ["proper", "ban"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// A row of cards under a window: a move takes L to R consecutive cards.
    Segment,
    /// Piles. A move takes a perfect square that is not banned.
    Square,
    /// Piles. A move takes a divisor of the pile's current size that is not banned.
    Divisor,
    /// Piles. A move takes one of the listed numbers, or at most a part of the pile's current size.
    Subtract,
    /// Piles. A move takes any number of stones.
    Nim,
    /// Piles. A move takes a prime number that is not banned.
    Prime,
    /// The Number Game: a move subtracts a positive multiple of one number from the other, which stays at least 1.
    Euclid,
    /// Rows of cards. A move takes consecutive cards, or splits a row and takes nothing, as a code allows.
    Octal,
    /// Grundy's game: a move splits a row into two rows of different length, and takes nothing.
    Grundy,
}

/// What headers, the judge and tables need to know of a game. Each game defines its entry in its own file.
pub(crate) struct GameEntry {
    pub(crate) name: &'static str,
    pub(crate) form: &'static str,
    pub(crate) help: &'static str,
    pub(crate) keywords: &'static [&'static str],
    pub(crate) max_heap: u64,
    /// Returns the rules; `None` for clauses that no header of the game has.
    pub(crate) rules: fn(&[Clause]) -> Option<Arc<dyn Rules>>,
    /// The starts that the judge uses as components of small sums, as words after the name. A bar separates starts.
    pub(crate) in_sums: &'static str,
    /// One start of each extreme kind, with the size N.
    pub(crate) extremes: &'static str,
    /// The small starts: the number of heaps, their largest size, and the starts, in which N stands for the heaps.
    pub(crate) small: &'static [(usize, u64, &'static str)],
    /// Returns a random start with sizes of at most the given one.
    pub(crate) random: fn(u64, &mut dyn Random) -> Start,
}

/// The clauses and the heaps of a start.
pub(crate) type Start = (Vec<Clause>, Vec<u64>);

impl GameKind {
    /// Returns all kinds of games.
    pub fn all() -> impl Iterator<Item = Self> {
        let piles = [Self::Square, Self::Divisor, Self::Subtract, Self::Nim, Self::Prime];
        [Self::Segment].into_iter().chain(piles).chain([Self::Euclid, Self::Octal, Self::Grundy])
    }

    /// Returns the kind called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }

    pub(crate) fn entry(self) -> &'static GameEntry {
        match self {
            Self::Segment => &row::ENTRY,
            Self::Square => &square::ENTRY,
            Self::Divisor => &divisor::ENTRY,
            Self::Subtract => &subtract::ENTRY,
            Self::Nim => &subtract::NIM,
            Self::Prime => &prime::ENTRY,
            Self::Euclid => &euclid::ENTRY,
            Self::Octal => &octal::ENTRY,
            Self::Grundy => &octal::GRUNDY,
        }
    }

    /// Returns the word that a header begins with.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the form of a header.
    pub fn form(self) -> &'static str {
        self.entry().form
    }

    /// Returns the description of a move, in one line.
    pub fn help(self) -> &'static str {
        self.entry().help
    }

    /// Returns the keywords that may follow the heaps of a header, in this order.
    pub fn keywords(self) -> &'static [&'static str] {
        self.entry().keywords
    }

    /// Returns the largest size of a heap. If the digits of an octal code repeat, the heaps are smaller.
    pub fn max_heap(self) -> u64 {
        self.entry().max_heap
    }
}
