//! One game against the contest's judge, over any reader and writer.
//!
//! The bot writes `First` or `Second`. Then both write their moves in turn, as `x y`. A player without a move writes
//! `0 0`. The judge writes `-1 -1` to a bot that has lost.

use super::row::{IllegalMove, Move, Row};
use super::strategy::{Side, Strategy};
use itertools::Itertools;
use std::fmt;
use std::io::{self, BufRead, Read, Write};

/// Maximum length of a line in bytes, without its line end.
pub const MAX_LINE: usize = 1 << 20;

/// The reason why a game could not be played to its end.
#[derive(Debug)]
pub enum PlayError {
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written, for example because the judge has closed the pipe.
    Write(io::Error),
    /// The input ended in the middle of the game.
    Ended {
        /// The index of the expected move, from 1, among the moves of both players.
        ply: usize,
    },
    /// A line does not have the expected form.
    Malformed {
        /// The line number, from 1. The header is line 1.
        line: usize,
        /// The expected form.
        expected: String,
        /// The line, quoted, shortened and escaped.
        got: String,
    },
    /// The judge's move is not legal.
    Illegal {
        /// The line number, from 1. The header is line 1.
        line: usize,
        /// The move and the rule that it breaks.
        error: IllegalMove,
    },
}

impl PlayError {
    /// The exit code of the bot: 1 if the conversation broke off, 2 if the judge broke the protocol or the rules.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::Write(_) | Self::Ended { .. } => 1,
            Self::Malformed { .. } | Self::Illegal { .. } => 2,
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the input could not be read: {error}"),
            Self::Write(error) => write!(f, "the output could not be written: {error}"),
            Self::Ended { ply } => write!(f, "the input ended before move {ply}, which the judge makes"),
            Self::Malformed { line, expected, got } => {
                write!(f, "line {line}: expected {expected}, got {got}")
            }
            Self::Illegal { line, error } => write!(f, "line {line}: expected a legal move: {error}"),
        }
    }
}

impl std::error::Error for PlayError {}

/// Plays one game, from the answer to its header to its end. The bot chooses the side that wins.
///
/// # Errors
///
/// If the conversation breaks off, or the judge breaks the protocol or the rules.
pub fn play(row: Row, input: impl BufRead, output: impl Write) -> Result<(), PlayError> {
    let strategy = Strategy::new(&row);
    let side = strategy.side(&row);
    let mut game = Game { row, strategy, input, output, line: 1 };
    game.write(side)?;
    let mut ply = 1;
    if side == Side::First {
        game.answer(None)?;
        ply += 1;
    }
    while let Some(mv) = game.read_move(ply)? {
        game.answer(Some(mv))?;
        ply += 2;
    }
    Ok(())
}

struct Game<R, W> {
    row: Row,
    strategy: Strategy,
    input: R,
    output: W,
    /// The number of lines read, with the header.
    line: usize,
}

impl<R: BufRead, W: Write> Game<R, W> {
    /// Reads and makes the judge's move, which is move `ply` of the game. `None` if the judge ends the game.
    fn read_move(&mut self, ply: usize) -> Result<Option<Move>, PlayError> {
        let text = read_line(&mut self.input).map_err(PlayError::Read)?.ok_or(PlayError::Ended { ply })?;
        self.line += 1;
        let turn = match Turn::parse(&text) {
            // The bot cannot have lost before its first move.
            Ok(Turn::Lost) if ply == 1 => Err("the first move \"x y\", or \"0 0\"".to_owned()),
            turn => turn,
        };
        let malformed = |expected| PlayError::Malformed { line: self.line, expected, got: quoted(&text) };
        match turn.map_err(malformed)? {
            Turn::Move(mv) => self.take(mv).map(|()| Some(mv)),
            Turn::NoMove | Turn::Lost => Ok(None),
        }
    }

    /// Makes and writes the bot's move, or writes that there is none.
    fn answer(&mut self, last: Option<Move>) -> Result<(), PlayError> {
        match self.strategy.answer(&self.row, last) {
            Some(mv) => self.take(mv).and_then(|()| self.write(mv)),
            None => self.write("0 0"),
        }
    }

    fn take(&mut self, mv: Move) -> Result<(), PlayError> {
        self.row.take(mv).map_err(|error| PlayError::Illegal { line: self.line, error })
    }

    fn write(&mut self, line: impl fmt::Display) -> Result<(), PlayError> {
        writeln!(self.output, "{line}").and_then(|()| self.output.flush()).map_err(PlayError::Write)
    }
}

/// A line of the judge after the header.
enum Turn {
    Move(Move),
    /// `0 0`: the judge has no move, so the bot has won.
    NoMove,
    /// `-1 -1`: the bot has lost.
    Lost,
}

impl Turn {
    /// Parses a line. The error is the expected form.
    fn parse(line: &[u8]) -> Result<Self, String> {
        // A move `x 0` has this form, but is not legal.
        const FORM: &str = "a move \"x y\" with x at least 1 and y at least 0, \"0 0\" or \"-1 -1\"";
        let text = ascii_text(line).map_err(|form| format!("{FORM}, {form}"))?;
        let words = text.split([' ', '\t']).filter(|word| !word.is_empty());
        match words.collect_tuple() {
            Some(("-1", "-1")) => Ok(Self::Lost),
            Some((x, y)) => match (number(x), number(y)) {
                (Some(0), Some(0)) => Ok(Self::NoMove),
                (Some(x @ 1..), Some(y)) => Ok(Self::Move(Move { x, y })),
                _ => Err(FORM.to_owned()),
            },
            None => Err(FORM.to_owned()),
        }
    }
}

/// Parses a decimal integer without a sign. `str::parse` would accept a plus sign.
fn number(word: &str) -> Option<usize> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads the next line and returns it without its LF; `None` at the end of the input. The last line needs no LF. The
/// rest of a line longer than [`MAX_LINE`] is not read.
///
/// # Errors
///
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    // With CR and LF.
    if input.take(MAX_LINE as u64 + 2).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    line.pop_if(|byte| *byte == b'\n');
    Ok(Some(line))
}

/// The text of a line, without a CR at the end.
///
/// # Errors
///
/// If the line is too long or not ASCII. The error is the expected form.
pub fn ascii_text(line: &[u8]) -> Result<&str, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > MAX_LINE {
        return Err(format!("a line of at most {MAX_LINE} bytes"));
    }
    let text = str::from_utf8(line).ok().filter(|text| text.is_ascii());
    text.ok_or_else(|| "a line in ASCII".to_owned())
}

/// Quotes and escapes a line, without a CR at the end. Only the first 60 bytes are kept.
pub fn quoted(line: &[u8]) -> String {
    const SHOWN: usize = 60;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match line.get(..SHOWN) {
        Some(start) if line.len() > SHOWN => {
            format!("\"{}\"... ({} bytes)", start.escape_ascii(), line.len())
        }
        _ => format!("\"{}\"", line.escape_ascii()),
    }
}
