//! What a header names: a game with its sizes, or a sum of games.

use std::fmt;

pub use code::OctalCode;
pub use error::SpecError;
pub(crate) use read::SEAT;

use crate::compat::Itertools;
use crate::words::quoted;

mod code;
mod error;
mod read;

/// The largest size of anything in a specification: a row's length, a window's bound, a pile, a listed number.
///
/// ```
/// use zeroxor::{GameSpec, MAX_SIZE};
///
/// let largest = GameSpec::Nim { piles: vec![MAX_SIZE] };
/// assert!(largest.validate().is_ok());
/// assert_eq!(largest.to_string(), "nim 1000000000000000000");
/// ```
pub const MAX_SIZE: u64 = 1_000_000_000_000_000_000;

/// A game with the sizes it starts with, or a sum of such games.
///
/// Its words are those of a header; [`Display`](fmt::Display) writes them so that they are read again as the same
/// specification. All numbers are from 1 to [`MAX_SIZE`]. What is read by [`FromStr`](std::str::FromStr) is valid;
/// a value that is put together by hand is checked by [`validate`](Self::validate), and whenever a position is made
/// of it.
///
/// ```
/// use zeroxor::GameSpec;
///
/// let spec: GameSpec = "20 3 5 + square 20 ban 1".parse()?;
/// assert_eq!(spec.components().len(), 2);
/// assert_eq!(spec.to_string(), "segment 20 3 5 + square 20 ban 1");
///
/// let error = "sqare 3".parse::<GameSpec>().unwrap_err();
/// assert_eq!(error.column(), Some(1));
/// assert_eq!(error.suggestion(), Some("square"));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameSpec {
    /// A row of `n` cards; a move takes `l` to `r` consecutive cards.
    Segment {
        /// How many cards the row has.
        n: u64,
        /// The least number of cards a move takes.
        l: u64,
        /// The largest number of cards a move takes, at least `l` and at most `n`.
        r: u64,
    },
    /// Piles; a move takes a perfect square that is not banned.
    Square {
        /// The sizes of the piles, at least one.
        piles: Vec<u64>,
        /// Numbers that may not be taken; those that are no squares make no difference.
        banned: Vec<u64>,
    },
    /// Piles; a move takes a divisor of the pile's present size that is not banned.
    Divisor {
        /// The sizes of the piles, at least one.
        piles: Vec<u64>,
        /// Numbers that may not be taken.
        banned: Vec<u64>,
    },
    /// Piles; a move takes one of the listed numbers.
    Subtract {
        /// The sizes of the piles, at least one.
        piles: Vec<u64>,
        /// The numbers that may be taken, at least one.
        takes: Vec<u64>,
    },
    /// Piles; a move takes any number of stones.
    Nim {
        /// The sizes of the piles, at least one.
        piles: Vec<u64>,
    },
    /// The Number Game: a move subtracts a positive multiple of one number from the other, which stays at least 1.
    Euclid {
        /// The first number.
        a: u64,
        /// The second number.
        b: u64,
    },
    /// Rows of cards; a move takes consecutive cards as a code allows.
    Octal {
        /// What taking each number of cards may leave.
        code: OctalCode,
        /// How many cards the rows have, at least one row.
        heaps: Vec<u64>,
    },
    /// Grundy's game: a move splits a heap into two that are not equal, and takes nothing.
    Grundy {
        /// The sizes of the heaps, at least one.
        heaps: Vec<u64>,
    },
    /// A move is made in one of these games, none of which is a sum itself; there is at least one.
    Sum(Vec<Self>),
}

/// What a number in a specification must be.
const A_NUMBER: &str = "a number from 1 to 1000000000000000000";

impl GameSpec {
    /// The names of all games that a header can begin with.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// let spec: GameSpec = "nim 3 5".parse()?;
    /// assert!(GameSpec::NAMES.contains(&spec.name()));
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub const NAMES: [&str; 8] =
        ["segment", "square", "divisor", "subtract", "nim", "euclid", "octal", "grundy"];

