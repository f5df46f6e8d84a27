//! Game specifications: a game with its sizes, or a sum of games.

use std::sync::Arc;
use std::{fmt, slice};

pub use error::SpecError;
pub use kind::GameKind;
pub(crate) use read::{MISERE, SEAT};

use crate::core::protocol::quoted;
use crate::rules::{Clause, Euclid, Heap, Octal, OctalCode, PileGame, Row, Rules, Shape, Window};
use crate::words::split;
use itertools::Itertools;

mod error;
mod kind;
mod read;
mod starts;

/// A game with the sizes of its start, or a sum of such games.
///
/// [`Display`](fmt::Display) writes a valid specification as the words of a header, and [`FromStr`](std::str::FromStr)
/// parses these words to the same specification. All numbers are from 1 to [`MAX_SIZE`](crate::MAX_SIZE). A parsed
/// specification is valid. Call [`validate`](Self::validate) to check a specification that you construct yourself.
/// [`Position::new`](crate::Position::new) checks it too.
///
/// ```
/// use zeroxor::GameSpec;
///
/// let spec: GameSpec = "20 3 5 + square 20 ban 1".parse()?;
/// assert_eq!(spec.components().len(), 2);
/// assert_eq!(spec.to_string(), "segment 20 3 5 + square 20 ban 1");
///
/// let error = "sqare 3".parse::<GameSpec>().unwrap_err();
/// assert_eq!(error.column, Some(1));
/// assert_eq!(error.suggestion, Some("square"));
/// let misere: GameSpec = "misere nim 3 5".parse()?;
/// assert!(misere.is_misere() && misere.name() == "misere");
/// assert_eq!(misere.in_normal_play().to_string(), "nim 3 5");
/// // The name of a row may be left out in a header.
/// let sum: GameSpec = "nim 1 + 7 1 2 + subtract 2 5 take 9".parse()?;
/// let names: Vec<_> = sum.components().iter().map(GameSpec::name).collect();
/// assert_eq!((names, sum.size()), (vec!["nim", "segment", "subtract"], 7));
///
/// let error = GameSpec::Segment { n: 5, l: 3, r: 8 }.validate().unwrap_err();
/// assert_eq!(error.to_string(), "expected R of at most N = 5, got \"8\" at column 13");
/// assert!("octal 4.7 9 + grundy 9".parse::<GameSpec>()?.ensure_playable().is_ok());
/// let error = "nim 3 + octal 0.8 9".parse::<GameSpec>()?.ensure_playable().unwrap_err();
/// assert_eq!(error.got, "\"octal 0.8 9\"");
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GameSpec {
    /// A row of `n` cards. A move takes `l` to `r` consecutive cards.
    Segment {
        /// The number of cards of the row.
        n: u64,
        /// The least number of cards that a move takes.
        l: u64,
        /// The largest number of cards that a move takes, at least `l` and at most `n`.
        r: u64,
    },
    /// Piles. A move takes stones from one pile. The game says which numbers of stones are allowed.
    Piles {
        /// The game.
        game: PileGame,
        /// The sizes of the piles. There is at least one pile.
        piles: Vec<u64>,
        /// The clauses after the piles, in the order of their keywords in [`PileGame::keywords`].
        clauses: Vec<Clause>,
    },
    /// The Number Game: a move subtracts a positive multiple of one number from the other, which stays at least 1.
    Euclid {
        /// The first number.
        a: u64,
        /// The second number.
        b: u64,
    },
    /// Rows of cards. A move takes consecutive cards, or splits a row and takes nothing, as a code allows.
    Octal {
        /// The code, which says what may be left when a move takes a certain number of cards.
        code: OctalCode,
        /// The numbers of cards of the rows. There is at least one row. If digits of the code repeat, a row has at most
        /// 10,000 cards.
        heaps: Vec<u64>,
    },
    /// Grundy's game: a move splits a row into two rows of different length, and takes nothing.
    Grundy {
        /// The numbers of cards of the rows. There is at least one row.
        heaps: Vec<u64>,
    },
    /// A sum: a move is made in one of the games. There is at least one game, and no game is a sum itself.
    Sum(Vec<Self>),
    /// Misère play of a game or a sum: the player who makes the last move loses.
    Misere(Box<Self>),
}

