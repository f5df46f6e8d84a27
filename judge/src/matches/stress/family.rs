//! Starts to try: the small ones of a family one by one, and random larger ones.

use clap::ValueEnum;
use itertools::{Itertools, iproduct};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Games of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Family {
    /// Rows of cards: `N L R`
    Segment,
    /// Piles of which a move takes a square that is not banned
    Square,
    /// Piles of which a move takes a divisor that is not banned
    Divisor,
    /// Piles of which a move takes a listed number
    Subtract,
    /// Piles of which a move takes any number
    Nim,
    /// The Number Game
    Euclid,
    /// Two or three games of any kind at once
    Sum,
}

/// Parts of the small sums.
const PARTS: [&str; 7] =
    ["3 1 2", "4 2 2", "square 5 ban 1", "divisor 6", "subtract 7 take 2 3", "nim 3", "euclid 7 5"];

impl Family {
    /// The small starts, from the smallest up, none of them with a size above `max_n`.
    pub(crate) fn small(self, max_n: u64) -> Vec<String> {
        let to = |limit: u64| 1..=limit.min(max_n);
        match self {
            Self::Segment => {
                let windows = to(10).flat_map(|n| iproduct!(Some(n), 1..=n, 1..=n));
                windows.filter(|(_, l, r)| l <= r).map(|(n, l, r)| format!("{n} {l} {r}")).collect()
            }
            Self::Square => banned("square", to(30), ["", " ban 1", " ban 4", " ban 1 4"], to(7)),
            Self::Divisor => banned("divisor", to(30), ["", " ban 1", " ban 2", " ban 1 2"], to(7)),
            Self::Subtract => {
                let sets = (1..=4_u64).powerset().filter(|set| !set.is_empty()).collect_vec();
                let games = iproduct!(to(12), &sets);
                games.map(|(n, set)| format!("subtract {n} take {}", set.iter().format(" "))).collect()
            }
            Self::Nim => [(1, 10), (2, 6), (3, 4)]
                .into_iter()
                .flat_map(|(piles, limit)| to(limit).combinations_with_replacement(piles))
                .map(|piles| format!("nim {}", piles.iter().format(" ")))
                .collect(),
            Self::Euclid => iproduct!(to(12), to(12)).map(|(a, b)| format!("euclid {a} {b}")).collect(),
            Self::Sum => {
                PARTS.iter().combinations_with_replacement(2).map(|parts| parts.iter().join(" + ")).collect()
            }
        }
    }

    /// A start with sizes of at most `max_n`.
    pub(crate) fn random(self, max_n: u64, rng: &mut ChaCha8Rng) -> String {
        match self {
            Self::Segment => row(max_n, rng),
            Self::Square => {
                let root = max_n.isqrt();
                let bans = numbers(4, root, rng).iter().map(|&root| root * root).collect_vec();
                format!("square {}{}", piles(max_n, rng), list(" ban", &bans))
            }
            Self::Divisor => {
                let bans = numbers(3, max_n.min(12), rng);
                format!("divisor {}{}", piles(max_n, rng), list(" ban", &bans))
            }
            Self::Subtract => {
                let mut takes = numbers(4, max_n.min(20), rng);
                takes.push(rng.random_range(1..=max_n.min(20)));
                format!("subtract {}{}", piles(max_n, rng), list(" take", &takes))
            }
            Self::Nim => format!("nim {}", piles(max_n, rng)),
            Self::Euclid => format!("euclid {} {}", rng.random_range(1..=max_n), rng.random_range(1..=max_n)),
            Self::Sum => {
                let single =
                    [Self::Segment, Self::Square, Self::Divisor, Self::Subtract, Self::Nim, Self::Euclid];
                let parts = rng.random_range(2..=3);
                (0..parts).map(|_| single[rng.random_range(0..single.len())].random(max_n, rng)).join(" + ")
            }
        }
    }
}

/// A random row of at most `max_n` cards: every other one under a window of one length, where symmetry is no
/// help.
pub(crate) fn row(max_n: u64, rng: &mut ChaCha8Rng) -> String {
    let n = rng.random_range(1..=max_n);
    if rng.random() {
        let l = rng.random_range(1..=n.min(20));
        format!("{n} {l} {l}")
    } else {
        let (a, b) = (rng.random_range(1..=n), rng.random_range(1..=n));
        format!("{n} {} {}", a.min(b), a.max(b))
    }
}

/// The numbers that a game's start is drawn from; those of its opponent have the same seed and another
/// stream.
pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(1);
    rng
}

/// Single piles under each ban list, then pairs of piles.
fn banned(
    name: &str,
    singles: impl Iterator<Item = u64>,
    bans: [&str; 4],
    pairs: impl Iterator<Item = u64> + Clone,
) -> Vec<String> {
    let singles = singles.cartesian_product(bans).map(|(n, bans)| format!("{name} {n}{bans}"));
    let pairs = pairs.combinations_with_replacement(2).map(|pair| format!("{name} {} {}", pair[0], pair[1]));
    singles.chain(pairs).collect()
}

/// Fewer than five random piles.
fn piles(max_n: u64, rng: &mut ChaCha8Rng) -> String {
    let count = rng.random_range(1..=4);
    (0..count).map(|_| rng.random_range(1..=max_n)).join(" ")
}

/// At most `most` random numbers to `max`.
fn numbers(most: usize, max: u64, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let count = rng.random_range(0..=most);
    (0..count).map(|_| rng.random_range(1..=max)).sorted().dedup().collect()
}

fn list(keyword: &str, numbers: &[u64]) -> String {
    if numbers.is_empty() {
        String::new()
    } else {
        format!("{keyword} {}", numbers.iter().sorted().dedup().format(" "))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use zeroxor::Position;
    use zeroxor::wire::protocol::parse_header;

    use super::*;

    fn opens(header: &str) -> bool {
        parse_header(header.as_bytes()).is_ok_and(|header| Position::new(&header.game).is_ok())
    }

    #[test]
    fn every_start_sets_up_a_game() {
        for &family in Family::value_variants() {
            for max_n in [1, 2, 7, 2000] {
                let small = family.small(max_n);
                assert!(family == Family::Sum || !small.is_empty(), "{family:?} {max_n}");
                assert_eq!(small.iter().collect::<HashSet<_>>().len(), small.len(), "{family:?}: none twice");
                let random = (0..300).map(|seed| family.random(max_n, &mut rng(seed)));
                for header in small.into_iter().chain(random) {
                    assert!(opens(&header), "{header}");
                }
            }
        }
    }

    /// Every window on rows of up to ten cards, smallest first.
    #[test]
    fn the_small_rows_are_all_there() {
        let small = Family::Segment.small(2000);
        assert_eq!((small.len(), small[0].as_str(), small[219].as_str()), (220, "1 1 1", "10 10 10"));
        assert_eq!(
            Family::Segment.small(3),
            ["1 1 1", "2 1 1", "2 1 2", "2 2 2", "3 1 1", "3 1 2", "3 1 3", "3 2 2", "3 2 3", "3 3 3"]
        );
    }
}
