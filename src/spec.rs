//! What a header names: a game with its sizes, or a sum of games.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::compat::Itertools;
use crate::words::{Word, quoted, words};

/// The largest size of anything in a specification: a row's length, a window's bound, a pile, a listed number.
pub const MAX_SIZE: u64 = 1_000_000_000_000_000_000;

/// A game with the sizes it starts with, or a sum of such games.
///
/// Its words are those of a header; [`Display`](fmt::Display) writes them so that they are read again as the same
/// specification. All numbers are from 1 to [`MAX_SIZE`]. What is read by [`FromStr`] is valid; a value that is put
/// together by hand is checked by [`validate`](Self::validate), and whenever a position is made of it.
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
    /// A move is made in one of these games, none of which is a sum itself; there is at least one.
    Sum(Vec<Self>),
}

impl GameSpec {
    /// The games of the sum, from left to right; a single game is a sum of one.
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
    pub fn name(&self) -> &'static str {
        match self {
            Self::Segment { .. } => "segment",
            Self::Square { .. } => "square",
            Self::Divisor { .. } => "divisor",
            Self::Subtract { .. } => "subtract",
            Self::Nim { .. } => "nim",
            Self::Euclid { .. } => "euclid",
            Self::Sum(_) => "sum",
        }
    }

    /// Writes a game of piles, and a list behind a keyword unless it is empty.
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

    /// The form of its words.
    fn form(&self) -> &'static str {
        match self {
            Self::Segment { .. } => "segment N L R",
            Self::Square { .. } => "square n1 n2 ... [ban s1 s2 ...]",
            Self::Divisor { .. } => "divisor n1 n2 ... [ban d1 d2 ...]",
            Self::Subtract { .. } => "subtract n1 n2 ... take s1 s2 ...",
            Self::Nim { .. } => "nim n1 n2 ...",
            Self::Euclid { .. } => "euclid A B",
            Self::Sum(_) => "GAME + GAME ...",
        }
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
            Self::Sum(games) => write!(f, "{}", games.iter().format(" + ")),
        }
    }
}

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let words =
            words(text.as_bytes()).map_err(|expected| SpecError::new(expected, quoted(text.as_bytes())))?;
        Self::from_words(&words)
    }
}

/// Why a game is refused that the library knows.
#[cfg(contest)]
pub(crate) const ROWS_ALONE: &str = "this file plays short rows alone: it was made with \
    `judge bundle --games segment`; use `--games all`";

const A_NUMBER: &str = "a number from 1 to 1000000000000000000";

impl GameSpec {
    /// Reads the words of a game, or of games joined by `+`.
    pub(crate) fn from_words(words: &[Word<'_>]) -> Result<Self, SpecError> {
        let end = words.last().map_or(1, |word| word.column + word.text.len());
        let mut games = Vec::new();
        for part in words.split(|word| word.text == "+") {
            // A part's words end before the next "+", or at the end of the line.
            let end = part.last().map_or(end, |word| word.column + word.text.len());
            games.push(Part { words: part, end }.read()?);
        }
        match <[Self; 1]>::try_from(games) {
            Ok([game]) => Ok(game),
            Err(games) => Ok(Self::Sum(games)),
        }
    }
}

/// The words of one component.
struct Part<'a> {
    words: &'a [Word<'a>],
    /// The column behind them.
    end: usize,
}

