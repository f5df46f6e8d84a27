//! Parsing the words of a header as a game specification.

use std::str::FromStr;

use super::{GameSpec, SpecError};
use crate::core::protocol::quoted;
use crate::rules::{Clause, GameKind, MAX_SIZE, OctalCode, TAKE, Window};
use crate::words::{Word, a_number, words};
use itertools::Itertools;

impl FromStr for GameSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::from_words(&words_of(text)?)
    }
}

impl GameSpec {
    /// Parses rules without sizes, as [`Rules::words`](crate::rules::Rules::words) writes them, for functions that
    /// ignore the sizes of a game. The heaps of the returned game are as small as a header allows.
    ///
    /// # Errors
    ///
    /// If the words are no rules, or contain sizes.
    ///
    /// ```
    /// use zeroxor::GameSpec;
    ///
    /// assert_eq!(GameSpec::of_rules("segment 3 5")?.to_string(), "segment 5 3 5");
    /// assert_eq!(GameSpec::of_rules("subtract take 2 5")?.to_string(), "subtract 1 take 2 5");
    /// assert_eq!(GameSpec::of_rules("octal 0.77")?.to_string(), "octal 0.77 1");
    /// let error = GameSpec::of_rules("octal 0.77 9").unwrap_err();
    /// assert_eq!(error.to_string(), "expected the rules of octal without sizes, got \"9\" at column 12");
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn of_rules(text: &str) -> Result<Self, SpecError> {
        let mut words = words_of(text)?;
        let Some(&name) = words.first() else {
            return Err(SpecError::missing(1, "rules such as \"segment 1 2\" or \"octal 0.77\""));
        };
        let kind = kind_named(name, "the rules of a game", None)?;
        if let Some(&plus) = words.iter().find(|word| word.text == "+") {
            return Err(SpecError::at(plus, "the rules of one game"));
        }
        // The form that the rules begin with. Clauses may follow it if the game has keywords.
        let form = match kind {
            GameKind::Segment => "segment L R",
            GameKind::Octal => "octal CODE",
            _ => kind.name(),
        };
        let before = form.split(' ').count();
        let is_size = |word: &&Word<'_>| kind.keywords().is_empty() || word.is_digits();
        if let Some(&size) = words.get(before).filter(is_size) {
            return Err(SpecError::at(size, format!("the rules of {} without sizes", kind.name())));
        }
        if let Some(last) = words.last().filter(|_| words.len() < before) {
            return Err(SpecError::missing(last.column + last.text.len(), &format!("{form:?}")));
        }
        // Insert sizes, each at the column at which the word before it ends, so that the columns in errors are those of
        // `text`.
        let after = |word: Word<'_>, text| Word { text, column: word.column + word.text.len() - 1 };
        match kind {
            GameKind::Segment => words.insert(1, words[2]),
            GameKind::Octal => words.push(after(words[1], "1")),
            GameKind::Euclid => words.extend([after(name, "1"); 2]),
            _ => words.insert(1, after(name, "1")),
        }
        Self::from_words(&words)
    }

    /// Returns the game of a code, as [`of_rules`](Self::of_rules) does.
    pub fn of_code(code: OctalCode) -> Self {
        Self::Single { kind: GameKind::Octal, heaps: vec![1], clauses: vec![Clause::Code(code)] }
    }

    /// Parses the words of a game or of games joined by `+`. In misère play, the first word is `misere`.
    pub(crate) fn from_words(words: &[Word<'_>]) -> Result<Self, SpecError> {
        match words {
            [Word { text: MISERE, column }] => {
                let end = column + MISERE.len();
                Err(SpecError::missing(end, "a game after \"misere\", such as \"nim 3 5\""))
            }
            [Word { text: MISERE, .. }, game @ ..] => Ok(Self::Misere(Box::new(Self::sum_of_words(game)?))),
            game => Self::sum_of_words(game),
        }
    }

    fn sum_of_words(words: &[Word<'_>]) -> Result<Self, SpecError> {
        let end = words.last().map_or(1, |word| word.column + word.text.len());
        let (mut games, mut at) = (Vec::new(), 0);
        for part in words.split(|word| word.text == "+") {
            at += part.len();
            // A part ends at the next "+", or at the end of the line.
            let end = words.get(at).map_or(end, |plus| plus.column);
            games.push(GameWords { words: part, end }.read()?);
            at += 1;
        }
        match <[Self; 1]>::try_from(games) {
            Ok([game]) => Ok(game),
            Err(games) => Ok(Self::Sum(games)),
        }
    }
}

fn words_of(text: &str) -> Result<Vec<Word<'_>>, SpecError> {
    words(text.as_bytes()).map_err(|expected| SpecError::new(expected, quoted(text.as_bytes())))
}

/// Returns the kind of game that `name` names. If there is none, the error expects `what`, and may suggest `other` too.
fn kind_named(name: Word<'_>, what: &str, other: Option<&'static str>) -> Result<GameKind, SpecError> {
    GameKind::named(name.text).ok_or_else(|| {
        let names = GameKind::all().map(GameKind::name).collect_vec();
        let error = SpecError::at(name, format!("{what} ({})", names.iter().format(", ")));
        error.suggesting(name.text, names.into_iter().chain(other))
    })
}

/// The word between the games of a header and the assigned side.
pub(crate) const SEAT: &str = "seat";

/// The word before the games of a header in misère play.
pub(crate) const MISERE: &str = "misere";

/// The words of a game that is not a sum.
struct GameWords<'a> {
    words: &'a [Word<'a>],
    /// The column of the next `+`, or the column after the last word of the line.
    end: usize,
}

