//! The sizes of starts, and the games of a search by size.

use itertools::Itertools;
use zeroxor::GameSpec;

/// The size of a start: its longest row, or its largest pile or number.
pub(crate) fn size_of(game: &GameSpec) -> u64 {
    let largest = |component: &GameSpec| match component {
        GameSpec::Segment { n, .. } => *n,
        GameSpec::Euclid { a, b } => *a.max(b),
        GameSpec::Nim { piles }
        | GameSpec::Square { piles, .. }
        | GameSpec::Divisor { piles, .. }
        | GameSpec::Subtract { piles, .. }
        | GameSpec::Octal { heaps: piles, .. }
        | GameSpec::Grundy { heaps: piles } => piles.iter().copied().max().unwrap_or(0),
        _ => 0,
    };
    game.components().iter().map(largest).max().unwrap_or(0)
}

/// A game that a search has played.
#[derive(Clone, Copy)]
pub(crate) struct PlayedGame {
    /// The size of its start.
    pub(crate) size: u64,
    /// Its slowest answer, in milliseconds.
    pub(crate) slowest_ms: Option<f64>,
}

/// Games whose starts have sizes of the same magnitude: 1 to 10, 11 to 100, and so on.
#[derive(Debug, PartialEq)]
pub(crate) struct SizeGroup {
    /// The sizes of the smallest and the largest start.
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) games: usize,
    /// The slowest answer in milliseconds, and the number of the game it was in.
    pub(crate) slowest: Option<(f64, u64)>,
}

impl SizeGroup {
    /// The groups of some games with their numbers, the smallest sizes first.
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
    fn sizes_of_starts() {
        let size = |header: &str| size_of(&header.parse().unwrap());
        assert_eq!((size("20 3 5"), size("euclid 8 13"), size("square 4 9 ban 25")), (20, 13, 9));
        assert_eq!((size("octal 0.137 4 9"), size("grundy 3 8")), (9, 8));
        assert_eq!(size("nim 1 + 7 1 2 + subtract 2 5 take 9"), 7);
    }

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
