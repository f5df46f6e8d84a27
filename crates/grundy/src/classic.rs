//! Strict parsers for the input of classic problems, and the answers to the Number Game.

use std::iter::Peekable;
use std::ops::RangeInclusive;

use anyhow::{anyhow, ensure};
use zeroxor::grundy::winning_pairs;
use zeroxor::rules::Clause;
use zeroxor::wire::protocol::Header;
use zeroxor::wire::quoted;
use zeroxor::{GameKind, GameSpec, MAX_SIZE};

/// Parses subtract-a-square with bans (GMT-003): the pile `n`, or with `several` piles `p` and p piles; then `k` and k
/// banned squares.
pub(crate) fn gmt003(text: &[u8], several: bool) -> anyhow::Result<Header> {
    let mut fields = FieldReader::new(text);
    let heaps = if several {
        let count = fields.number("the number of piles p", 1..=MAX_SIZE)?;
        fields.numbers(count, "a pile")?
    } else {
        vec![fields.number("the pile n", 1..=MAX_SIZE)?]
    };
    let bans = fields.number("the number of bans k", 0..=MAX_SIZE)?;
    let banned = fields.numbers(bans, "a banned number")?;
    fields.expect_end()?;
    let clauses = Clause::banning(&banned);
    Ok(Header { game: GameSpec::Single { kind: GameKind::Square, heaps, clauses }, side: None })
}

/// Answers the Number Game (Google Code Jam 2010, Round 1A, problem C). The input is `T`, then T lines `A1 A2 B1 B2`.
/// The answer has one line `Case #i: COUNT` for each case.
pub(crate) fn codejam(text: &[u8]) -> anyhow::Result<String> {
    let mut fields = FieldReader::new(text);
    let cases = fields.number("the number of cases T", 0..=MAX_SIZE)?;
    let mut answers = String::new();
    for case in 1..=cases {
        fields.expect_end_of_line()?;
        let a1 = fields.number("A1", 1..=MAX_SIZE)?;
        let a2 = fields.number_in_line("A2", a1..=MAX_SIZE)?;
        let b1 = fields.number_in_line("B1", 1..=MAX_SIZE)?;
        let b2 = fields.number_in_line("B2", b1..=MAX_SIZE)?;
        answers += &format!("Case #{case}: {}\n", winning_pairs((a1, a2), (b1, b2)));
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

    fn unexpected(&mut self, expected: &str) -> anyhow::Error {
        let (line, field, got) = match self.fields.peek() {
            Some(&(line, number, text)) => (line, number, quoted(text)),
            None => (self.line, self.field + 1, "the end of the input".to_owned()),
        };
        anyhow!("line {line}, field {field}: expected {expected}, got {got}")
    }

    fn next_line(&mut self) -> Option<usize> {
        self.fields.peek().map(|&(line, ..)| line)
    }

    /// `what` names the number in an error.
    fn number(&mut self, what: &str, range: RangeInclusive<u64>) -> anyhow::Result<u64> {
        let text = self.fields.peek().and_then(|(.., text)| str::from_utf8(text).ok());
        let digits = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| range.contains(number));
        let number = number
            .ok_or_else(|| self.unexpected(&format!("{what} from {} to {}", range.start(), range.end())))?;
        if let Some((line, field, _)) = self.fields.next() {
            (self.line, self.field) = (line, field);
        }
        Ok(number)
    }

    /// Reads `count` numbers, each from 1 to [`MAX_SIZE`].
    fn numbers(&mut self, count: u64, what: &str) -> anyhow::Result<Vec<u64>> {
        (1..=count).map(|k| self.number(&format!("{what}, {k} of {count},"), 1..=MAX_SIZE)).collect()
    }

    /// Reads a number in the line of the last field that was read.
    fn number_in_line(&mut self, what: &str, range: RangeInclusive<u64>) -> anyhow::Result<u64> {
        let (line, field) = (self.line, self.field + 1);
        let is_in_line = self.next_line() == Some(line);
        ensure!(is_in_line, "line {line}, field {field}: expected {what}, got the end of the line");
        self.number(what, range)
    }

    /// Checks that the next field is in another line.
    fn expect_end_of_line(&mut self) -> anyhow::Result<()> {
        if self.next_line() == Some(self.line) { Err(self.unexpected("the end of the line")) } else { Ok(()) }
    }

    fn expect_end(&mut self) -> anyhow::Result<()> {
        if self.next_line().is_some() { Err(self.unexpected("the end of the input")) } else { Ok(()) }
    }
}
