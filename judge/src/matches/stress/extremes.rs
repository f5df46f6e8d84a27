//! The extreme starts of each family: the largest of each kind, the smallest, and large ones that Second wins.

use itertools::{Itertools, chain};
use zeroxor::{GameSpec, OctalCode, Outcome, Position, Solver};

use super::family::GameFamily;

/// The largest size at which a start that Second wins is looked for: the contest's limit.
const MAX_SECOND: u64 = 2000;

/// A kind of starts: a start for each size.
type StartKind = fn(u64) -> GameSpec;

impl GameFamily {
    /// Extreme starts with sizes of at most `max_n`: the largest of each kind, the smallest, and of each kind the largest
    /// that Second wins.
    pub(crate) fn extremes(self, max_n: u64) -> Vec<GameSpec> {
        let kinds = self.kinds();
        let is_start = |game: &GameSpec| game.validate().is_ok();
        let largest = kinds.iter().map(|kind| kind(max_n)).filter(is_start);
        let smallest = kinds.iter().map(|kind| kind(1)).find(is_start);
        let second = kinds.iter().filter_map(|&kind| largest_won_by_second(kind, max_n.min(MAX_SECOND)));
        chain!(largest, smallest, second).unique().collect()
    }

    fn kinds(self) -> Vec<StartKind> {
        match self {
            Self::Segment => vec![
                |n| GameSpec::Segment { n, l: 1, r: 1 },
                |n| GameSpec::Segment { n, l: 1, r: n },
                |n| GameSpec::Segment { n, l: 2, r: 2 },
                |n| GameSpec::Segment { n, l: 3, r: 3 },
                |n| GameSpec::Segment { n, l: n, r: n },
            ],
            Self::Square => vec![
                |n| GameSpec::Square { piles: vec![n], banned: vec![] },
                |n| GameSpec::Square { piles: vec![n], banned: vec![1] },
                |n| GameSpec::Square { piles: vec![n], banned: vec![1, 4] },
                |n| GameSpec::Square { piles: vec![n; 4], banned: vec![] },
            ],
            Self::Divisor => vec![
                |n| GameSpec::Divisor { piles: vec![n], banned: vec![] },
                |n| GameSpec::Divisor { piles: vec![n], banned: vec![1] },
                |n| GameSpec::Divisor { piles: vec![n], banned: vec![1, 2] },
                |n| GameSpec::Divisor { piles: vec![n; 4], banned: vec![] },
            ],
            Self::Subtract => vec![
                |n| GameSpec::Subtract { piles: vec![n], takes: vec![1] },
                |n| GameSpec::Subtract { piles: vec![n], takes: vec![2, 3] },
                |n| GameSpec::Subtract { piles: vec![n], takes: vec![n] },
                |n| GameSpec::Subtract { piles: vec![n; 4], takes: vec![1, 2, 3] },
            ],
            Self::Nim => {
                vec![|n| GameSpec::Nim { piles: vec![n] }, |n| GameSpec::Nim { piles: vec![n; 3] }, |n| {
                    GameSpec::Nim { piles: vec![n; 4] }
                }]
            }
            Self::Euclid => vec![
                |n| GameSpec::Euclid { a: n, b: 1 },
                |n| GameSpec::Euclid { a: 1, b: n },
                |n| GameSpec::Euclid { a: n, b: n },
                // Near the golden ratio a game is longest.
                |n| GameSpec::Euclid { a: n, b: n - n / 1000 * 382 },
            ],
            Self::Octal => vec![
                |n| octal(&[0, 7, 7], vec![n]),
                |n| octal(&[0, 1, 3, 7], vec![n]),
                |n| octal(&[0, 6], vec![n]),
                |n| octal(&[0, 0, 7], vec![n; 4]),
            ],
            Self::Sum => vec![
                |n| {
                    let row = GameSpec::Segment { n, l: 3, r: 3 };
                    GameSpec::Sum(vec![row, GameSpec::Nim { piles: vec![n] }])
                },
                |n| {
                    let square = GameSpec::Square { piles: vec![n], banned: vec![1] };
                    GameSpec::Sum(vec![square, GameSpec::Divisor { piles: vec![n], banned: vec![] }])
                },
                |n| {
                    let subtract = GameSpec::Subtract { piles: vec![n], takes: vec![2, 3] };
                    GameSpec::Sum(vec![subtract, GameSpec::Euclid { a: n, b: 1 }])
                },
                |n| GameSpec::Sum(vec![GameSpec::Segment { n, l: 1, r: 2 }; 2]),
            ],
        }
    }
}

/// Rows under a code. Digits that are no code give an empty sum, which is no start.
fn octal(digits: &[u8], heaps: Vec<u64>) -> GameSpec {
    OctalCode::new(digits).map_or(GameSpec::Sum(Vec::new()), |code| GameSpec::Octal { code, heaps })
}

/// The largest start of a kind that Second wins, with a size of at most `max_n`.
fn largest_won_by_second(kind: StartKind, max_n: u64) -> Option<GameSpec> {
    let mut solver = Solver::new();
    let mut is_won_by_second =
        |game: &GameSpec| Position::new(game).is_ok_and(|start| solver.outcome(&start) == Ok(Outcome::P));
    (1..=max_n).rev().map(kind).find(|game| is_won_by_second(game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::setup::GameHeader;

    fn extremes(family: GameFamily, max_n: u64) -> Vec<String> {
        family.extremes(max_n).into_iter().map(|game| GameHeader::new(game, None).to_string()).collect()
    }

    #[test]
    fn extreme_codes() {
        let starts = extremes(GameFamily::Octal, 50);
        let largest =
            ["octal 0.77 50", "octal 0.137 50", "octal 0.6 50", "octal 0.07 50 50 50 50", "octal 0.77 1"];
        assert_eq!(starts[..5], largest);
    }

    #[test]
    fn extreme_rows() {
        assert_eq!(
            extremes(GameFamily::Segment, 2000),
            [
                "2000 1 1",
                "2000 1 2000",
                "2000 2 2",
                "2000 3 3",
                "2000 2000 2000",
                "1 1 1",
                "1997 2 2",
                "1048 3 3"
            ]
        );
        assert_eq!(extremes(GameFamily::Segment, 2), ["2 1 1", "2 1 2", "2 2 2", "1 1 1"]);
        assert_eq!(extremes(GameFamily::Segment, 1), ["1 1 1"]);
    }
}