impl Part<'_> {
    fn read(&self) -> Result<GameSpec, SpecError> {
        let Some((name, rest)) = self.words.split_first() else {
            return Err(self.missing("a game such as \"20 3 5\" or \"nim 3 5\""));
        };
        let game = match name.text {
            _ if name.is_digits() => {
                let [n, l, r] = self.exactly(self.words, "three numbers \"N L R\"")?;
                GameSpec::Segment { n, l, r }
            }
            "segment" => {
                let [n, l, r] = self.exactly(rest, "\"segment N L R\"")?;
                GameSpec::Segment { n, l, r }
            }
            _ => self.other_game(*name, rest)?,
        };
        if let GameSpec::Segment { n, l, r } = game {
            // The last three words are the numbers.
            let [.., second, third] = self.words else { return Ok(game) };
            if r > n {
                return Err(SpecError::at(*third, format!("R of at most N = {n}")));
            }
            if l > r {
                return Err(SpecError::at(*second, format!("L of at most R = {r}")));
            }
        }
        Ok(game)
    }

    /// A game other than a row.
    #[cfg(not(contest))]
    fn other_game(&self, name: Word<'_>, rest: &[Word<'_>]) -> Result<GameSpec, SpecError> {
        const NAMES: [&str; 6] = ["segment", "square", "divisor", "subtract", "nim", "euclid"];
        Ok(match name.text {
            "euclid" => {
                let [a, b] = self.exactly(rest, "\"euclid A B\"")?;
                GameSpec::Euclid { a, b }
            }
            "nim" => GameSpec::Nim { piles: self.numbers(rest, "a pile")? },
            "square" => {
                let (piles, banned) = self.piles_and_list(rest, "ban", true)?;
                GameSpec::Square { piles, banned }
            }
            "divisor" => {
                let (piles, banned) = self.piles_and_list(rest, "ban", true)?;
                GameSpec::Divisor { piles, banned }
            }
            "subtract" => {
                let (piles, takes) = self.piles_and_list(rest, "take", false)?;
                GameSpec::Subtract { piles, takes }
            }
            _ => {
                let names = NAMES.iter().format(", ");
                let error = SpecError::at(name, format!("three numbers \"N L R\" or a game ({names})"));
                return Err(error.suggesting(name.text, NAMES));
            }
        })
    }

    /// A game other than a row, which this file does not play.
    #[cfg(contest)]
    fn other_game(&self, name: Word<'_>, _rest: &[Word<'_>]) -> Result<GameSpec, SpecError> {
        let rows = "three numbers \"N L R\" or \"segment N L R\"";
        Err(SpecError::at(name, format!("{rows} ({ROWS_ALONE})")))
    }

    fn missing(&self, expected: &str) -> SpecError {
        SpecError { column: Some(self.end), ..SpecError::new(expected.to_owned(), "nothing".to_owned()) }
    }

    fn exactly<const N: usize>(&self, words: &[Word<'_>], form: &str) -> Result<[u64; N], SpecError> {
        if let Some(extra) = words.get(N) {
            return Err(SpecError::at(*extra, format!("no more than {form}")));
        }
        let numbers = numbers(words)?;
        numbers.try_into().map_err(|_| self.missing(form))
    }

    /// At least one number.
    fn numbers(&self, words: &[Word<'_>], what: &str) -> Result<Vec<u64>, SpecError> {
        if words.is_empty() { Err(self.missing(&format!("{what}, {A_NUMBER}"))) } else { numbers(words) }
    }

    /// Piles, a keyword and a list of numbers; where it is optional, both may be missing.
    fn piles_and_list(
        &self,
        words: &[Word<'_>],
        keyword: &'static str,
        is_optional: bool,
    ) -> Result<(Vec<u64>, Vec<u64>), SpecError> {
        let Some(at) = words.iter().position(|word| word.is_lowercase()) else {
            let piles = self.numbers(words, "a pile")?;
            return if is_optional {
                Ok((piles, Vec::new()))
            } else {
                Err(self.missing(&format!("{keyword:?}")))
            };
        };
        if words[at].text != keyword {
            let error = SpecError::at(words[at], format!("a number or {keyword:?}"));
            return Err(error.suggesting(words[at].text, [keyword]));
        }
        let piles = match &words[..at] {
            [] => return Err(SpecError::at(words[at], format!("a pile, {A_NUMBER}"))),
            piles => numbers(piles)?,
        };
        Ok((piles, self.numbers(&words[at + 1..], &format!("a number behind {keyword:?}"))?))
    }
}

fn numbers(words: &[Word<'_>]) -> Result<Vec<u64>, SpecError> {
    let number = |word: &Word<'_>| {
        word.number(MAX_SIZE)
            .filter(|&number| number > 0)
            .ok_or_else(|| SpecError::at(*word, A_NUMBER.to_owned()))
    };
    words.iter().map(number).collect()
}

/// A game specification that cannot be read, or that is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    expected: String,
    got: String,
    column: Option<usize>,
    suggestion: Option<&'static str>,
}

impl SpecError {
    /// The error that something else was expected. What came is shown as it is given here.
    pub fn new(expected: String, got: String) -> Self {
        Self { expected, got, column: None, suggestion: None }
    }

    pub(crate) fn at(word: Word<'_>, expected: String) -> Self {
        Self { column: Some(word.column), ..Self::new(expected, quoted(word.text.as_bytes())) }
    }

    /// With the suggestion of the name that was probably meant, if there is one.
    fn suggesting(self, word: &str, names: impl IntoIterator<Item = &'static str>) -> Self {
        let near = names.into_iter().map(|name| (distance(word, name), name)).min();
        let is_near = |&(distance, name): &(usize, &str)| 3 * distance <= name.len();
        Self { suggestion: near.filter(is_near).map(|(_, name)| name), ..self }
    }

    /// What was expected.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What came instead: quoted, shortened, control bytes escaped.
    pub fn got(&self) -> &str {
        &self.got
    }

    /// The column of the first byte that was not expected, from 1; `None` if the words were not read from a line.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// What was probably meant.
    pub fn suggestion(&self) -> Option<&'static str> {
        self.suggestion
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, got, column, suggestion } = self;
        write!(f, "expected {expected}, got {got}")?;
        if let Some(column) = column {
            write!(f, " at column {column}")?;
        }
        match suggestion {
            Some(name) => write!(f, "; did you mean {name:?}?"),
            None => Ok(()),
        }
    }
}