impl GameSpec {
    /// Returns the kind of the game, or `None` for a sum and for misère play.
    pub fn kind(&self) -> Option<GameKind> {
        Some(match self {
            Self::Segment { .. } => GameKind::Segment,
            Self::Piles { game, .. } => GameKind::Piles(*game),
            Self::Euclid { .. } => GameKind::Euclid,
            Self::Octal { .. } => GameKind::Octal,
            Self::Grundy { .. } => GameKind::Grundy,
            Self::Sum(_) | Self::Misere(_) => return None,
        })
    }

    /// Returns whether the player who makes the last move loses.
    pub fn is_misere(&self) -> bool {
        matches!(self, Self::Misere(_))
    }

    /// Returns the same game or sum in normal play.
    pub fn in_normal_play(&self) -> &Self {
        match self {
            Self::Misere(game) => game,
            game => game,
        }
    }

    /// Returns the games of the sum, from left to right. A single game is a sum of one.
    pub fn components(&self) -> &[Self] {
        match self {
            Self::Sum(games) => games,
            Self::Misere(game) => game.components(),
            game => slice::from_ref(game),
        }
    }

    /// Checks that the specification is complete and that its numbers are in their ranges, so that its text is a header
    /// of the same games.
    ///
    /// # Errors
    ///
    /// If a component is not a valid game.
    pub fn validate(&self) -> Result<(), SpecError> {
        let text = self.to_string();
        let read = Self::from_words(&split(&text))?;
        if (read.is_misere(), read.components()) == (self.is_misere(), self.components()) {
            return Ok(());
        }
        Err(SpecError::new("a game, or a sum whose games are not sums", quoted(text.as_bytes())))
    }

