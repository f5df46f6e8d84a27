//! The starts of pile games that the judge plays (small, extreme and random ones), and the source of random numbers.

use std::ops::RangeInclusive;

use super::Clause;
use itertools::Itertools;

pub(crate) type PileStart = (Vec<u64>, Vec<Clause>);

/// A source of random numbers. The library has none of its own.
///
/// There are two methods, because version 0.2.0 drew numbers of 64 bits and of 32 bits. If a generator draws both
/// sizes, a seed gives the same games as in version 0.2.0.
pub trait Random {
    /// Returns a number from `range`, all equally likely.
    fn number(&mut self, range: RangeInclusive<u64>) -> u64;

    /// Returns a small number from `range`, all equally likely.
    fn count(&mut self, range: RangeInclusive<u32>) -> u32;
}

pub(crate) struct PileStarts {
    /// Returns the starts that are used as components of small sums.
    pub(crate) in_sums: fn() -> Vec<PileStart>,
    /// Returns one start of each extreme kind, with piles of the given size.
    pub(crate) extremes: fn(u64) -> Vec<PileStart>,
    /// Returns the small starts with piles up to the given size, roughly in ascending order.
    pub(crate) small: fn(u64) -> Vec<PileStart>,
    /// Returns random clauses for piles up to the given size.
    pub(crate) random_clauses: fn(u64, &mut dyn Random) -> Vec<Clause>,
}

/// Returns four starts. Three have one pile of `n`: without bans, with `one` banned, and with both numbers banned. The
/// last start has four piles of `n` without bans.
pub(super) fn extremes_with_bans(n: u64, [one, two]: [u64; 2]) -> Vec<PileStart> {
    let banning = [&[][..], &[one], &[one, two]].map(|banned| (vec![n], Clause::banning(banned)));
    banning.into_iter().chain([(vec![n; 4], vec![])]).collect()
}

/// Returns single piles with each subset of the two numbers banned, then pairs of piles without bans.
pub(super) fn small_with_bans(max: u64, [one, two]: [u64; 2]) -> Vec<PileStart> {
    let bans = [&[][..], &[one], &[two], &[one, two]].map(Clause::banning);
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

pub(crate) fn without<T: Clone>(items: &[T], at: usize) -> Vec<T> {
    let mut items = items.to_vec();
    items.remove(at);
    items
}

/// Returns numbers from 1 to `size - 1` in ascending order: all numbers up to `SMALL`, then larger numbers, each of
/// which halves the distance to `size`.
pub(crate) fn below(size: u64) -> impl Iterator<Item = u64> {
    const SMALL: u64 = 10;
    let gaps = std::iter::successors(Some(size.saturating_sub(1)), |&gap| Some(gap / 2));
    let larger = gaps.take_while(|&gap| gap > 0).map(move |gap| size - gap).filter(|&number| number > SMALL);
    (1..=SMALL).take_while(move |&number| number < size).chain(larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below() {
        assert_eq!(below(1).count(), 0);
        assert_eq!(below(2).collect::<Vec<_>>(), [1]);
        assert_eq!(below(11).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
        assert_eq!(below(40).skip(9).collect::<Vec<_>>(), [10, 21, 31, 36, 38, 39]);
    }
}
