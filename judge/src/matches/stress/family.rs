//! The families of games that `judge stress` plays: all small starts, and random larger ones.

use std::iter;

use clap::ValueEnum;
use itertools::{Itertools, iproduct};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use zeroxor::{GameSpec, OctalCode};

/// A family of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum GameFamily {
    /// Rows of cards: `N L R`
    Segment,
    /// Piles from which a move takes a square that is not banned
    Square,
    /// Piles from which a move takes a divisor that is not banned
    Divisor,
    /// Piles from which a move takes a listed number
    Subtract,
    /// Piles from which a move takes any number
    Nim,
    /// The Number Game
    Euclid,
    /// Rows under a code: `octal CODE n1 n2 ...`
    Octal,
    /// Two or three games of any kind at once
    Sum,
}

/// The components of the small sums.
fn components() -> Vec<GameSpec> {
    let octal = OctalCode::new(&[0, 1, 3, 7]).map(|code| GameSpec::Octal { code, heaps: vec![5] });
    let others = [
        GameSpec::Segment { n: 3, l: 1, r: 2 },
        GameSpec::Segment { n: 4, l: 2, r: 2 },
        GameSpec::Square { piles: vec![5], banned: vec![1] },
        GameSpec::Divisor { piles: vec![6], banned: Vec::new() },
        GameSpec::Subtract { piles: vec![7], takes: vec![2, 3] },
        GameSpec::Nim { piles: vec![3] },
        GameSpec::Euclid { a: 7, b: 5 },
    ];
    others.into_iter().chain(octal).collect()
}

impl GameFamily {
    /// All small starts with sizes of at most `max_n`, the smallest first.
    pub(crate) fn small(self, max_n: u64) -> Vec<GameSpec> {
        let to = |limit: u64| 1..=limit.min(max_n);
        let square = |piles, banned| GameSpec::Square { piles, banned };
        let divisor = |piles, banned| GameSpec::Divisor { piles, banned };
        match self {
            Self::Segment => {
                let windows = to(10).flat_map(|n| iproduct!(Some(n), 1..=n, 1..=n));
                windows.filter(|(_, l, r)| l <= r).map(|(n, l, r)| GameSpec::Segment { n, l, r }).collect()
            }
            Self::Square => banned(square, to(30), [&[], &[1], &[4], &[1, 4]], to(7)),
            Self::Divisor => banned(divisor, to(30), [&[], &[1], &[2], &[1, 2]], to(7)),
            Self::Subtract => {
                let sets = (1..=4_u64).powerset().filter(|set| !set.is_empty()).collect_vec();
                let games = to(12).cartesian_product(sets);
                games.map(|(n, takes)| GameSpec::Subtract { piles: vec![n], takes }).collect()
            }
            Self::Nim => [(1, 10), (2, 6), (3, 4)]
                .into_iter()
                .flat_map(|(piles, limit)| to(limit).combinations_with_replacement(piles))
                .map(|piles| GameSpec::Nim { piles })
                .collect(),
            Self::Euclid => iproduct!(to(12), to(12)).map(|(a, b)| GameSpec::Euclid { a, b }).collect(),
            Self::Octal => {
                // Of the codes of up to two digits, those with the digits of known games.
                let digits = [0, 1, 3, 6, 7];
                let codes = iproduct!(digits, digits)
                    .filter_map(|(one, two)| OctalCode::new(&[0, one, two]))
                    .collect_vec();
                let games = to(8).cartesian_product(codes);
                games.map(|(n, code)| GameSpec::Octal { code, heaps: vec![n] }).collect()
            }
            Self::Sum => {
                components().into_iter().combinations_with_replacement(2).map(GameSpec::Sum).collect()
            }
        }
    }

    /// A random start with sizes of at most `max_n`.
    pub(crate) fn random(self, max_n: u64, rng: &mut ChaCha8Rng) -> GameSpec {
        match self {
            Self::Segment => random_row(max_n, rng),
            Self::Square => {
                let roots = numbers(4, max_n.isqrt(), rng);
                let banned = roots.iter().map(|&root| root * root).collect();
                GameSpec::Square { piles: piles(max_n, rng), banned }
            }
            Self::Divisor => {
                let banned = numbers(3, max_n.min(12), rng);
                GameSpec::Divisor { piles: piles(max_n, rng), banned }
            }
            Self::Subtract => {
                let mut takes = numbers(4, max_n.min(20), rng);
                takes.push(rng.random_range(1..=max_n.min(20)));
                let takes = takes.into_iter().sorted().dedup().collect();
                GameSpec::Subtract { piles: piles(max_n, rng), takes }
            }
            Self::Nim => GameSpec::Nim { piles: piles(max_n, rng) },
            Self::Euclid => {
                GameSpec::Euclid { a: rng.random_range(1..=max_n), b: rng.random_range(1..=max_n) }
            }
            Self::Octal => GameSpec::Octal { code: random_code(rng), heaps: piles(max_n, rng) },
            Self::Sum => {
                let single = [
                    Self::Segment,
                    Self::Square,
                    Self::Divisor,
                    Self::Subtract,
                    Self::Nim,
                    Self::Euclid,
                    Self::Octal,
                ];
                let count = rng.random_range(2..=3);
                let mut component = || single[rng.random_range(0..single.len())].random(max_n, rng);
                GameSpec::Sum((0..count).map(|_| component()).collect())
            }
        }
    }
}

