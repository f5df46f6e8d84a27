//! The wire protocol: lines to headers, sides and moves, and back. No I/O.
//!
//! Readers accept any run of spaces or tabs, blanks at both ends and CRLF; everything else is strict. A line
//! comes here without its LF.

use std::error::Error;
use std::fmt;

use crate::crates::Itertools;
use crate::games::{MAX_SIZE, Setup};
use crate::quote;

/// The longest line a reader accepts, in bytes, its end not counted.
pub const MAX_LINE: usize = 1 << 20;

/// What the judge says when its opponent has lost by a move that is not legal, or has no move.
pub const LOST: &str = "-1 -1";

/// What either side says when it has no move.
pub const NO_MOVE: &str = "0 0";

/// Who moves first and who second: the side a bot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that makes the first move.
    First,
    /// The side that makes the second move.
    Second,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "First",
            Self::Second => "Second",
        })
    }
}

/// A move in any game: *where* and *how many*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The place on the whole table, from 1.
    pub place: u64,
    /// How many cards or stones are taken, at least 1.
    pub take: u64,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.place, self.take)
    }
}

/// One game's header: the parts of a sum, and the bot's side if it is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The games that are played as a sum, from left to right; at least one.
    pub parts: Vec<Setup>,
    /// The assigned side; the bot chooses where there is none.
    pub seat: Option<Side>,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.parts.iter().format(" + "))?;
        match self.seat {
            Some(Side::First) => f.write_str(" seat first"),
            Some(Side::Second) => f.write_str(" seat second"),
            None => Ok(()),
        }
    }
}

/// The first line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// `games T`: so many games follow, each with a header of its own.
    Games(u64),
    /// The header of the only game.
    Header(Header),
}

/// What the judge says when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeTurn {
    /// The judge took cards or stones.
    Move(Move),
    /// `0 0`: the judge has no move, the bot has won.
    NoMove,
    /// `-1 -1`: the bot's last move was not legal, or it had none; the bot has lost.
    Lost,
}

/// A line that is not what was due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What was due.
    pub expected: String,
    /// What came, quoted, shortened and escaped.
    pub got: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

impl Error for SyntaxError {}

/// Reads the first line of a conversation: `games T` or a header.
///
/// # Errors
///
/// If the line is neither.
pub fn parse_opening(line: &[u8]) -> Result<Opening, SyntaxError> {
    let words = words(line, HEADER)?;
    match words.as_slice() {
        ["games", rest @ ..] => match rest {
            [count] => number(count, u64::MAX).filter(|&count| count > 0),
            _ => None,
        }
        .map(Opening::Games)
        .ok_or_else(|| unexpected("\"games T\" with T at least 1", line)),
        words => header(words, line).map(Opening::Header),
    }
}

/// Reads a header: games joined by `+`, and a seat if it is assigned.
///
/// Whether there are such games, and whether the sizes fit their rules, is for [`Table::open`] to say.
///
/// # Errors
///
/// If a word stands where none may, or a number is larger than 10^18.
///
/// [`Table::open`]: crate::Table::open
pub fn parse_header(line: &[u8]) -> Result<Header, SyntaxError> {
    header(&words(line, HEADER)?, line)
}

/// Reads the side a bot takes.
///
/// # Errors
///
/// If the line is neither `First` nor `Second`.
pub fn parse_side(line: &[u8]) -> Result<Side, SyntaxError> {
    const SIDE: &str = "\"First\" or \"Second\"";
    match words(line, SIDE)?.as_slice() {
        ["First"] => Ok(Side::First),
        ["Second"] => Ok(Side::Second),
        _ => Err(unexpected(SIDE, line)),
    }
}

/// Reads a move of the bot's; `None` is `0 0`, no move.
///
/// # Errors
///
/// If the line is not two integers, both 0 or both at least 1.
pub fn parse_bot_turn(line: &[u8]) -> Result<Option<Move>, SyntaxError> {
    const TURN: &str = "a move \"x y\" with both at least 1, or \"0 0\"";
    match turn(&words(line, TURN)?) {
        Some(JudgeTurn::Move(mv)) => Ok(Some(mv)),
        Some(JudgeTurn::NoMove) => Ok(None),
        _ => Err(unexpected(TURN, line)),
    }
}

