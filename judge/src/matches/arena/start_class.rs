//! The class of a start: its game and how large it is.

use std::fmt;

use zeroxor::GameSpec;

/// Starts of one game whose largest numbers have as many digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StartClass {
    /// The name of the game, "sum" of a sum.
    game: &'static str,
    digits: u32,
}

impl StartClass {
    pub(super) fn of(start: &GameSpec) -> Self {
        let digits = largest(start).checked_ilog10().unwrap_or(0) + 1;
        Self { game: start.name(), digits }
    }
}

/// The largest row, pile or number.
fn largest(start: &GameSpec) -> u64 {
    match start {
        GameSpec::Sum(games) => games.iter().map(largest).max().unwrap_or(0),
        GameSpec::Segment { n, .. } => *n,
        GameSpec::Euclid { a, b } => *a.max(b),
        GameSpec::Square { piles, .. }
        | GameSpec::Divisor { piles, .. }
        | GameSpec::Subtract { piles, .. }
        | GameSpec::Nim { piles }
        | GameSpec::Octal { heaps: piles, .. }
        | GameSpec::Grundy { heaps: piles } => piles.iter().copied().max().unwrap_or(0),
        // There is no other game.
        _ => 0,
    }
}

/// As in `nim, 10 to 99`.
impl fmt::Display for StartClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = 10_u64.saturating_pow(self.digits - 1);
        write!(f, "{}, {low} to {}", self.game, low.saturating_mul(10) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_the_game_and_the_digits_of_the_largest_number() {
        let class = |text: &str| StartClass::of(&text.parse().unwrap()).to_string();
        assert_eq!(class("9 3 5"), "segment, 1 to 9");
        assert_eq!(class("10 3 5"), "segment, 10 to 99");
        assert_eq!(class("nim 7 100 99"), "nim, 100 to 999");
        assert_eq!(class("euclid 5 12"), "euclid, 10 to 99");
        assert_eq!(class("nim 3 + square 2000 ban 1"), "sum, 1000 to 9999");
        assert_eq!(class("nim 1000000000000000000"), "nim, 1000000000000000000 to 9999999999999999999");
    }
}
