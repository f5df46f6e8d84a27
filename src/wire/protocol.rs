//! The lines of the wire protocol: parsing and formatting headers, sides and moves, without I/O.
//!
//! The parsers take a line without its LF. They accept any number of spaces and tabs between words and at both ends,
//! and a CR at the end; everything else is strict.

use std::fmt;

pub use crate::core::protocol::MAX_LINE;

use crate::core::protocol::quoted;
use crate::spec::{GameSpec, SEAT, SpecError};
use crate::words::{Word, words};
use crate::{Move, Side};

/// The judge's line for a bot that has lost, because its move was not legal or, in normal play, it had no move.
pub const LOST: &str = "-1 -1";

/// The line of a side that has no legal move.
pub const NO_MOVE: &str = "0 0";

/// The header of a game: the game, and the bot's side if it is assigned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Header {
    /// The game that is played.
    pub game: GameSpec,
    /// The assigned side; `None` if the bot chooses.
    pub side: Option<Side>,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.fmt(f)?;
        match self.side {
            Some(Side::First) => f.write_str(" seat first"),
            Some(Side::Second) => f.write_str(" seat second"),
            None => Ok(()),
        }
    }
}

/// The first line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// `games T`: T games follow, each with its own header.
    Games(u64),
    /// The header of the only game.
    Header(Header),
}

/// A line of the judge after the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeTurn {
    /// The judge's move.
    Move(Move),
    /// `0 0`: the judge has no legal move, so the bot has won, or has lost in misère play.
    NoMove,
    /// `-1 -1`: the bot's last line was no legal move, so the bot has lost.
    Lost,
}

/// Parses the first line of a conversation: `games T` or a header.
///
/// # Errors
///
/// If the line has neither form.
pub fn parse_opening(line: &[u8]) -> Result<Opening, SpecError> {
    let words = header_words(line)?;
    let count = match &words[..] {
        [Word { text: "games", .. }, count] => count.positive(u64::MAX),
        [Word { text: "games", .. }, ..] => None,
        _ => return header(&words).map(Opening::Header),
    };
    count.map(Opening::Games).ok_or_else(|| malformed("\"games T\" with T from 1 to 2^64 - 1", line))
}

/// Parses a header: games joined by `+`, and the assigned side if there is one.
///
/// # Errors
///
/// If a word is not allowed at its position or a word is missing. The error has the column. If the line is too long or
/// not ASCII, the error has no column.
///
/// Time: linear in the length of the line.
///
/// ```
/// use zeroxor::Side;
/// use zeroxor::wire::protocol::parse_header;
///
/// let header = parse_header(b"20 3 5 + nim 4 seat first")?;
/// assert_eq!((header.game.name(), header.side), ("sum", Some(Side::First)));
/// let error = parse_header(b"20 3 5 seat third").unwrap_err();
/// assert_eq!(error.column, Some(13));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
pub fn parse_header(line: &[u8]) -> Result<Header, SpecError> {
    header(&header_words(line)?)
}

fn header_words(line: &[u8]) -> Result<Vec<Word<'_>>, SpecError> {
    words(line).map_err(|form| malformed(&format!("a header such as \"N L R\", {form}"), line))
}

/// The error for `line` if a line of the form `expected` was due.
pub(super) fn malformed(expected: &str, line: &[u8]) -> SpecError {
    SpecError::new(expected, quoted(line))
}

fn header(words: &[Word<'_>]) -> Result<Header, SpecError> {
    let Some(at) = words.iter().position(|word| word.text == SEAT) else {
        return Ok(Header { game: GameSpec::from_words(words)?, side: None });
    };
    let side = match &words[at + 1..] {
        [Word { text: "first", .. }] => Side::First,
        [Word { text: "second", .. }] => Side::Second,
        rest => {
            let expected = "\"seat first\" or \"seat second\" at the end of the header";
            let sides = ["first", "second"];
            let wrong = rest.iter().find(|word| !sides.contains(&word.text)).unwrap_or(&words[at]);
            return Err(SpecError::at(*wrong, expected).suggesting(wrong.text, sides));
        }
    };
    Ok(Header { game: GameSpec::from_words(&words[..at])?, side: Some(side) })
}

/// Parses the side that the bot chooses.
///
/// # Errors
///
/// If the line is neither `First` nor `Second`.
pub fn parse_side(line: &[u8]) -> Result<Side, SpecError> {
    read(line, "\"First\" or \"Second\"", |words| match words {
        [Word { text: "First", .. }] => Some(Side::First),
        [Word { text: "Second", .. }] => Some(Side::Second),
        _ => None,
    })
}

/// Parses a move of the bot; `None` if the line is `0 0`, which means that the bot has no move.
///
/// # Errors
///
/// If the line is neither a move `x y`, with x at least 1 and y at least 0, nor `0 0`.
pub fn parse_bot_turn(line: &[u8]) -> Result<Option<Move>, SpecError> {
    const TURN: &str = "a move \"x y\" with x at least 1 and y at least 0, or \"0 0\"";
    read(line, TURN, |words| match turn(words)? {
        JudgeTurn::Move(mv) => Some(Some(mv)),
        JudgeTurn::NoMove => Some(None),
        JudgeTurn::Lost => None,
    })
}

/// Parses a line of the judge.
///
/// # Errors
///
/// If the line is neither a move `x y`, with x at least 1 and y at least 0, nor `0 0`, nor `-1 -1`.
pub fn parse_judge_turn(line: &[u8]) -> Result<JudgeTurn, SpecError> {
    read(line, "a move \"x y\" with x at least 1 and y at least 0, \"0 0\" or \"-1 -1\"", turn)
}

/// Reads the words of a line of the form `expected`.
fn read<T>(line: &[u8], expected: &str, read: impl FnOnce(&[Word<'_>]) -> Option<T>) -> Result<T, SpecError> {
    let words = words(line).map_err(|form| malformed(&format!("{expected}, {form}"), line))?;
    read(&words).ok_or_else(|| malformed(expected, line))
}

fn turn(words: &[Word<'_>]) -> Option<JudgeTurn> {
    let &[place, take] = words else { return None };
    if [place.text, take.text] == ["-1"; 2] {
        return Some(JudgeTurn::Lost);
    }
    match (place.number(u64::MAX)?, take.number(u64::MAX)?) {
        (0, 0) => Some(JudgeTurn::NoMove),
        (0, _) => None,
        (place, take) => Some(JudgeTurn::Move(Move { place, take })),
    }
}