impl GameWords<'_> {
    fn read(&self) -> Result<GameSpec, SpecError> {
        let Some((name, rest)) = self.words.split_first() else {
            return Err(self.missing("a game such as \"20 3 5\" or \"nim 3 5\""));
        };
        if name.text == MISERE {
            return Err(SpecError::at(*name, "a game: \"misere\" can only be the first word, once"));
        }
        let (kind, words, form) = if name.is_digits() {
            (GameKind::Segment, self.words, "three numbers \"N L R\"".to_owned())
        } else {
            let kind = kind_named(*name, "three numbers \"N L R\" or a game", Some(MISERE))?;
            (kind, rest, format!("{:?}", kind.form()))
        };
        let (heaps, clauses) = match kind {
            GameKind::Segment => {
                let [n, l, r] = self.exactly(words, &form)?;
                if r > n {
                    return Err(SpecError::at(words[2], format!("R of at most N = {n}")));
                }
                if l > r {
                    return Err(SpecError::at(words[1], format!("L of at most R = {r}")));
                }
                (vec![n], vec![Clause::Window(Window { l, r })])
            }
            GameKind::Euclid => (self.exactly::<2>(words, &form)?.to_vec(), Vec::new()),
            GameKind::Octal => {
                let (code, heaps) = words.split_first().ok_or_else(|| self.missing(&form))?;
                let code = OctalCode::read(code.text).map_err(|expected| SpecError::at(*code, expected))?;
                (self.numbers(heaps, "a heap", code.max_heap())?, vec![Clause::Code(code)])
            }
            GameKind::Grundy => (self.numbers(words, "a heap", MAX_SIZE)?, Vec::new()),
            _ => self.piles_and_clauses(words, kind)?,
        };
        Ok(GameSpec::Single { kind, heaps, clauses })
    }

    fn missing(&self, expected: &str) -> SpecError {
        SpecError::missing(self.end, expected)
    }

    fn exactly<const N: usize>(&self, words: &[Word<'_>], form: &str) -> Result<[u64; N], SpecError> {
        if let Some(extra) = words.get(N) {
            return Err(unexpected(extra, format!("no more than {form}")));
        }
        let numbers = numbers(words, MAX_SIZE)?;
        numbers.try_into().map_err(|_| self.missing(form))
    }

    /// Parses at least one number from 1 to `max`. `what` names the missing number in the error if `words` are empty.
    fn numbers(&self, words: &[Word<'_>], what: &str, max: u64) -> Result<Vec<u64>, SpecError> {
        if words.is_empty() {
            return Err(self.missing(&format!("{what}, {}", a_number(max))));
        }
        numbers(words, max)
    }

    fn piles_and_clauses(
        &self,
        words: &[Word<'_>],
        kind: GameKind,
    ) -> Result<(Vec<u64>, Vec<Clause>), SpecError> {
        let (max, mut keywords) = (kind.max_heap(), kind.keywords());
        let is_keyword = |word: &Word<'_>| word.text.bytes().all(|byte| byte.is_ascii_lowercase());
        let end = words.iter().position(is_keyword).filter(|_| !keywords.is_empty());
        let (sizes, mut rest) = words.split_at(end.unwrap_or(words.len()));
        let mut clauses = Vec::new();
        while let Some((&word, after)) = rest.split_first() {
            let index = keywords.iter().position(|&keyword| keyword == word.text);
            let Some(index) = index else {
                let number = clauses.is_empty().then(|| "a number".to_owned());
                let forms = number.into_iter().chain(keywords.iter().map(|keyword| format!("{keyword:?}")));
                let error = SpecError::at(word, alternatives(&forms.collect_vec()));
                return Err(error.suggesting(word.text, keywords.iter().copied().chain([SEAT])));
            };
            let (clause, after) = match word.text {
                "proper" => (Clause::Proper, after),
                keyword if after.is_empty() => {
                    return Err(self.missing(&format!("a number after {keyword:?}, {}", a_number(MAX_SIZE))));
                }
                TAKE => (take(after)?, &[][..]),
                _ => (Clause::Ban(numbers(after, MAX_SIZE)?), &[][..]),
            };
            clauses.push(clause);
            (keywords, rest) = (&keywords[index + 1..], after);
        }
        let piles = match (sizes, words.get(sizes.len())) {
            ([], Some(keyword)) => return Err(SpecError::at(*keyword, format!("a pile, {}", a_number(max)))),
            (sizes, _) => self.numbers(sizes, "a pile", max)?,
        };
        if keywords.contains(&TAKE) {
            return Err(self.missing(&format!("{TAKE:?}")));
        }
        Ok((piles, clauses))
    }
}

/// Parses the words after `take`: numbers and ranges, or one word such as `1..n/2`.
fn take(words: &[Word<'_>]) -> Result<Clause, SpecError> {
    let Some(share) = words.iter().find(|word| word.text.contains("n/")) else {
        return words.iter().map(window).collect::<Result<_, _>>().map(Clause::Take);
    };
    let divisor =
        share.text.strip_prefix("1..n/").and_then(|text| Word { text, ..*share }.positive(MAX_SIZE));
    let divisor =
        divisor.ok_or_else(|| unexpected(share, format!("\"1..n/K\" with K {}", a_number(MAX_SIZE))))?;
    match words.iter().find(|word| *word != share) {
        None => Ok(Clause::TakeShare(divisor)),
        Some(other) => Err(unexpected(other, format!("only {:?} after {TAKE:?}", share.text))),
    }
}

/// Parses a number, or a range such as `3..9`.
fn window(word: &Word<'_>) -> Result<Window, SpecError> {
    let (l, r) = word.text.split_once("..").unwrap_or((word.text, word.text));
    match [l, r].map(|text| Word { text, ..*word }.positive(MAX_SIZE)) {
        [Some(l), Some(r)] => Window::new(l, r)
            .ok_or_else(|| unexpected(word, "a range whose first number is at most its last")),
        _ => Err(unexpected(word, format!("{} or a range of such numbers, as in 3..9", a_number(MAX_SIZE)))),
    }
}

/// The error for a word that may have been meant to be `seat`.
fn unexpected(word: &Word<'_>, expected: impl Into<String>) -> SpecError {
    SpecError::at(*word, expected).suggesting(word.text, [SEAT])
}

/// Joins the forms of alternatives: "a, b or c".
fn alternatives(forms: &[String]) -> String {
    match forms {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        forms => forms.concat(),
    }
}

impl FromStr for OctalCode {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::read(text).map_err(|expected| SpecError::new(expected, quoted(text.as_bytes())))
    }
}

fn numbers(words: &[Word<'_>], max: u64) -> Result<Vec<u64>, SpecError> {
    let number = |word: &Word<'_>| word.positive(max).ok_or_else(|| unexpected(word, a_number(max)));
    words.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_column() {
        let form = "77".parse::<OctalCode>().unwrap_err().expected;
        let names = GameKind::all().map(GameKind::name).join(", ");
        for (line, message) in [
            ("sqare 3", "FIRST (NAMES), got \"sqare\" at column 1; did you mean \"square\"?"),
            ("misre nim 3", "FIRST (NAMES), got \"misre\" at column 1; did you mean \"misere\"?"),
            ("", "GAME, got nothing at column 1"),
            ("nim 3 +", "GAME, got nothing at column 8"),
            ("20 3", "three numbers \"N L R\", got nothing at column 5"),
            ("segment 20 5 3", "L of at most R = 3, got \"5\" at column 12"),
            ("segment 20 5 30", "R of at most N = 20, got \"30\" at column 14"),
            ("nim 3 + square x", "a number or \"ban\", got \"x\" at column 16"),
            ("square 20 bna 1", "a number or \"ban\", got \"bna\" at column 11; did you mean \"ban\"?"),
            ("square 20 ban", "a number after \"ban\", NUMBER, got nothing at column 14"),
            ("square ban 1", "a pile, NUMBER, got \"ban\" at column 8"),
            (
                "6 1 2 saet first",
                "no more than three numbers \"N L R\", got \"saet\" at column 7; did you mean \"seat\"?",
            ),
            ("subtract 5", "\"take\", got nothing at column 11"),
            ("divisor 12 x", "a number, \"proper\" or \"ban\", got \"x\" at column 12"),
            ("divisor 12 proper proper", "\"ban\", got \"proper\" at column 19"),
            ("divisor 12 ban 3 proper", "NUMBER, got \"proper\" at column 18"),
            (
                "subtract 9 take 9..3",
                "a range whose first number is at most its last, got \"9..3\" at column 17",
            ),
            (
                "subtract 9 take 0..4",
                "NUMBER or a range of such numbers, as in 3..9, got \"0..4\" at column 17",
            ),
            ("subtract 9 take 1..n/0", "\"1..n/K\" with K NUMBER, got \"1..n/0\" at column 17"),
            ("subtract 9 take 1..n/2 5", "only \"1..n/2\" after \"take\", got \"5\" at column 24"),
            ("subtract 9 take 5 1..n/2", "only \"1..n/2\" after \"take\", got \"5\" at column 17"),
            ("prime 10000001", "a number from 1 to 10000000, got \"10000001\" at column 7"),
            ("nim 1000000000000000001", "NUMBER, got \"1000000000000000001\" at column 5"),
            ("octal", "\"octal CODE n1 n2 ...\", got nothing at column 6"),
            ("octal 77 9", "FORM, got \"77\" at column 7"),
            ("octal 4.[3] 7 10001", "a number from 1 to 10000, got \"10001\" at column 15"),
            ("nim 3 + octal 0.77", "a heap, NUMBER, got nothing at column 19"),
            ("euclid 4", "\"euclid A B\", got nothing at column 9"),
            ("misere", "a game after \"misere\", such as \"nim 3 5\", got nothing at column 7"),
            (
                "misere misere nim 3",
                "a game: \"misere\" can only be the first word, once, got \"misere\" at column 8",
            ),
            (
                "nim 3 + misere nim 5",
                "a game: \"misere\" can only be the first word, once, got \"misere\" at column 9",
            ),
            ("misere + nim 3", "GAME, got nothing at column 8"),
        ] {
            let message = message.replace("NUMBER", &a_number(MAX_SIZE)).replace("FORM", &form);
            let message =
                message.replace("FIRST", "three numbers \"N L R\" or a game").replace("NAMES", &names);
            let message = message.replace("GAME", "a game such as \"20 3 5\" or \"nim 3 5\"");
            let error = line.parse::<GameSpec>().unwrap_err();
            assert_eq!(error.to_string(), format!("expected {message}"), "{line:?}");
        }
    }

    /// Each game's rules are read from the words that they are written in.
    #[test]
    fn words_of_rules_are_read() {
        for kind in GameKind::all() {
            for game in kind.extremes(20).into_iter().flatten() {
                let rules = game.rules().unwrap().0.words();
                let read = GameSpec::of_rules(&rules).unwrap();
                assert_eq!(read.kind(), Some(kind), "{rules}");
                assert_eq!(read.rules().unwrap().0.words(), rules);
                assert!(GameSpec::of_rules(&read.to_string()).unwrap_err().column.is_some(), "{read}");
            }
        }
    }

    #[test]
    fn errors_of_rules_have_their_column() {
        for (rules, message) in [
            ("", "expected rules such as \"segment 1 2\" or \"octal 0.77\", got nothing at column 1"),
            ("segment 1", "expected \"segment L R\", got nothing at column 10"),
            ("segment 20 1 2", "expected the rules of segment without sizes, got \"2\" at column 14"),
            ("segment 1 x", "expected a number from 1 to 1000000000000000000, got \"x\" at column 11"),
            ("octal", "expected \"octal CODE\", got nothing at column 6"),
            ("square 9", "expected the rules of square without sizes, got \"9\" at column 8"),
            ("subtract", "expected \"take\", got nothing at column 9"),
            ("divisor proper 9", "expected \"ban\", got \"9\" at column 16"),
            ("nim + nim", "expected the rules of one game, got \"+\" at column 5"),
        ] {
            assert_eq!(GameSpec::of_rules(rules).unwrap_err().to_string(), message, "{rules:?}");
        }
        let error = GameSpec::of_rules("sqare ban 1").unwrap_err();
        assert_eq!((error.column, error.suggestion), (Some(1), Some("square")));
    }
}