/// Reads the judge's turn.
///
/// # Errors
///
/// If the line is not two integers, both -1, both 0 or both at least 1.
pub fn parse_judge_turn(line: &[u8]) -> Result<JudgeTurn, SyntaxError> {
    const TURN: &str = "a move \"x y\" with both at least 1, \"0 0\" or \"-1 -1\"";
    match words(line, TURN)?.as_slice() {
        ["-1", "-1"] => Some(JudgeTurn::Lost),
        words => turn(words),
    }
    .ok_or_else(|| unexpected(TURN, line))
}

const HEADER: &str = "a header such as \"N L R\"";

fn unexpected(expected: impl Into<String>, line: &[u8]) -> SyntaxError {
    SyntaxError { expected: expected.into(), got: quote(line) }
}

fn words<'a>(line: &'a [u8], expected: &str) -> Result<Vec<&'a str>, SyntaxError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > MAX_LINE {
        return Err(unexpected(format!("{expected} in a line of at most {MAX_LINE} bytes"), line));
    }
    match std::str::from_utf8(line) {
        Ok(text) if text.is_ascii() => Ok(text.split([' ', '\t']).filter(|word| !word.is_empty()).collect()),
        _ => Err(unexpected(format!("{expected} in ASCII"), line)),
    }
}

/// A decimal integer of digits only; `parse` alone would let a plus sign through.
fn number(word: &str, max: u64) -> Option<u64> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|&value| digits && value <= max)
}

/// A move, or no move.
fn turn(words: &[&str]) -> Option<JudgeTurn> {
    let &[place, take] = words else { return None };
    match (number(place, u64::MAX)?, number(take, u64::MAX)?) {
        (0, 0) => Some(JudgeTurn::NoMove),
        (0, _) | (_, 0) => None,
        (place, take) => Some(JudgeTurn::Move(Move { place, take })),
    }
}

fn header(words: &[&str], line: &[u8]) -> Result<Header, SyntaxError> {
    let (games, seat) = match words {
        [games @ .., "seat", "first"] => (games, Some(Side::First)),
        [games @ .., "seat", "second"] => (games, Some(Side::Second)),
        games => (games, None),
    };
    if games.contains(&"seat") {
        return Err(unexpected("\"seat first\" or \"seat second\" at the end of the header", line));
    }
    let parts = games.split(|&word| word == "+").map(|part| setup(part, line)).collect::<Result<_, _>>()?;
    Ok(Header { parts, seat })
}

/// `NAME number... [KEYWORD number...]`, or the contest's three bare numbers.
fn setup(part: &[&str], line: &[u8]) -> Result<Setup, SyntaxError> {
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let numbers = |words: &[&str]| -> Result<Vec<u64>, SyntaxError> {
        let unexpected = |word: &str| SyntaxError {
            expected: format!("a number from 0 to {MAX_SIZE}"),
            got: format!("{} in {}", quote(word.as_bytes()), quote(line)),
        };
        words.iter().map(|word| number(word, MAX_SIZE).ok_or_else(|| unexpected(word))).collect()
    };
    match part {
        [name, rest @ ..] if is_word(name) => {
            let (sizes, list) = match rest.iter().position(|word| is_word(word)) {
                Some(at) => (&rest[..at], Some((rest[at].to_owned(), numbers(&rest[at + 1..])?))),
                None => (rest, None),
            };
            Ok(Setup { name: (*name).to_owned(), sizes: numbers(sizes)?, list })
        }
        [first, ..] if first.bytes().all(|byte| byte.is_ascii_digit()) => match numbers(part)? {
            sizes if sizes.len() == 3 => Ok(Setup { name: "segment".to_owned(), sizes, list: None }),
            _ => Err(unexpected("three numbers \"N L R\"", line)),
        },
        _ => Err(unexpected(HEADER, line)),
    }
}
