//! The input formats of classic problems, read strictly.

use std::fmt;
use std::iter::Peekable;
use std::ops::RangeInclusive;

use zeroxor::grundy::winning_pairs;
use zeroxor::wire::protocol::Header;
use zeroxor::wire::quoted;
use zeroxor::{GameSpec, MAX_SIZE};

/// A field that is not what was due.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InputError {
    /// From 1.
    line: usize,
    /// Within the line, from 1.
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

/// Subtract-a-square with bans (GMT-003): `n`, `k`, then k banned squares.
pub(crate) fn gmt003(text: &[u8]) -> Result<Header, InputError> {
    let mut fields = Fields::new(text);
    let size = fields.number("the pile n", 1..=MAX_SIZE)?;
    squares(vec![size], fields)
}

/// The same with several piles: `p`, p piles, `k`, then k banned squares.
pub(crate) fn gmt003_piles(text: &[u8]) -> Result<Header, InputError> {
    let mut fields = Fields::new(text);
    let piles = fields.number("the number of piles p", 1..=MAX_SIZE)?;
    let sizes = fields.numbers(piles, "a pile")?;
    squares(sizes, fields)
}

fn squares(sizes: Vec<u64>, mut fields: Fields<'_>) -> Result<Header, InputError> {
    let bans = fields.number("the number of bans k", 0..=MAX_SIZE)?;
    let banned = fields.numbers(bans, "a banned number")?;
    fields.end()?;
    Ok(Header { game: GameSpec::Square { piles: sizes, banned }, side: None })
}

/// The Number Game (Google Code Jam 2010, Round 1A, problem C): `T`, then T lines `A1 A2 B1 B2`. The answer
/// is a line `Case #i: COUNT` for each; nothing if any line is malformed.
pub(crate) fn codejam(text: &[u8]) -> Result<String, InputError> {
    let mut fields = Fields::new(text);
    let cases = fields.number("the number of cases T", 0..=MAX_SIZE)?;
    let mut answers = String::new();
    for case in 1..=cases {
        fields.end_of_line()?;
        let a = fields.range(["A1", "A2"])?;
        fields.same_line("B1")?;
        let b = fields.range(["B1", "B2"])?;
        answers += &format!("Case #{case}: {}\n", winning_pairs(a, b));
    }
    fields.end()?;
    Ok(answers)
}

/// The words of a text, each with its place.
struct Fields<'a> {
    words: Peekable<Box<dyn Iterator<Item = Word<'a>> + 'a>>,
    /// The place of the word last read.
    line: usize,
    field: usize,
}

struct Word<'a> {
    line: usize,
    field: usize,
    text: &'a [u8],
}

impl<'a> Fields<'a> {
    fn new(text: &'a [u8]) -> Self {
        let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
        let words = lines.flat_map(|(line, text)| {
            let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            (1..).zip(words).map(move |(field, text)| Word { line, field, text })
        });
        let words: Box<dyn Iterator<Item = Word<'a>> + 'a> = Box::new(words);
        Self { words: words.peekable(), line: 1, field: 0 }
    }

    /// The error at the next word, or where it is missing.
    fn unexpected(&mut self, expected: String) -> InputError {
        match self.words.peek() {
            Some(word) => InputError { line: word.line, field: word.field, expected, got: quoted(word.text) },
            None => InputError {
                line: self.line,
                field: self.field + 1,
                expected,
                got: "the end of the input".to_owned(),
            },
        }
    }

    fn number(&mut self, what: &str, range: RangeInclusive<u64>) -> Result<u64, InputError> {
        let text = self.words.peek().map(|word| word.text);
        let digits = text
            .filter(|text| text.iter().all(u8::is_ascii_digit))
            .and_then(|text| str::from_utf8(text).ok());
        match digits.and_then(|digits| digits.parse().ok()).filter(|number| range.contains(number)) {
            Some(number) => {
                if let Some(word) = self.words.next() {
                    (self.line, self.field) = (word.line, word.field);
                }
                Ok(number)
            }
            None => Err(self.unexpected(format!("{what} from {} to {}", range.start(), range.end()))),
        }
    }

    fn numbers(&mut self, count: u64, what: &str) -> Result<Vec<u64>, InputError> {
        (1..=count).map(|k| self.number(&format!("{what}, {k} of {count},"), 1..=MAX_SIZE)).collect()
    }

    /// Two bounds in one line, the lower first.
    fn range(&mut self, [low, high]: [&str; 2]) -> Result<(u64, u64), InputError> {
        let least = self.number(low, 1..=MAX_SIZE)?;
        self.same_line(high)?;
        let most = self.number(high, least..=MAX_SIZE)?;
        Ok((least, most))
    }

    /// The next word must stand in the line of the last.
    fn same_line(&mut self, what: &str) -> Result<(), InputError> {
        match self.words.peek() {
            Some(word) if word.line == self.line => Ok(()),
            _ => {
                let got = "the end of the line".to_owned();
                Err(InputError { line: self.line, field: self.field + 1, expected: what.to_owned(), got })
            }
        }
    }

    /// The next word must stand in another line.
    fn end_of_line(&mut self) -> Result<(), InputError> {
        match self.words.peek() {
            Some(word) if word.line == self.line => Err(self.unexpected("the end of the line".to_owned())),
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> Result<(), InputError> {
        match self.words.peek() {
            Some(_) => Err(self.unexpected("the end of the input".to_owned())),
            None => Ok(()),
        }
    }
}
