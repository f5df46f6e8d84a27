//! What the judge plays of a game of piles: small, extreme and random starts.

use std::fmt;
use std::ops::RangeInclusive;

use crate::compat::Itertools;

/// The piles of a start, and its list of numbers.
pub(crate) type PileStart = (Vec<u64>, Vec<u64>);

/// A source of random numbers. The library has none of its own.
///
/// The two methods may take different amounts of randomness, so that starts stay the same for a seed.
pub trait Random {
    /// A number from this range, each as likely as the others.
    fn number(&mut self, range: RangeInclusive<u64>) -> u64;

    /// A small number from this range, each as likely as the others.
    fn count(&mut self, range: RangeInclusive<u32>) -> u32;
}

/// The starts of a game of piles, by their sizes.
pub(crate) struct PileStarts {
    /// A component of the small sums.
    pub(crate) in_sums: (&'static [u64], &'static [u64]),
    /// A start of each extreme kind with numbers of this size.
    pub(crate) extremes: fn(u64) -> Vec<PileStart>,
    /// All small starts with sizes of at most this number, the smallest first.
    pub(crate) small: fn(u64) -> Vec<PileStart>,
    /// A random list for piles of at most this size.
    pub(crate) random_list: fn(u64, &mut dyn Random) -> Vec<u64>,
}

impl fmt::Debug for PileStarts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PileStarts").field("in_sums", &self.in_sums).finish_non_exhaustive()
    }
}

/// One pile without bans, with the first and with both of these numbers banned, and four piles.
pub(super) fn extremes_with_bans(n: u64, [one, two]: [u64; 2]) -> Vec<PileStart> {
    vec![(vec![n], vec![]), (vec![n], vec![one]), (vec![n], vec![one, two]), (vec![n; 4], vec![])]
}

/// Single piles with all bans of these two numbers, then pairs of piles without bans.
pub(super) fn small_with_bans(max: u64, [one, two]: [u64; 2]) -> Vec<PileStart> {
    let bans = [vec![], vec![one], vec![two], vec![one, two]];
    let singles = (1..=max.min(30)).flat_map(|n| bans.clone().map(|banned| (vec![n], banned)));
    let pairs = piles_of(2, max.min(7)).into_iter().map(|piles| (piles, vec![]));
    singles.chain(pairs).collect()
}

/// This number of piles of at most `max`, in ascending order.
pub(super) fn piles_of(count: usize, max: u64) -> Vec<Vec<u64>> {
    (1..=max).combinations_with_replacement(count).collect()
}

/// One to four random piles.
pub(crate) fn random_piles(max: u64, random: &mut dyn Random) -> Vec<u64> {
    let count = random.count(1..=4);
    (0..count).map(|_| random.number(1..=max)).collect()
}

/// At most `max_count` random numbers from 1 to `max`, in ascending order.
pub(super) fn random_numbers(max_count: u32, max: u64, random: &mut dyn Random) -> Vec<u64> {
    let count = random.count(0..=max_count);
    (0..count).map(|_| random.number(1..=max)).sorted().dedup().collect()
}
