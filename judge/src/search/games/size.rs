//! The games of a search, grouped by the sizes of their starts.

use itertools::Itertools;

/// A game that a search has played.
#[derive(Clone, Copy)]
pub(crate) struct PlayedGame {
    /// The size of the start.
    pub(crate) size: u64,
    /// The slowest answer in the game, in milliseconds.
    pub(crate) slowest_ms: Option<f64>,
}

/// Games whose starts have sizes of the same magnitude: 1 to 10, 11 to 100, and so on.
#[derive(Debug, PartialEq)]
pub(crate) struct SizeGroup {
    /// The size of the smallest start.
    pub(crate) from: u64,
    /// The size of the largest start.
    pub(crate) to: u64,
    pub(crate) games: usize,
    /// The slowest answer in milliseconds, and the number of its game.
    pub(crate) slowest: Option<(f64, u64)>,
}

impl SizeGroup {
    /// Groups numbered games by the sizes of their starts, the smallest sizes first.
    pub(crate) fn all(played: impl IntoIterator<Item = (u64, PlayedGame)>) -> Vec<Self> {
        let by_magnitude = played.into_iter().into_group_map_by(|(_, game)| magnitude(game.size));
        let groups = by_magnitude.into_iter().sorted_by_key(|(magnitude, _)| *magnitude);
        groups.map(|(_, games)| Self::of(&games)).collect()
    }

    fn of(games: &[(u64, PlayedGame)]) -> Self {
        let sizes = games.iter().map(|(_, game)| game.size);
        let (from, to) = sizes.minmax().into_option().unwrap_or_default();
        let slowest = games.iter().filter_map(|(index, game)| Some((game.slowest_ms?, *index)));
        Self { from, to, games: games.len(), slowest: slowest.max_by(|(a, _), (b, _)| a.total_cmp(b)) }
    }
}

fn magnitude(size: u64) -> u32 {
    size.saturating_sub(1).checked_ilog10().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_by_magnitude() {
        let game = |size, slowest_ms| PlayedGame { size, slowest_ms };
        let played = [
            (0, game(2000, Some(3.5))),
            (1, game(10, None)),
            (2, game(11, Some(0.5))),
            (3, game(100, Some(0.7))),
            (4, game(1001, Some(9.0))),
            (5, game(1, None)),
        ];
        let group = |from, to, games, slowest| SizeGroup { from, to, games, slowest };
        assert_eq!(
            SizeGroup::all(played),
            [group(1, 10, 2, None), group(11, 100, 2, Some((0.7, 3))), group(1001, 2000, 2, Some((9.0, 4)))]
        );
        assert_eq!(SizeGroup::all([]), []);
    }
}
