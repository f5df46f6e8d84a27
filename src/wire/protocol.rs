//! The wire protocol: lines to headers, sides and moves, and back. No I/O.
//!
//! Readers accept any run of spaces or tabs, blanks at both ends and CRLF; everything else is strict. A line
//! comes here without its LF.

use std::error::Error;
use std::fmt;

pub use crate::words::MAX_LINE;

use crate::spec::{GameSpec, SEAT, SpecError};
use crate::words::{Word, quoted, words};
use crate::{Move, Side};

/// What the judge says when its opponent has lost by a move that is not legal, or has no move.
///
/// ```
/// use zeroxor::wire::protocol::{JudgeTurn, LOST, parse_judge_turn};
///
/// assert_eq!(parse_judge_turn(LOST.as_bytes()), Ok(JudgeTurn::Lost));
/// ```
pub const LOST: &str = "-1 -1";

/// What either side says when it has no move.
///
/// ```
/// use zeroxor::wire::protocol::{NO_MOVE, parse_bot_turn};
///
/// assert_eq!(parse_bot_turn(NO_MOVE.as_bytes()), Ok(None));
/// ```
pub const NO_MOVE: &str = "0 0";

/// One game's header: the game, and the bot's side if it is assigned.
///
/// ```
/// use zeroxor::Side;
/// use zeroxor::wire::protocol::{Header, parse_header};
///
/// let header = Header { game: "20 3 5".parse()?, side: Some(Side::Second) };
/// assert_eq!(header.to_string(), "segment 20 3 5 seat second");
/// assert_eq!(parse_header(header.to_string().as_bytes())?, header);
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game that is played.
    pub game: GameSpec,
    /// The assigned side; the bot chooses if there is none.
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
///
/// ```
/// use zeroxor::wire::protocol::{Opening, parse_opening};
///
/// assert_eq!(parse_opening(b"games 100"), Ok(Opening::Games(100)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// `games T`: T games follow, each with a header of its own.
    Games(u64),
    /// The header of the only game.
    Header(Header),
}

/// What the judge says when it is its turn.
///
/// ```
/// use zeroxor::Move;
/// use zeroxor::wire::protocol::{JudgeTurn, parse_judge_turn};
///
/// let turns = [&b"7 2"[..], b"0 0", b"-1 -1"].map(|line| parse_judge_turn(line).unwrap());
/// assert_eq!(turns, [JudgeTurn::Move(Move { place: 7, take: 2 }), JudgeTurn::NoMove, JudgeTurn::Lost]);
/// ```
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
///
/// ```
/// use zeroxor::wire::protocol::parse_side;
///
/// let error = parse_side(b"first\r").unwrap_err();
/// assert_eq!(error.to_string(), "expected \"First\" or \"Second\", got \"first\"");
/// ```
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

impl SyntaxError {
    /// The error that this line is not what was due.
    ///
    /// ```
    /// use zeroxor::wire::protocol::SyntaxError;
    ///
    /// let error = SyntaxError::new("yes or no", b"\xff");
    /// assert_eq!(error.got, r#""\xff""#);
    /// ```
    pub fn new(expected: impl Into<String>, line: &[u8]) -> Self {
        Self { expected: expected.into(), got: quoted(line) }
    }
}

/// Reads the first line of a conversation: `games T` or a header.
///
/// # Errors
///
/// If the line is neither.
///
/// Time: linear in the length of the line.
///
/// ```
/// use zeroxor::wire::protocol::{Opening, parse_opening};
///
/// let Ok(Opening::Header(header)) = parse_opening(b" nim 3  5\r") else { unreachable!("a header") };
/// assert_eq!(header.game.to_string(), "nim 3 5");
/// assert!(parse_opening(b"games 0").is_err());
/// ```
pub fn parse_opening(line: &[u8]) -> Result<Opening, SpecError> {
    let words = header_words(line)?;
    let (first, rest) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first.text, rest));
    if first != "games" {
        return header(&words).map(Opening::Header);
    }
    let count = match rest {
        [count] => count.number(u64::MAX).filter(|&count| count > 0),
        _ => None,
    };
    let wrong = || SpecError::new("\"games T\" with T from 1 to 2^64 - 1".to_owned(), quoted(line));
    count.map(Opening::Games).ok_or_else(wrong)
}