    /// The names of the games that can be played: all but those of which no move can be
    /// [written](Self::ensure_playable).
    pub(crate) fn playable_names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(|&name| name != "grundy")
    }

    /// The games of the sum, from left to right; a single game is a sum of one.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// let sum: GameSpec = "nim 3 5 + euclid 8 5".parse()?;
    /// let names: Vec<_> = sum.components().iter().map(GameSpec::name).collect();
    /// assert_eq!(names, ["nim", "euclid"]);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn components(&self) -> &[Self] {
        match self {
            Self::Sum(games) => games,
            game => std::slice::from_ref(game),
        }
    }

    /// Checks that every number is in its range.
    ///
    /// # Errors
    ///
    /// At the first component that is no game.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// let error = GameSpec::Segment { n: 5, l: 3, r: 8 }.validate().unwrap_err();
    /// assert_eq!(error.expected(), "1 <= L <= R <= N in \"segment N L R\"");
    /// assert_eq!(error.got(), "\"segment 5 3 8\"");
    /// ```
    pub fn validate(&self) -> Result<(), SpecError> {
        let wrong = |expected: String, got: &dyn fmt::Display| Err(SpecError::new(expected, got.to_string()));
        let numbers: Vec<u64> = match self {
            Self::Sum(games) if games.is_empty() => {
                return wrong("a sum of at least one game".to_owned(), &"none");
            }
            Self::Sum(games) => {
                if let Some(sum) = games.iter().find(|game| matches!(game, Self::Sum(_))) {
                    return wrong("a sum of games that are no sums".to_owned(), sum);
                }
                return games.iter().try_for_each(Self::validate);
            }
            Self::Segment { n, l, r } => {
                let window = format!("1 <= L <= R <= N in {:?}", self.form());
                if l > r || r > n {
                    return wrong(window, &quoted(self.to_string().as_bytes()));
                }
                vec![*n, *l, *r]
            }
            Self::Nim { piles } => piles.clone(),
            Self::Octal { heaps, .. } | Self::Grundy { heaps } => heaps.clone(),
            Self::Euclid { a, b } => vec![*a, *b],
            Self::Square { piles, banned: list }
            | Self::Divisor { piles, banned: list }
            | Self::Subtract { piles, takes: list } => {
                let needs_list = matches!(self, Self::Subtract { .. });
                if piles.is_empty() || needs_list && list.is_empty() {
                    return wrong(format!("{:?}", self.form()), &quoted(self.to_string().as_bytes()));
                }
                piles.iter().chain(list).copied().collect()
            }
        };
        match numbers.iter().find(|number| !(1..=MAX_SIZE).contains(*number)) {
            Some(number) => wrong(A_NUMBER.to_owned(), &quoted(number.to_string().as_bytes())),
            None if numbers.is_empty() => {
                wrong(format!("{:?}", self.form()), &quoted(self.to_string().as_bytes()))
            }
            None => Ok(()),
        }
    }

    /// The name of the game, "sum" of a sum.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// // The name of a row may be left out in a header.
    /// assert_eq!("20 3 5".parse::<GameSpec>()?.name(), "segment");
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Self::Segment { .. } => "segment",
            Self::Square { .. } => "square",
            Self::Divisor { .. } => "divisor",
            Self::Subtract { .. } => "subtract",
            Self::Nim { .. } => "nim",
            Self::Euclid { .. } => "euclid",
            Self::Octal { .. } => "octal",
            Self::Grundy { .. } => "grundy",
            Self::Sum(_) => "sum",
        }
    }

    /// Checks that each move can be written as "take y at place x", as a [`Position`](crate::Position) needs it.
    /// Other games have tables only, which need just the sizes of the heaps left.
    ///
    /// # Errors
    ///
    /// At the first component with a move that takes nothing, or that leaves more than two heaps.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// assert!("octal 0.77 9".parse::<GameSpec>()?.ensure_playable().is_ok());
    /// let error = "nim 3 + octal 4.7 9".parse::<GameSpec>()?.ensure_playable().unwrap_err();
    /// assert_eq!(error.got(), "\"octal 4.7 9\"");
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn ensure_playable(&self) -> Result<(), SpecError> {
        let is_playable = |game: &&Self| match game {
            Self::Octal { code, .. } => code.is_playable(),
            Self::Grundy { .. } => false,
            _ => true,
        };
        match self.components().iter().find(|game| !is_playable(game)) {
            None => Ok(()),
            Some(game) => {
                let expected = "a game in which each move takes cards and leaves two heaps at most, so that \"x y\" \
                    says all of it";
                Err(SpecError::new(expected.to_owned(), quoted(game.to_string().as_bytes())))
            }
        }
    }
}

