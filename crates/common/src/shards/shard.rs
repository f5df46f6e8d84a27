//! A shard: a slice of a run.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use crate::units::number;

/// The largest number of shards of a run.
pub(crate) const MAX_SHARDS: u64 = 1_000_000;

/// One slice of a run whose units are numbered from 0. A unit is what is never divided: a game, a pair of games, a table.
///
/// The shards of a run have all units, and each unit is in one shard. Each `count` consecutive units are in as many
/// different shards; from one group of them to the next the shards rotate by one. Without that, a run in which each third
/// unit takes long would give all of these to one of three shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from 1.
    index: u64,
    /// How many shards the run has.
    count: u64,
}

impl Shard {
    /// The run in one piece.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Shard `index` of `count`.
    ///
    /// # Errors
    ///
    /// If there is no such shard.
    pub fn new(index: u64, count: u64) -> Result<Self, String> {
        if !(1..=MAX_SHARDS).contains(&count) {
            return Err(format!("expected 1 to {MAX_SHARDS} shards, got {count}"));
        }
        if !(1..=count).contains(&index) {
            return Err(format!("shards are numbered from 1 to {count}, got {index}"));
        }
        Ok(Self { index, count })
    }

    /// Whether a unit is in this shard.
    pub fn has(self, unit: u64) -> bool {
        let (group, place) = (unit / self.count, unit % self.count);
        (place + group % self.count) % self.count == self.index - 1
    }

    /// How many of the first `total` units are in this shard. O(1).
    pub fn units_of(self, total: u64) -> u64 {
        let groups = total / self.count;
        // Of the last group, which is not complete, the shards that follow the one with its first unit have one each.
        let place = (self.index - 1 + self.count - groups % self.count) % self.count;
        groups + u64::from(place < total % self.count)
    }
}

/// As it is typed: `3/7`.
impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((number(index)?, number(count)?)));
        let (index, count) = numbers.ok_or_else(|| "expected I/N, such as 3/7, or auto".to_owned())?;
        Self::new(index, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(count: u64) -> impl Iterator<Item = Shard> {
        (1..=count).map(move |index| Shard::new(index, count).unwrap())
    }

    /// Each unit is in one shard, and no shard has two units more than another.
    #[test]
    fn shards_have_all_units_once() {
        for count in [1, 2, 3, 7, 64, 1000] {
            for total in [0, 1, 2, 63, 64, 65, 1000, 4099] {
                let units = |shard: Shard| (0..total).filter(|&unit| shard.has(unit)).count() as u64;
                let sizes: Vec<_> = all(count).map(units).collect();
                assert_eq!(sizes.iter().sum::<u64>(), total, "{total} in {count}");
                assert_eq!(sizes, all(count).map(|shard| shard.units_of(total)).collect::<Vec<_>>());
                assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            }
            for unit in (0..2000).chain([u64::MAX - 1, u64::MAX]) {
                assert_eq!(all(count).filter(|shard| shard.has(unit)).count(), 1, "{unit} in {count}");
            }
        }
        assert!((0..100).all(|unit| Shard::WHOLE.has(unit)));
        assert_eq!(Shard::WHOLE.units_of(u64::MAX), u64::MAX);
    }

    /// What comes at equal distances is spread over all shards.
    #[test]
    fn shards_have_equal_shares_of_what_comes_at_equal_distances() {
        for (count, distance) in [(2, 2), (3, 3), (7, 7), (6, 3), (64, 2)] {
            let units = count * count * distance;
            let slow =
                |shard: Shard| (0..units).filter(|&unit| unit % distance == 0 && shard.has(unit)).count();
            assert!(all(count).map(slow).all(|units| units as u64 == count), "{count} {distance}");
        }
    }

    #[test]
    fn shards_as_text() {
        let shard: Shard = "3/7".parse().unwrap();
        assert_eq!((shard, shard.to_string()), (Shard { index: 3, count: 7 }, "3/7".to_owned()));
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        for (text, expected) in [
            ("", "expected I/N"),
            ("3", "expected I/N"),
            ("3/", "expected I/N"),
            ("3/7/8", "expected I/N"),
            ("-1/7", "expected I/N"),
            ("0/7", "numbered from 1 to 7, got 0"),
            ("8/7", "numbered from 1 to 7, got 8"),
            ("1/0", "expected 1 to 1000000 shards, got 0"),
            ("1/1000001", "expected 1 to 1000000 shards"),
            ("1/99999999999999999999", "expected I/N"),
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