impl Error for SpecError {}

/// How many letters must be added, removed, replaced or exchanged with their neighbour to make `b` of `a`: the
/// optimal string alignment distance (F. J. Damerau 1964, "A technique for computer detection and correction of
/// spelling errors"). Time: the product of the lengths, of which that of `a` is cut at 20.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.bytes().take(20).collect_vec());
    let mut rows = vec![(0..=b.len()).collect_vec()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words() {
        for (a, b, expected) in
            [("square", "square", 0), ("sqare", "square", 1), ("sqaure", "square", 1), ("", "nim", 3)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn every_error_has_its_column() {
        for (line, message) in [
            ("", "expected a game such as \"20 3 5\" or \"nim 3 5\", got nothing at column 1"),
            ("nim 3 +", "expected a game such as \"20 3 5\" or \"nim 3 5\", got nothing at column 8"),
            (
                "sqare 3",
                "expected three numbers \"N L R\" or a game (segment, square, divisor, subtract, nim, euclid), got \"sqare\" at column 1; did you mean \"square\"?",
            ),
            ("20 3", "expected three numbers \"N L R\", got nothing at column 5"),
            ("20 3 5 7", "expected no more than three numbers \"N L R\", got \"7\" at column 8"),
            ("segment 20 5 3", "expected L of at most R = 3, got \"5\" at column 12"),
            ("segment 20 5 30", "expected R of at most N = 20, got \"30\" at column 14"),
            ("segment 0 1 1", "expected a number from 1 to 1000000000000000000, got \"0\" at column 9"),
            ("nim 3 + square x", "expected a number or \"ban\", got \"x\" at column 16"),
            (
                "square 20 bna 1",
                "expected a number or \"ban\", got \"bna\" at column 11; did you mean \"ban\"?",
            ),
            (
                "square 20 ban",
                "expected a number behind \"ban\", a number from 1 to 1000000000000000000, got nothing at column 14",
            ),
            (
                "square ban 1",
                "expected a pile, a number from 1 to 1000000000000000000, got \"ban\" at column 8",
            ),
            ("subtract 5", "expected \"take\", got nothing at column 11"),
            (
                "nim 1000000000000000001",
                "expected a number from 1 to 1000000000000000000, got \"1000000000000000001\" at column 5",
            ),
            ("euclid 4", "expected \"euclid A B\", got nothing at column 9"),
        ] {
            assert_eq!(line.parse::<GameSpec>().unwrap_err().to_string(), message, "{line:?}");
        }
    }

    /// What is put together by hand is held to the same rules.
    #[test]
    fn specifications_by_hand() {
        let valid = [
            "6 1 2",
            "square 5 ban 3",
            "divisor 6",
            "subtract 5 take 1",
            "nim 1",
            "euclid 2 2",
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
            GameSpec::Sum(vec![]),
            GameSpec::Sum(vec![GameSpec::Sum(vec![nim(&[1])])]),
        ] {
            assert!(spec.validate().is_err(), "{spec:?}");
        }
    }
}
