//! Game specifications: a game with its sizes, or a sum of games.

use std::sync::Arc;
use std::{fmt, slice};

pub use error::SpecError;
pub(crate) use read::{MISERE, SEAT};

use crate::core::protocol::quoted;
use crate::rules::{Clause, GameKind, Heap, Rules, Shape, Window};
use crate::words::split;
use itertools::Itertools;

mod error;
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
/// use zeroxor::{GameKind, GameSpec};
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
/// assert_eq!(sum.components()[1].row(), Some([7, 1, 2]));
///
/// let by_hand = GameSpec::Single { kind: GameKind::Nim, heaps: vec![], clauses: vec![] };
/// assert!(by_hand.validate().is_err());
/// assert!("octal 4.7 9 + grundy 9".parse::<GameSpec>()?.ensure_playable().is_ok());
/// let error = "nim 3 + octal 0.8 9".parse::<GameSpec>()?.ensure_playable().unwrap_err();
/// assert_eq!(error.got, "\"octal 0.8 9\"");
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GameSpec {
    /// A game that is not a sum.
    Single {
        /// The kind of game.
        kind: GameKind,
        /// The lengths of the rows, the sizes of the piles, or the two numbers of a pair. There is at least one.
        heaps: Vec<u64>,
        /// What the header says of the moves: a window, a code, or clauses in the order of [`GameKind::keywords`].
        clauses: Vec<Clause>,
    },
    /// A sum: a move is made in one of the games. There is at least one game, and no game is a sum itself.
    Sum(Vec<Self>),
    /// Misère play of a game or a sum: the player who makes the last move loses.
    Misere(Box<Self>),
}

impl GameSpec {
    /// Returns the kind of the game, or `None` for a sum and for misère play.
    pub fn kind(&self) -> Option<GameKind> {
        let Self::Single { kind, .. } = self else { return None };
        Some(*kind)
    }

    /// Returns N, L and R if the game is a row of cards under a window.
    pub fn row(&self) -> Option<[u64; 3]> {
        let Self::Single { heaps, clauses, .. } = self else { return None };
        match (&heaps[..], &clauses[..]) {
            (&[n], &[Clause::Window(Window { l, r })]) => Some([n, l, r]),
            _ => None,
        }
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
            Self::Single { .. } => slice::from_ref(self),
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
        let rules = match self {
            Self::Single { kind, heaps, clauses } => (kind.entry().rules)(clauses).zip(Some(heaps)),
            Self::Sum(_) | Self::Misere(_) => None,
        };
        let (rules, heaps) =
            rules.ok_or_else(|| SpecError::new("a single game in normal play", self.to_string()))?;
        let heaps = match (rules.shape(), &heaps[..]) {
            (Shape::Pair, &[size, second]) => vec![Heap { size, second }],
            (_, heaps) => heaps.iter().copied().map(Heap::of).collect(),
        };
        Ok((rules, heaps))
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
            Self::Single { heaps, .. } => heaps.iter().copied().max().unwrap_or(0),
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
        let leaves_three = |clause: &Clause| matches!(clause, Clause::Code(code) if !code.is_playable());
        let is_unplayable =
            |game: &&Self| matches!(game, Self::Single { clauses, .. } if clauses.iter().any(leaves_three));
        let Some(game) = self.components().iter().find(is_unplayable) else { return Ok(()) };
        let expected = "a game in which each move leaves at most two heaps, so that \"x y\" describes it";
        Err(SpecError::new(expected, quoted(game.to_string().as_bytes())))
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Self::Single { heaps, clauses, .. } => {
                let (codes, others): (Vec<_>, Vec<_>) =
                    clauses.iter().partition(|clause| matches!(clause, Clause::Code(_)));
                f.write_str(name)?;
                codes.iter().try_for_each(|code| write!(f, " {code}"))?;
                heaps.iter().try_for_each(|size| write!(f, " {size}"))?;
                others.iter().try_for_each(|clause| write!(f, " {clause}"))
            }
            Self::Sum(games) => write!(f, "{}", games.iter().format(" + ")),
            Self::Misere(game) => write!(f, "{name} {game}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `validate` refuses constructed specifications that no header could name. Every `Position::new` of a header shows that
    /// it accepts the others.
    #[test]
    fn validate_refuses_what_no_header_names() {
        let single = |kind, heaps: &[u64], clauses: &[Clause]| GameSpec::Single {
            kind,
            heaps: heaps.to_vec(),
            clauses: clauses.to_vec(),
        };
        let piles = |kind, clauses: &[Clause]| single(kind, &[5], clauses);
        let nim = || piles(GameKind::Nim, &[]);
        let misere = |game| GameSpec::Misere(Box::new(game));
        for spec in [
            piles(GameKind::Segment, &[]),
            piles(GameKind::Segment, &[Clause::Window(Window { l: 3, r: 8 })]),
            single(GameKind::Segment, &[5, 6], &[Clause::Window(Window { l: 1, r: 2 })]),
            single(GameKind::Nim, &[], &[]),
            piles(GameKind::Euclid, &[]),
            piles(GameKind::Octal, &[]),
            piles(GameKind::Grundy, &[Clause::Code("0.7".parse().unwrap())]),
            piles(GameKind::Nim, &[Clause::Ban(vec![1])]),
            piles(GameKind::Subtract, &[]),
            piles(GameKind::Subtract, &[Clause::Take(vec![])]),
            piles(GameKind::Subtract, &[Clause::TakeShare(2), Clause::TakeShare(3)]),
            piles(GameKind::Square, &[Clause::Ban(vec![])]),
            piles(GameKind::Divisor, &[Clause::Ban(vec![1]), Clause::Proper]),
            single(GameKind::Grundy, &[crate::MAX_SIZE + 1], &[]),
            single(GameKind::Prime, &[10_000_001], &[]),
            GameSpec::Sum(vec![]),
            GameSpec::Sum(vec![GameSpec::Sum(vec![nim()])]),
            misere(misere(nim())),
            GameSpec::Sum(vec![nim(), misere(nim())]),
        ] {
            assert!(spec.validate().is_err(), "{spec:?}");
        }
    }
}
