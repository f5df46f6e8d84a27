//! The Grundy values of rows under a window or a code, up to a length.

use super::{Nimber, Period, SparseSpace, Window, known_period};
use crate::grundy::rows::{self, TakeSet};
use crate::integers::narrow;
use crate::rules::{Octal, OctalCode};

/// The Grundy values of heaps of 0 to n cards under a window or a code, or of every size if a period is known.
///
/// ```
/// use zeroxor::grundy::segment::{Sequence, Window};
///
/// let values = Sequence::up_to(Window::new(1, 3).unwrap(), 10_000);
/// assert_eq!(values.values.len(), 10_001);
/// // With L < R, First wins every row: some move leaves two equal segments.
/// assert!((1..=10_000).all(|n| values.nimber(n).0 > 0));
///
/// // The values of Dawson's Chess have the period 34 from 52 cards on.
/// let values = Sequence::of_code("0.137".parse()?, 10_000);
/// assert_eq!(values.values[..10], [0, 1, 1, 2, 0, 3, 1, 1, 0, 3]);
/// assert_eq!(values.period.map(|period| (period.start, period.length)), Some((52, 34)));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The computed values, from 0 cards on.
    pub values: Vec<u32>,
    /// The sparse space that the last values were computed in, if there was one.
    pub space: Option<SparseSpace>,
    /// A known period, or one that was proven early. The values after the proof are copies of earlier ones.
    pub period: Option<Period>,
}

impl Sequence {
    /// Computes the values of all segments of 0 to `n` cards, in a sparse space if that is faster. If they cover the
    /// pre-period and one [known period](known_period), the values of all longer segments follow.
    ///
    /// Time: at most (n-L)^2/4 splits; usually far less in a sparse space. Memory: at most 8 bytes for each card.
    ///
    /// # Panics
    ///
    /// If `n` is 2^31 or more, or if the memory cannot be allocated.
    pub fn up_to(window: Window, n: u64) -> Self {
        let n: usize = narrow(n);
        let found = rows::values(&TakeSet::of_window(window, n), n);
        let is_covered = |known: &Period| known.start + known.length <= found.values.len() as u64;
        Self { period: known_period(window).filter(is_covered).or(found.period), ..found }
    }

    /// Computes the values of all heaps of 0 to `n` cards under a code, in a sparse space if that is faster.
    ///
    /// Time: at most n^2/4 splits for each number that a move may take and leave two heaps, once for consecutive
    /// numbers; usually far less in a sparse space. If moves may leave three heaps or digits of the code repeat, every
    /// move of every heap is tried. Memory: at most 8 bytes for each card.
    ///
    /// # Panics
    ///
    /// If `n` is 2^31 or more, or if the memory cannot be allocated.
    pub fn of_code(code: OctalCode, n: u64) -> Self {
        Self::of_octal(&Octal::new(code), n)
    }

    pub(super) fn of_octal(rules: &Octal, n: u64) -> Self {
        match TakeSet::of_octal(rules) {
            Some(take_set) => rows::values(&take_set, narrow(n)),
            None => Self { values: rows::by_definition(rules.code, narrow(n)), space: None, period: None },
        }
    }

    /// Returns the size up to which values must be computed, so that all values up to `n` follow from the
    /// [known period](known_period) of the window.
    pub(super) fn computed(window: Window, n: u64) -> u64 {
        known_period(window).map_or(n, |period| n.min(period.start + period.length))
    }

    /// Returns the Grundy value of a segment of `n` cards, in O(1).
    ///
    /// # Panics
    ///
    /// If the value was not computed and does not follow from a period.
    #[inline]
    pub fn nimber(&self, n: u64) -> Nimber {
        let n = match self.period {
            Some(period) if n >= self.values.len() as u64 => period.earlier(n),
            _ => n,
        };
        Nimber(self.values[narrow::<usize>(n)].into())
    }
}
