//! The kinds of games that a header can name.

use crate::rules::pile::PileGame;
use crate::rules::{GameEntry, euclid, octal, row};

/// A kind of game. The first word of a header names it; a header of three numbers is a [`Segment`](Self::Segment).
///
/// ```
/// use zeroxor::GameKind;
///
/// assert_eq!(GameKind::named("nim").map(|kind| kind.form()), Some("nim n1 n2 ..."));
/// assert_eq!(GameKind::named("chess"), None);
/// assert!(GameKind::all().all(|kind| kind.form().starts_with(kind.name())));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// A row of cards under a window.
    Segment,
    /// A game of piles.
    Piles(PileGame),
    /// The Number Game.
    Euclid,
    /// Rows of cards under a code.
    Octal,
    /// Grundy's game.
    Grundy,
}

impl GameKind {
    /// Returns all kinds of games.
    pub fn all() -> impl Iterator<Item = Self> {
        let piles = PileGame::ALL.iter().copied().map(Self::Piles);
        [Self::Segment].into_iter().chain(piles).chain([Self::Euclid, Self::Octal, Self::Grundy])
    }

    /// Returns the kind called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }

    fn entry(self) -> &'static GameEntry {
        match self {
            Self::Segment => &row::ENTRY,
            Self::Piles(game) => &game.entry().game,
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
}
