//! How the pairs of games between two bots have ended.

use std::fmt;

/// How many pairs the first of two bots won, lost and split. A game has no draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairCounts {
    pub(crate) won: u32,
    pub(crate) lost: u32,
    /// Pairs of which each bot won one game.
    pub(crate) split: u32,
}

impl PairCounts {
    /// Adds a pair of which the first bot won so many games, 0, 1 or 2.
    pub(crate) fn add(&mut self, games_won: u32) {
        let count = match games_won {
            0 => &mut self.lost,
            1 => &mut self.split,
            _ => &mut self.won,
        };
        *count = count.saturating_add(1);
    }

    /// The pairs from the other bot's side.
    pub(crate) fn reversed(self) -> Self {
        Self { won: self.lost, lost: self.won, split: self.split }
    }

    pub(crate) fn pairs(self) -> u32 {
        self.decided().saturating_add(self.split)
    }

    /// How many pairs one of the bots won.
    pub(crate) fn decided(self) -> u32 {
        self.won.saturating_add(self.lost)
    }
}

/// The pentanomial counts: pairs with 0, 1/2, 1, 3/2 and 2 points. There are no half points.
impl fmt::Display for PairCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, 0, {}, 0, {}]", self.lost, self.split, self.won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_from_both_sides() {
        let mut counts = PairCounts::default();
        for won in [2, 2, 1, 0, 2, 1] {
            counts.add(won);
        }
        assert_eq!(counts.to_string(), "[1, 0, 2, 0, 3]");
        assert_eq!((counts.pairs(), counts.decided()), (6, 4));
        assert_eq!(counts.reversed().to_string(), "[3, 0, 2, 0, 1]");
    }
}