    /// Returns the rules and the heaps of a game that is not a sum, even if its moves may leave
    /// [three heaps](Self::ensure_playable). The offset of a move that leaves three heaps is a code for them, which
    /// [`apply`](Rules::apply) decodes.
    ///
    /// # Errors
    ///
    /// If the game is a sum, in misère play, or not [valid](Self::validate).
    ///
    /// ```
    /// use zeroxor::GameSpec;
    /// use zeroxor::rules::Heap;
    ///
    /// // A move takes one card and leaves three heaps.
    /// let (rules, heaps) = "octal 0.8 4".parse::<GameSpec>()?.rules()?;
    /// assert_eq!(heaps, [Heap::of(4)]);
    /// let moves: Vec<_> = rules.moves(heaps[0]).collect();
    /// let sizes: Vec<u64> = rules.apply(heaps[0], moves[0])?.iter().map(|(_, heap)| heap.size).collect();
    /// assert_eq!((moves.len(), sizes), (1, vec![1, 1, 1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules(&self) -> Result<(Arc<dyn Rules>, Vec<Heap>), SpecError> {
        self.validate()?;
        let (rules, sizes): (Arc<dyn Rules>, &[u64]) = match self {
            Self::Segment { n, l, r } => {
                (Arc::new(Row { window: Window { l: *l, r: *r } }), slice::from_ref(n))
            }
            Self::Piles { game, piles, clauses } => ((game.entry().rules)(clauses), piles),
            Self::Octal { code, heaps } => (Arc::new(Octal::new(*code)), heaps),
            Self::Grundy { heaps } => (Arc::new(Octal::GRUNDYS_GAME), heaps),
            Self::Euclid { a, b } => return Ok((Arc::new(Euclid), vec![Heap { size: *a, second: *b }])),
            Self::Sum(_) | Self::Misere(_) => {
                return Err(SpecError::new("a single game in normal play", self.to_string()));
            }
        };
        Ok((rules, sizes.iter().copied().map(Heap::of).collect()))
    }

    /// Returns the rules of a game that is not a sum, if its heaps have one size.
    pub(crate) fn rules_of_sizes(&self) -> Result<Arc<dyn Rules>, SpecError> {
        match self.rules()? {
            (rules, _) if rules.shape() == Shape::Pair => {
                Err(SpecError::new("a game whose heaps have one size", self.to_string()))
            }
            (rules, _) => Ok(rules),
        }
    }

    /// Returns the name of the game, "sum" for a sum, "misere" for misère play.
    pub fn name(&self) -> &'static str {
        self.kind().map_or(if self.is_misere() { MISERE } else { "sum" }, GameKind::name)
    }

    /// Returns the size of the start: the largest of its row lengths, pile sizes and numbers of pairs.
    pub fn size(&self) -> u64 {
        match self {
            Self::Segment { n, .. } => *n,
            Self::Piles { piles: heaps, .. } | Self::Octal { heaps, .. } | Self::Grundy { heaps } => {
                heaps.iter().copied().max().unwrap_or(0)
            }
            Self::Euclid { a, b } => *a.max(b),
            Self::Sum(games) => games.iter().map(Self::size).max().unwrap_or(0),
            Self::Misere(game) => game.size(),
        }
    }

    /// Checks that each move leaves at most two heaps. Two numbers, a place and the number taken, then describe the
    /// move, as [`Position::new`](crate::Position::new) requires. Other games cannot be played, but they have tables,
    /// which need only the sizes of the heaps left.
    ///
    /// # Errors
    ///
    /// If a component has a move that leaves more than two heaps. The error names the first such component.
    pub fn ensure_playable(&self) -> Result<(), SpecError> {
        let is_playable = |game: &&Self| !matches!(game, Self::Octal { code, .. } if !code.is_playable());
        match self.components().iter().find(|game| !is_playable(game)) {
            None => Ok(()),
            Some(game) => {
                let expected =
                    "a game in which each move leaves at most two heaps, so that \"x y\" describes it";
                Err(SpecError::new(expected, quoted(game.to_string().as_bytes())))
            }
        }
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Self::Segment { n, l, r } => write!(f, "{name} {n} {l} {r}"),
            Self::Piles { piles, clauses, .. } => {
                write!(f, "{name} {}", piles.iter().format(" "))?;
                clauses.iter().try_for_each(|clause| write!(f, " {clause}"))
            }
            Self::Euclid { a, b } => write!(f, "{name} {a} {b}"),
            Self::Octal { code, heaps } => write!(f, "{name} {code} {}", heaps.iter().format(" ")),
            Self::Grundy { heaps } => write!(f, "{name} {}", heaps.iter().format(" ")),
            Self::Sum(games) => write!(f, "{}", games.iter().format(" + ")),
            Self::Misere(game) => write!(f, "{name} {game}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `validate` accepts parsed specifications, and refuses constructed ones that no header could name.
    #[test]
    fn validate_checks_constructed_specifications() {
        let valid = "6 1 2|square 5 ban 3|divisor 6|divisor 6 proper|divisor 6 proper ban 1 2|\
                     subtract 5 take 1|subtract 5 take 3 1..4 5..1000000000000000000|\
                     subtract 5 take 1..n/2|subtract 5 take 1..n/1000000000000000000|nim 1|euclid 2 2|\
                     octal .77 5 3|octal 4.7 5 + grundy 7|octal 4.[3] 10000|octal 0.8 5|nim 1 + 6 1 2|\
                     misere nim 3 5|misere 20 3 3 + nim 4";
        for words in valid.split('|') {
            let spec: GameSpec = words.parse().unwrap();
            assert_eq!(spec.validate(), Ok(()), "{words}");
            assert_eq!(spec.to_string().parse(), Ok(spec), "{words}");
        }
        let piles =
            |game, clauses: &[Clause]| GameSpec::Piles { game, piles: vec![5], clauses: clauses.to_vec() };
        let nim = || piles(PileGame::Nim, &[]);
        let misere = |game| GameSpec::Misere(Box::new(game));
        for spec in [
            GameSpec::Segment { n: 5, l: 0, r: 2 },
            GameSpec::Piles { game: PileGame::Nim, piles: vec![], clauses: vec![] },
            piles(PileGame::Nim, &[Clause::Ban(vec![1])]),
            piles(PileGame::Subtract, &[]),
            piles(PileGame::Subtract, &[Clause::Take(vec![])]),
            piles(PileGame::Subtract, &[Clause::TakeShare(2), Clause::TakeShare(3)]),
            piles(PileGame::Square, &[Clause::Ban(vec![])]),
            piles(PileGame::Divisor, &[Clause::Ban(vec![1]), Clause::Proper]),
            GameSpec::Grundy { heaps: vec![crate::MAX_SIZE + 1] },
            GameSpec::Sum(vec![]),
            GameSpec::Sum(vec![GameSpec::Sum(vec![nim()])]),
            misere(misere(nim())),
            GameSpec::Sum(vec![nim(), misere(nim())]),
        ] {
            assert!(spec.validate().is_err(), "{spec:?}");
        }
    }
}
