//! The first difference between the values of two games.

use std::fmt;

use zeroxor::{GameSpec, Nimber, nimbers};

/// A comparison of the values of two games. The second game is shifted so that the first nonzero values of both games
/// coincide.
#[derive(Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Number of cards by which the heaps of the second game are smaller.
    pub less: i64,
    /// The largest heap of the first game whose value was compared.
    to: u64,
    /// The first heap with different values, and both values.
    difference: Option<(u64, [Nimber; 2])>,
}

impl Comparison {
    /// Compares the values of the heaps up to `to`.
    ///
    /// # Errors
    ///
    /// If the values cost more than the budget of a game.
    pub fn of(games: &[GameSpec; 2], to: u64) -> anyhow::Result<Self> {
        let first = nimbers(&games[0], 0..=to)?;
        let second = nimbers(&games[1], 0..=to)?;
        let zeros = |values: &[Nimber]| values.iter().take_while(|&&value| value == Nimber::ZERO).count();
        let [before, of_second] = [&first, &second].map(|values| zeros(values));
        let pairs = first.iter().skip(before).zip(second.iter().skip(of_second));
        let compared = (before + pairs.clone().count()).saturating_sub(1) as u64;
        let difference = (before as u64..).zip(pairs).find(|(_, (a, b))| a != b);
        Ok(Self {
            less: i64::try_from(before)? - i64::try_from(of_second)?,
            to: compared,
            difference: difference.map(|(n, (&a, &b))| (n, [a, b])),
        })
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.difference {
            None => write!(f, "the same values up to n = {}", self.to),
            Some((n, [a, b])) => write!(f, "the first difference is at n = {n}: {a} and {b}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(first: &str, second: &str, to: u64) -> (i64, String) {
        let games = [first, second].map(|game| game.parse().unwrap());
        let comparison = Comparison::of(&games, to).unwrap();
        (comparison.less, comparison.to_string())
    }

    #[test]
    fn first_differences() {
        let same = |to: u64| format!("the same values up to n = {to}");
        assert_eq!(compared("octal 0.07 1", "octal 0.137 1", 500), (1, same(500)));
        assert_eq!(compared("octal 0.137 1", "octal 0.07 1", 500), (-1, same(499)));
        assert_eq!(compared("octal 0.777 1", "segment 3 1 3", 500), (0, same(500)));
        let first = "the first difference is at n = 519: 2 and 4".to_owned();
        assert_eq!(compared("octal 0.161 1", "octal 0.36 1", 1000), (0, first));
        assert_eq!(compared("octal 0.161 1", "octal 0.36 1", 518), (0, same(518)));
    }
}
