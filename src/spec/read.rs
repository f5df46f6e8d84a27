//! The words of a header, read as a game specification.

use std::str::FromStr;

use super::{A_NUMBER, GameSpec, MAX_SIZE, SpecError};
use crate::words::{Word, quoted, words};

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let words =
            words(text.as_bytes()).map_err(|expected| SpecError::new(expected, quoted(text.as_bytes())))?;
        Self::from_words(&words)
    }
}

impl GameSpec {
    /// Reads the words of a game, or of games joined by `+`.
    pub(crate) fn from_words(words: &[Word<'_>]) -> Result<Self, SpecError> {
        let end = words.last().map_or(1, |word| word.column + word.text.len());
        let (mut games, mut at) = (Vec::new(), 0);
        for part in words.split(|word| word.text == "+") {
            at += part.len();
            // A part ends at the next "+", or at the end of the line.
            let end = words.get(at).map_or(end, |plus| plus.column);
            games.push(Part { words: part, end }.read()?);
            at += 1;
        }
        match <[Self; 1]>::try_from(games) {
            Ok([game]) => Ok(game),
            Err(games) => Ok(Self::Sum(games)),
        }
    }
}

/// The word after the games of a header that assigns a side.
pub(crate) const SEAT: &str = "seat";

/// The words of one component.
struct Part<'a> {
    words: &'a [Word<'a>],
    /// The column after them.
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
    fn other_game(&self, name: Word<'_>, rest: &[Word<'_>]) -> Result<GameSpec, SpecError> {
        use crate::compat::Itertools;

        Ok(match name.text {
            "euclid" => {
                let [a, b] = self.exactly(rest, "\"euclid A B\"")?;
                GameSpec::Euclid { a, b }
            }
            "octal" => {
                let (code, heaps) =
                    rest.split_first().ok_or_else(|| self.missing("\"octal CODE n1 n2 ...\""))?;
                let code = super::OctalCode::read(code.text)
                    .map_err(|expected| SpecError::at(*code, expected.to_owned()))?;
                GameSpec::Octal { code, heaps: self.numbers(heaps, "a heap")? }
            }
            "grundy" => GameSpec::Grundy { heaps: self.numbers(rest, "a heap")? },
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
                let names = GameSpec::playable_names().format(", ");
                let error = SpecError::at(name, format!("three numbers \"N L R\" or a game ({names})"));
                return Err(error.suggesting(name.text, GameSpec::NAMES));
            }
        })
    }

    fn missing(&self, expected: &str) -> SpecError {
        SpecError::missing(self.end, expected)
    }

    fn exactly<const N: usize>(&self, words: &[Word<'_>], form: &str) -> Result<[u64; N], SpecError> {
        if let Some(extra) = words.get(N) {
            let error = SpecError::at(*extra, format!("no more than {form}"));
            return Err(error.suggesting(extra.text, [SEAT]));
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
            return Err(error.suggesting(words[at].text, [keyword, SEAT]));
        }
        let piles = match &words[..at] {
            [] => return Err(SpecError::at(words[at], format!("a pile, {A_NUMBER}"))),
            piles => numbers(piles)?,
        };
        Ok((piles, self.numbers(&words[at + 1..], &format!("a number after {keyword:?}"))?))
    }
}

fn numbers(words: &[Word<'_>]) -> Result<Vec<u64>, SpecError> {
    let number = |word: &Word<'_>| {
        word.number(MAX_SIZE)
            .filter(|&number| number > 0)
            .ok_or_else(|| SpecError::at(*word, A_NUMBER.to_owned()).suggesting(word.text, [SEAT]))
    };
    words.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_its_column() {
        for (line, message) in [
            ("", "expected a game such as \"20 3 5\" or \"nim 3 5\", got nothing at column 1"),
            ("nim 3 +", "expected a game such as \"20 3 5\" or \"nim 3 5\", got nothing at column 8"),
            ("+ nim 3", "expected a game such as \"20 3 5\" or \"nim 3 5\", got nothing at column 1"),
            (
                "nim 3 +  + nim 4",
                "expected a game such as \"20 3 5\" or \"nim 3 5\", got nothing at column 10",
            ),
            (
                "sqare 3",
                "expected three numbers \"N L R\" or a game (segment, square, divisor, subtract, nim, euclid, octal), got \"sqare\" at column 1; did you mean \"square\"?",
            ),
            (
                "grundi 7",
                "expected three numbers \"N L R\" or a game (segment, square, divisor, subtract, nim, euclid, octal), got \"grundi\" at column 1; did you mean \"grundy\"?",
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
                "expected a number after \"ban\", a number from 1 to 1000000000000000000, got nothing at column 14",
            ),
            (
                "square ban 1",
                "expected a pile, a number from 1 to 1000000000000000000, got \"ban\" at column 8",
            ),
            (
                "6 1 2 saet first",
                "expected no more than three numbers \"N L R\", got \"saet\" at column 7; did you mean \"seat\"?",
            ),
            (
                "nim 3 Seat first",
                "expected a number from 1 to 1000000000000000000, got \"Seat\" at column 7; did you mean \"seat\"?",
            ),
            (
                "square 20 sea second",
                "expected a number or \"ban\", got \"sea\" at column 11; did you mean \"seat\"?",
            ),
            ("subtract 5", "expected \"take\", got nothing at column 11"),
            (
                "nim 1000000000000000001",
                "expected a number from 1 to 1000000000000000000, got \"1000000000000000001\" at column 5",
            ),
            ("octal", "expected \"octal CODE n1 n2 ...\", got nothing at column 6"),
            (
                "octal 77 9",
                "expected a code such as \"0.77\" or \"4.7\": 0, 4, 8 or c, a point, up to 64 octal or hexadecimal digits, got \"77\" at column 7",
            ),
            (
                "octal 0.00 9",
                "expected a code that allows a move: at least one digit other than 0, got \"0.00\" at column 7",
            ),
            (
                "nim 3 + octal 0.77",
                "expected a heap, a number from 1 to 1000000000000000000, got nothing at column 19",
            ),
            ("grundy 7 x", "expected a number from 1 to 1000000000000000000, got \"x\" at column 10"),
            ("euclid 4", "expected \"euclid A B\", got nothing at column 9"),
        ] {
            assert_eq!(line.parse::<GameSpec>().unwrap_err().to_string(), message, "{line:?}");
        }
    }
}
