//! The numbers that are missing.

use std::fmt::{self, Display, Formatter};

/// How many ranges are named.
const SHOWN: usize = 12;

/// The numbers from 0 on that were not seen, of those that come in ascending order. Only the first ranges of them are
/// kept, so there may be any number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gaps {
    /// The first of them: from a number to another, both missing.
    ranges: Vec<(u64, u64)>,
    /// How many ranges and how many numbers there are.
    range_count: u64,
    count: u64,
    /// The number that is expected next.
    next: u64,
}

impl Gaps {
    /// Sees a number, larger than all before.
    pub(super) fn see(&mut self, number: u64) {
        self.end(number);
        self.next = number.saturating_add(1);
    }

    /// Notes that all numbers below `end` should have been seen.
    pub(super) fn end(&mut self, end: u64) {
        if self.next >= end {
            return;
        }
        self.count += end - self.next;
        self.range_count += 1;
        if self.ranges.len() < SHOWN {
            self.ranges.push((self.next, end - 1));
        }
        self.next = end;
    }

    /// How many numbers are missing.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}

/// The ranges: `3, 7-9 and 20 more ranges`.
impl Display for Gaps {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, (from, to)) in self.ranges.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            if from == to { write!(f, "{comma}{from}")? } else { write!(f, "{comma}{from}-{to}")? }
        }
        match self.range_count - self.ranges.len() as u64 {
            0 => Ok(()),
            more => write!(f, " and {more} more ranges"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(numbers: impl IntoIterator<Item = u64>, end: u64) -> (u64, String) {
        let mut gaps = Gaps::default();
        numbers.into_iter().for_each(|number| gaps.see(number));
        gaps.end(end);
        (gaps.count(), gaps.to_string())
    }

    #[test]
    fn gaps_at_the_start_in_the_middle_and_at_the_end() {
        assert_eq!(gaps([], 0), (0, String::new()));
        assert_eq!(gaps([], 5), (5, "0-4".to_owned()));
        assert_eq!(gaps(0..5, 5), (0, String::new()));
        assert_eq!(gaps([1, 2, 4, 9], 12), (8, "0, 3, 5-8, 10-11".to_owned()));
        assert_eq!(gaps([u64::MAX], 0).0, u64::MAX);
        let (count, text) = gaps((0..100).map(|number| 2 * number + 1), 200);
        assert!(count == 100 && text.ends_with("20, 22 and 88 more ranges"), "{text}");
    }
}
