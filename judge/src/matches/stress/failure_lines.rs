//! The lines of a search about games that were not won: the first few of each kind, and the number of the others.

use std::collections::BTreeMap;

use super::summary::failure;
use crate::report::json::GameLine;
use common::escape::printable;
use common::text::counted;
use referee::verdict::Verdict;

/// How many games of a kind are shown.
const SHOWN: u64 = 3;

/// How many kinds are told apart. What a bot prints is part of a reason, so there may be as many as games.
const MAX_KINDS: usize = 20;

/// Counts games that were not won by kind: by verdict and reason, without the numbers in it and what is quoted.
#[derive(Default)]
pub(crate) struct FailureLines {
    kinds: BTreeMap<(Verdict, String), Kind>,
}

/// The games of a kind.
struct Kind {
    games: u64,
    first: u64,
    reason: String,
}

impl FailureLines {
    /// Adds a game that was not won. Returns the line to show; `None` if enough like it have been shown.
    pub(crate) fn add(&mut self, index: u64, report: &GameLine) -> Option<String> {
        let mut key = (report.verdict, pattern(&report.reason));
        if self.kinds.len() >= MAX_KINDS && !self.kinds.contains_key(&key) {
            key.1 = String::new();
        }
        let kind = self.kinds.entry(key).or_insert_with(|| Kind {
            games: 0,
            first: index,
            reason: report.reason.clone(),
        });
        kind.games += 1;
        (kind.games <= SHOWN).then(|| failure(index, report))
    }

    /// A line for each kind of which games were not shown.
    pub(crate) fn others(&self) -> impl Iterator<Item = String> {
        self.kinds.iter().filter(|(_, kind)| kind.games > SHOWN).map(|((verdict, _), kind)| {
            let others = counted(kind.games - SHOWN, "more game");
            format!("{others} like game {}: {verdict}: {}", kind.first, printable(&kind.reason))
        })
    }
}

/// A reason with `0` for each number and nothing between quotes.
fn pattern(reason: &str) -> String {
    let mut pattern = String::new();
    for (part, text) in reason.split('"').enumerate() {
        if part % 2 == 0 {
            pattern.extend(text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }));
        }
        pattern.push('"');
    }
    while pattern.contains("00") {
        pattern = pattern.replace("00", "0");
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_one_kind() {
        let reason = "move 3: taking 17 at place 120 is not legal: \"5 5\" was";
        assert_eq!(pattern(reason), pattern("move 12: taking 1 at place 1 is not legal: \"0 0\" was"));
        assert_ne!(pattern(reason), pattern("the bot has no move left"));
    }
}
