//! Strict parsers for the input of classic problems, and the answers to the Number Game.

use std::fmt;
use std::iter::Peekable;
use std::ops::RangeInclusive;

use zeroxor::grundy::winning_pairs;
use zeroxor::rules::{Clause, PileGame};
use zeroxor::wire::protocol::Header;
use zeroxor::wire::quoted;
use zeroxor::{GameSpec, MAX_SIZE};

/// An error in the input: a field differs from the expected field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InputError {
    /// The number of the line, from 1.
    line: usize,
    /// The number of the field in the line, from 1.
    field: usize,
    expected: String,
    got: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, field, expected, got } = self;
        write!(f, "line {line}, field {field}: expected {expected}, got {got}")
    }
}

impl std::error::Error for InputError {}

/// Parses subtract-a-square with bans (GMT-003): the pile `n`, or with `several` piles `p` and p piles; then `k` and k
/// banned squares.
pub(crate) fn gmt003(text: &[u8], several: bool) -> Result<Header, InputError> {
    let mut fields = FieldReader::new(text);
    let piles = if several {
        let count = fields.number("the number of piles p", 1..=MAX_SIZE)?;
        fields.numbers(count, "a pile")?
    } else {
        vec![fields.number("the pile n", 1..=MAX_SIZE)?]
    };
    let bans = fields.number("the number of bans k", 0..=MAX_SIZE)?;
    let banned = fields.numbers(bans, "a banned number")?;
    fields.expect_end()?;
    let clauses = Clause::banning(&banned);
    Ok(Header { game: GameSpec::Piles { game: PileGame::Square, piles, clauses }, side: None })
}

/// Answers the Number Game (Google Code Jam 2010, Round 1A, problem C). The input is `T`, then T lines `A1 A2 B1 B2`.
/// The answer has one line `Case #i: COUNT` for each case.
pub(crate) fn codejam(text: &[u8]) -> Result<String, InputError> {
    let mut fields = FieldReader::new(text);
    let cases = fields.number("the number of cases T", 0..=MAX_SIZE)?;
    let mut answers = String::new();
    for case in 1..=cases {
        fields.expect_end_of_line()?;
        let a = fields.range(["A1", "A2"])?;
        fields.expect_same_line("B1")?;
        let b = fields.range(["B1", "B2"])?;
        answers += &format!("Case #{case}: {}\n", winning_pairs(a, b));
    }
    fields.expect_end()?;
    Ok(answers)
}

/// A field: its line, its number in the line, both from 1, and its text.
type Field<'a> = (usize, usize, &'a [u8]);

struct FieldReader<'a> {
    fields: Peekable<Box<dyn Iterator<Item = Field<'a>> + 'a>>,
    /// The line of the last field that was read.
    line: usize,
    /// The number, from 1, of the last field that was read in its line; 0 if no field was read.
    field: usize,
}

impl<'a> FieldReader<'a> {
    fn new(text: &'a [u8]) -> Self {
        let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
        let fields = lines.flat_map(|(line, text)| {
            let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            (1..).zip(words).map(move |(number, text)| (line, number, text))
        });
        let fields: Box<dyn Iterator<Item = Field<'a>> + 'a> = Box::new(fields);
        Self { fields: fields.peekable(), line: 1, field: 0 }
    }

    /// Makes the error for the next field, or for the end of the input.
    fn unexpected(&mut self, expected: impl Into<String>) -> InputError {
        let (line, field, got) = match self.fields.peek() {
            Some(&(line, number, text)) => (line, number, quoted(text)),
            None => (self.line, self.field + 1, "the end of the input".to_owned()),
        };
        InputError { line, field, expected: expected.into(), got }
    }

    fn next_line(&mut self) -> Option<usize> {
        self.fields.peek().map(|&(line, ..)| line)
    }

    /// Reads a number in `range`. `what` names the number in an error.
    fn number(&mut self, what: &str, range: RangeInclusive<u64>) -> Result<u64, InputError> {
        let text = self.fields.peek().and_then(|(.., text)| str::from_utf8(text).ok());
        let digits = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| range.contains(number));
        let expected = || format!("{what} from {} to {}", range.start(), range.end());
        let number = number.ok_or_else(|| self.unexpected(expected()))?;
        if let Some((line, field, _)) = self.fields.next() {
            (self.line, self.field) = (line, field);
        }
        Ok(number)
    }

    /// Reads `count` numbers, each from 1 to [`MAX_SIZE`].
    fn numbers(&mut self, count: u64, what: &str) -> Result<Vec<u64>, InputError> {
        (1..=count).map(|k| self.number(&format!("{what}, {k} of {count},"), 1..=MAX_SIZE)).collect()
    }

    /// Reads two bounds from one line, the lower one first.
    fn range(&mut self, [low, high]: [&str; 2]) -> Result<(u64, u64), InputError> {
        let least = self.number(low, 1..=MAX_SIZE)?;
        self.expect_same_line(high)?;
        let most = self.number(high, least..=MAX_SIZE)?;
        Ok((least, most))
    }

    /// Checks that the next field is in the same line as the last field that was read.
    fn expect_same_line(&mut self, what: &str) -> Result<(), InputError> {
        if self.next_line() == Some(self.line) {
            return Ok(());
        }
        let got = "the end of the line".to_owned();
        Err(InputError { line: self.line, field: self.field + 1, expected: what.to_owned(), got })
    }

    /// Checks that the next field is in another line.
    fn expect_end_of_line(&mut self) -> Result<(), InputError> {
        if self.next_line() == Some(self.line) { Err(self.unexpected("the end of the line")) } else { Ok(()) }
    }

    fn expect_end(&mut self) -> Result<(), InputError> {
        if self.next_line().is_some() { Err(self.unexpected("the end of the input")) } else { Ok(()) }
    }
}