/// Reads a header: games joined by `+`, and a seat if it is assigned.
///
/// # Errors
///
/// At the first word that is not allowed at its position.
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
/// assert_eq!(error.column(), Some(13));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
pub fn parse_header(line: &[u8]) -> Result<Header, SpecError> {
    header(&header_words(line)?)
}

fn header_words(line: &[u8]) -> Result<Vec<Word<'_>>, SpecError> {
    words(line).map_err(|form| SpecError::new(format!("a header such as \"N L R\", {form}"), quoted(line)))
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
            return Err(SpecError::at(*wrong, expected.to_owned()).suggesting(wrong.text, sides));
        }
    };
    Ok(Header { game: GameSpec::from_words(&words[..at])?, side: Some(side) })
}

/// Reads the side a bot takes.
///
/// # Errors
///
/// If the line is neither `First` nor `Second`.
///
/// ```
/// use zeroxor::Side;
/// use zeroxor::wire::protocol::parse_side;
///
/// assert_eq!(parse_side(b"Second "), Ok(Side::Second));
/// assert!(parse_side(b"Second!").is_err());
/// ```
pub fn parse_side(line: &[u8]) -> Result<Side, SyntaxError> {
    const SIDE: &str = "\"First\" or \"Second\"";
    match turn_words(line, SIDE)?.as_slice() {
        [Word { text: "First", .. }] => Ok(Side::First),
        [Word { text: "Second", .. }] => Ok(Side::Second),
        _ => Err(SyntaxError::new(SIDE, line)),
    }
}

/// Reads a move of the bot's; `None` is `0 0`, no move.
///
/// # Errors
///
/// If the line is not two integers, both 0 or both at least 1.
///
/// ```
/// use zeroxor::Move;
/// use zeroxor::wire::protocol::parse_bot_turn;
///
/// assert_eq!(parse_bot_turn(b"12 5"), Ok(Some(Move { place: 12, take: 5 })));
/// for line in [&b"12"[..], b"12 5 1", b"12 0", b"+12 5", b"-1 -1"] {
///     assert!(parse_bot_turn(line).is_err());
/// }
/// ```
pub fn parse_bot_turn(line: &[u8]) -> Result<Option<Move>, SyntaxError> {
    const TURN: &str = "a move \"x y\" with both at least 1, or \"0 0\"";
    match turn(&turn_words(line, TURN)?) {
        Some(JudgeTurn::Move(mv)) => Ok(Some(mv)),
        Some(JudgeTurn::NoMove) => Ok(None),
        _ => Err(SyntaxError::new(TURN, line)),
    }
}

/// Reads the judge's turn.
///
/// # Errors
///
/// If the line is not two integers, both -1, both 0 or both at least 1.
///
/// ```
/// use zeroxor::wire::protocol::{JudgeTurn, parse_judge_turn};
///
/// assert_eq!(parse_judge_turn(b"-1\t-1\r"), Ok(JudgeTurn::Lost));
/// let error = parse_judge_turn(b"-1 0").unwrap_err();
/// assert_eq!(error.expected, "a move \"x y\" with both at least 1, \"0 0\" or \"-1 -1\"");
/// ```
pub fn parse_judge_turn(line: &[u8]) -> Result<JudgeTurn, SyntaxError> {
    const TURN: &str = "a move \"x y\" with both at least 1, \"0 0\" or \"-1 -1\"";
    let words = turn_words(line, TURN)?;
    let turn = match words.as_slice() {
        [Word { text: "-1", .. }, Word { text: "-1", .. }] => Some(JudgeTurn::Lost),
        words => turn(words),
    };
    turn.ok_or_else(|| SyntaxError::new(TURN, line))
}

fn turn_words<'a>(line: &'a [u8], expected: &str) -> Result<Vec<Word<'a>>, SyntaxError> {
    words(line).map_err(|form| SyntaxError::new(format!("{expected}, {form}"), line))
}

/// A move, or no move.
fn turn(words: &[Word<'_>]) -> Option<JudgeTurn> {
    let &[place, take] = words else { return None };
    match (place.number(u64::MAX)?, take.number(u64::MAX)?) {
        (0, 0) => Some(JudgeTurn::NoMove),
        (0, _) | (_, 0) => None,
        (place, take) => Some(JudgeTurn::Move(Move { place, take })),
    }
}
