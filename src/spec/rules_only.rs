//! Parsing rules in the words of a header, without sizes.

use super::{GameKind, GameSpec, SpecError};
use crate::core::protocol::quoted;
use crate::words::{Word, words};
use itertools::Itertools;

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
        let mut words =
            words(text.as_bytes()).map_err(|expected| SpecError::new(expected, quoted(text.as_bytes())))?;
        let Some(&name) = words.first() else {
            return Err(SpecError::missing(1, "rules such as \"segment 1 2\" or \"octal 0.77\""));
        };
        let Some(kind) = GameKind::named(name.text) else {
            let names = GameKind::all().map(GameKind::name).collect_vec();
            let error = SpecError::at(name, format!("the rules of a game ({})", names.iter().format(", ")));
            return Err(error.suggesting(name.text, names));
        };
        if let Some(&plus) = words.iter().find(|word| word.text == "+") {
            return Err(SpecError::at(plus, "the rules of one game".to_owned()));
        }
        // The form that the rules begin with, and whether it is all of them: clauses may follow the name of a pile
        // game.
        let (form, is_complete) = match kind {
            GameKind::Piles(_) => (kind.name().to_owned(), false),
            _ => (kind.rules_form(), true),
        };
        let before = form.split(' ').count();
        if let Some(&size) = words.get(before).filter(|word| is_complete || word.is_digits()) {
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
            GameKind::Grundy | GameKind::Piles(_) => words.insert(1, after(name, "1")),
        }
        Self::from_words(&words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::MAX_SIZE;

    /// Each game's rules are read from the words that they are written in.
    #[test]
    fn words_of_rules_are_read() {
        for kind in GameKind::all() {
            for game in kind.extremes(20).into_iter().filter(|game| game.validate().is_ok()) {
                let rules = game.rules().unwrap().0.words();
                let read = GameSpec::of_rules(&rules).unwrap();
                assert_eq!(read.kind(), Some(kind), "{rules}");
                assert_eq!(read.rules().unwrap().0.words(), rules);
                assert!(GameSpec::of_rules(&read.to_string()).unwrap_err().column().is_some(), "{read}");
            }
        }
    }

    #[test]
    fn errors_have_their_column() {
        let number = format!("a number from 1 to {MAX_SIZE}");
        for (rules, message) in [
            ("", "expected rules such as \"segment 1 2\" or \"octal 0.77\", got nothing at column 1"),
            ("segment 1", "expected \"segment L R\", got nothing at column 10"),
            ("segment 3 2", "expected L of at most R = 2, got \"3\" at column 9"),
            ("segment 20 1 2", "expected the rules of segment without sizes, got \"2\" at column 14"),
            ("segment 1 x", &format!("expected {number}, got \"x\" at column 11")),
            ("octal", "expected \"octal CODE\", got nothing at column 6"),
            ("square 9", "expected the rules of square without sizes, got \"9\" at column 8"),
            ("square bna 1", "expected a number or \"ban\", got \"bna\" at column 8; did you mean \"ban\"?"),
            ("subtract", "expected \"take\", got nothing at column 9"),
            (
                "subtract take 9..3",
                "expected a range whose first number is at most its last, got \"9..3\" at column 15",
            ),
            ("divisor proper 9", "expected \"ban\", got \"9\" at column 16"),
            ("nim + nim", "expected the rules of one game, got \"+\" at column 5"),
        ] {
            assert_eq!(GameSpec::of_rules(rules).unwrap_err().to_string(), message, "{rules:?}");
        }
        let error = GameSpec::of_rules("sqare ban 1").unwrap_err();
        assert_eq!((error.column(), error.suggestion()), (Some(1), Some("square")));
    }
}