impl GameSpec {
    /// The form of its words.
    fn form(&self) -> &'static str {
        match self {
            Self::Segment { .. } => "segment N L R",
            Self::Square { .. } => "square n1 n2 ... [ban s1 s2 ...]",
            Self::Divisor { .. } => "divisor n1 n2 ... [ban d1 d2 ...]",
            Self::Subtract { .. } => "subtract n1 n2 ... take s1 s2 ...",
            Self::Nim { .. } => "nim n1 n2 ...",
            Self::Euclid { .. } => "euclid A B",
            Self::Octal { .. } => "octal CODE n1 n2 ...",
            Self::Grundy { .. } => "grundy n1 n2 ...",
            Self::Sum(_) => "GAME + GAME ...",
        }
    }

    /// Writes a game of piles, and a list after a keyword unless it is empty.
    fn write_piles(
        &self,
        f: &mut fmt::Formatter<'_>,
        piles: &[u64],
        keyword: &str,
        list: &[u64],
    ) -> fmt::Result {
        write!(f, "{} {}", self.name(), piles.iter().format(" "))?;
        if list.is_empty() { Ok(()) } else { write!(f, " {keyword} {}", list.iter().format(" ")) }
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Self::Segment { n, l, r } => write!(f, "{name} {n} {l} {r}"),
            Self::Square { piles, banned } | Self::Divisor { piles, banned } => {
                self.write_piles(f, piles, "ban", banned)
            }
            Self::Subtract { piles, takes } => self.write_piles(f, piles, "take", takes),
            Self::Nim { piles } => self.write_piles(f, piles, "", &[]),
            Self::Euclid { a, b } => write!(f, "{name} {a} {b}"),
            Self::Octal { code, heaps } => write!(f, "{name} {code} {}", heaps.iter().format(" ")),
            Self::Grundy { heaps } => write!(f, "{name} {}", heaps.iter().format(" ")),
            Self::Sum(games) => write!(f, "{}", games.iter().format(" + ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value that is put together by hand has to satisfy the same rules.
    #[test]
    fn specifications_by_hand() {
        let valid = [
            "6 1 2",
            "square 5 ban 3",
            "divisor 6",
            "subtract 5 take 1",
            "nim 1",
            "euclid 2 2",
            "octal .77 5 3",
            "octal 4.7 5 + grundy 7",
            "nim 1 + 6 1 2",
        ];
        for words in valid {
            let spec: GameSpec = words.parse().unwrap();
            assert_eq!(spec.validate(), Ok(()), "{words}");
            assert_eq!(spec.to_string().parse(), Ok(spec), "{words}");
        }
        let nim = |piles: &[u64]| GameSpec::Nim { piles: piles.to_vec() };
        for spec in [
            nim(&[]),
            nim(&[0]),
            nim(&[MAX_SIZE + 1]),
            GameSpec::Segment { n: 5, l: 3, r: 2 },
            GameSpec::Segment { n: 5, l: 3, r: 6 },
            GameSpec::Segment { n: 5, l: 0, r: 2 },
            GameSpec::Subtract { piles: vec![5], takes: vec![] },
            GameSpec::Square { piles: vec![5], banned: vec![0] },
            GameSpec::Divisor { piles: vec![], banned: vec![1] },
            GameSpec::Euclid { a: 0, b: 1 },
            GameSpec::Octal { code: "0.77".parse().unwrap(), heaps: vec![] },
            GameSpec::Grundy { heaps: vec![0] },
            GameSpec::Sum(vec![]),
            GameSpec::Sum(vec![GameSpec::Sum(vec![nim(&[1])])]),
        ] {
            assert!(spec.validate().is_err(), "{spec:?}");
        }
    }
}