/// A random row of at most `max_n` cards. One of two rows has L = R, where symmetry alone does not decide.
fn random_row(max_n: u64, rng: &mut ChaCha8Rng) -> GameSpec {
    let n = rng.random_range(1..=max_n);
    if rng.random() {
        let l = rng.random_range(1..=n.min(20));
        GameSpec::Segment { n, l, r: l }
    } else {
        let (a, b) = (rng.random_range(1..=n), rng.random_range(1..=n));
        GameSpec::Segment { n, l: a.min(b), r: a.max(b) }
    }
}

/// A random code of one to four digits.
fn random_code(rng: &mut ChaCha8Rng) -> OctalCode {
    let count = rng.random_range(1..=4);
    loop {
        let digits = iter::once(0).chain((0..count).map(|_| rng.random_range(0..8))).collect_vec();
        if let Some(code) = OctalCode::new(&digits) {
            return code;
        }
    }
}

/// The family of a pair of games. Families take turns after each two pairs, so that each has a start that First wins and
/// one that Second wins.
pub(crate) fn of_pair(families: &[GameFamily], pair: u64) -> Option<GameFamily> {
    let count = families.len().max(1) as u64;
    families.get(usize::try_from(pair / 2 % count).ok()?).copied()
}

/// The words that tell these families from others.
pub(crate) fn words(families: &[GameFamily]) -> String {
    families.iter().map(|family| format!("{family:?}")).join(",")
}

/// The random numbers for a game's start. The opponent uses another stream of the same seed.
pub(crate) fn start_rng(seed: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(1);
    rng
}

/// Single piles with each ban list, then pairs of piles without bans.
fn banned(
    game: impl Fn(Vec<u64>, Vec<u64>) -> GameSpec,
    singles: impl Iterator<Item = u64>,
    bans: [&[u64]; 4],
    pairs: impl Iterator<Item = u64> + Clone,
) -> Vec<GameSpec> {
    let singles = singles.cartesian_product(bans).map(|(n, banned)| game(vec![n], banned.to_vec()));
    let pairs = pairs.combinations_with_replacement(2).map(|pair| game(pair, Vec::new()));
    singles.chain(pairs).collect()
}

/// One to four random piles.
fn piles(max_n: u64, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let count = rng.random_range(1..=4);
    (0..count).map(|_| rng.random_range(1..=max_n)).collect()
}

/// At most `max_count` random numbers from 1 to `max`.
fn numbers(max_count: usize, max: u64, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let count = rng.random_range(0..=max_count);
    (0..count).map(|_| rng.random_range(1..=max)).sorted().dedup().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use itertools::chain;
    use zeroxor::Position;

    use super::*;
    use referee::setup::GameHeader;

    #[test]
    fn every_start_sets_up_a_game() {
        for &family in GameFamily::value_variants() {
            for max_n in [1, 2, 7, 2000] {
                let small = family.small(max_n);
                assert!(family == GameFamily::Sum || !small.is_empty(), "{family:?} {max_n}");
                assert_eq!(
                    small.iter().map(GameSpec::to_string).collect::<HashSet<_>>().len(),
                    small.len(),
                    "{family:?}: none twice"
                );
                let random = (0..300).map(|seed| family.random(max_n, &mut start_rng(seed)));
                for game in chain!(family.extremes(max_n), small, random) {
                    assert!(game.validate().is_ok() && Position::new(&game).is_ok(), "{game}");
                }
            }
        }
    }

    /// The small rows are all windows on rows of up to ten cards, the smallest first.
    #[test]
    fn small_rows() {
        let small = |max_n| {
            let games = GameFamily::Segment.small(max_n).into_iter();
            games.map(|game| GameHeader::new(game, None).to_string()).collect_vec()
        };
        let rows = small(2000);
        assert_eq!((rows.len(), rows[0].as_str(), rows[219].as_str()), (220, "1 1 1", "10 10 10"));
        assert_eq!(
            small(3),
            ["1 1 1", "2 1 1", "2 1 2", "2 2 2", "3 1 1", "3 1 2", "3 1 3", "3 2 2", "3 2 3", "3 3 3"]
        );
    }
}
