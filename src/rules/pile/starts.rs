//! The small, extreme and random starts that the judge plays of a game of piles, and the source of random numbers.

use std::fmt;
use std::ops::RangeInclusive;

use crate::compat::Itertools;

/// The piles of a start, and its list of numbers.
pub(crate) type PileStart = (Vec<u64>, Vec<u64>);

/// A source of random numbers. The library has none of its own.
///
/// There are two methods, because version 0.2.0 drew numbers of 64 bits and of 32 bits. A generator that still does so
/// gives the same games for a seed.
pub trait Random {
    /// Returns a number from `range`, all equally likely.
    fn number(&mut self, range: RangeInclusive<u64>) -> u64;

    /// Returns a small number from `range`, all equally likely.
    fn count(&mut self, range: RangeInclusive<u32>) -> u32;
}

/// The starts of a game of piles.
pub(crate) struct PileStarts {
    /// A component of the small sums.
    pub(crate) in_sums: (&'static [u64], &'static [u64]),
    /// Returns one start of each extreme kind, with piles of the given size.
    pub(crate) extremes: fn(u64) -> Vec<PileStart>,
    /// Returns the small starts with piles up to the given size, roughly in ascending order.
    pub(crate) small: fn(u64) -> Vec<PileStart>,
    /// Returns a random list for piles up to the given size.
    pub(crate) random_list: fn(u64, &mut dyn Random) -> Vec<u64>,
}

impl fmt::Debug for PileStarts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PileStarts").field("in_sums", &self.in_sums).finish_non_exhaustive()
    }
}

/// Returns one pile of `n` without bans, with `one` banned and with both numbers banned, and four piles of `n`.
pub(super) fn extremes_with_bans(n: u64, [one, two]: [u64; 2]) -> Vec<PileStart> {
    vec![(vec![n], vec![]), (vec![n], vec![one]), (vec![n], vec![one, two]), (vec![n; 4], vec![])]
}

/// Returns single piles with each subset of the two numbers banned, then pairs of piles without bans.
pub(super) fn small_with_bans(max: u64, [one, two]: [u64; 2]) -> Vec<PileStart> {
    let bans = [vec![], vec![one], vec![two], vec![one, two]];
    let singles = (1..=max.min(30)).flat_map(|n| bans.clone().map(|banned| (vec![n], banned)));
    let pairs = piles_of(2, max.min(7)).into_iter().map(|piles| (piles, vec![]));
    singles.chain(pairs).collect()
}

/// Returns all lists of `count` piles of at most `max`, each in ascending order.
pub(super) fn piles_of(count: usize, max: u64) -> Vec<Vec<u64>> {
    (1..=max).combinations_with_replacement(count).collect()
}

/// Returns one to four random piles of at most `max`.
pub(crate) fn random_piles(max: u64, random: &mut dyn Random) -> Vec<u64> {
    let count = random.count(1..=4);
    (0..count).map(|_| random.number(1..=max)).collect()
}

/// Returns at most `max_count` random numbers from 1 to `max`, in ascending order and without duplicates.
pub(super) fn random_numbers(max_count: u32, max: u64, random: &mut dyn Random) -> Vec<u64> {
    let count = random.count(0..=max_count);
    (0..count).map(|_| random.number(1..=max)).sorted().dedup().collect()
}
