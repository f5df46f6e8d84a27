//! Random and smaller numbers for the starts that the judge plays, and the source of random numbers.

use std::ops::RangeInclusive;

use itertools::Itertools;

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

/// Returns one to four random heaps of at most `max`.
pub(crate) fn random_heaps(max: u64, random: &mut dyn Random) -> Vec<u64> {
    let count = random.count(1..=4);
    (0..count).map(|_| random.number(1..=max)).collect()
}

/// Returns at most `max_count` random numbers from 1 to `max`, in ascending order and without duplicates.
pub(crate) fn random_numbers(max_count: u32, max: u64, random: &mut dyn Random) -> Vec<u64> {
    let count = random.count(0..=max_count);
    (0..count).map(|_| random.number(1..=max)).sorted().dedup().collect()
}

/// Returns `items` with other items instead of the one at `at`.
pub(crate) fn replaced<T: Clone>(items: &[T], at: usize, others: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items = items.to_vec();
    items.splice(at..=at, others);
    items
}

/// Returns numbers from 1 to `size - 1` in ascending order: all numbers up to `SMALL`, then larger numbers, each of
/// which halves the distance to `size`.
pub(crate) fn below(size: u64) -> Vec<u64> {
    const SMALL: u64 = 10;
    let mut numbers: Vec<u64> = (1..size.min(SMALL + 1)).collect();
    let mut gap = size.saturating_sub(1);
    while gap > 0 {
        numbers.extend(Some(size - gap).filter(|&number| number > SMALL));
        gap /= 2;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below() {
        assert_eq!(below(1), []);
        assert_eq!(below(2), [1]);
        assert_eq!(below(11), (1..=10).collect::<Vec<_>>());
        assert_eq!(below(40)[9..], [10, 21, 31, 36, 38, 39]);
    }
}
