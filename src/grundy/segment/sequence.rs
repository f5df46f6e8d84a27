//! The Grundy values of rows under a window or a code, up to a length.

use super::{GrundyTable, MoveBounds, Nimber, Period, SparseSpace, Window, known_period};
use crate::grundy::Cost;
use crate::grundy::octal::{SplitTable, move_bounds};
use crate::grundy::rows::{self, Found, TakeSet};
use crate::integers::narrow;
use crate::rules::{Octal, OctalCode};

/// The Grundy values of heaps of 0 to n cards under a window or a code, or of every size if a period is known.
///
/// ```
/// use zeroxor::grundy::segment::{Sequence, Window};
///
/// let values = Sequence::up_to(Window::new(1, 3).unwrap(), 10_000);
/// assert_eq!(values.values().len(), 10_001);
/// // With L < R, First wins every row: some move leaves two equal segments.
/// assert!((1..=10_000).all(|n| values.nimber(n).0 > 0));
///
/// // The values of Dawson's Chess have the period 34 from 52 cards on.
/// let values = Sequence::of_code("0.137".parse()?, 10_000);
/// assert_eq!(values.values()[..10], [0, 1, 1, 2, 0, 3, 1, 1, 0, 3]);
/// assert_eq!(values.period().map(|period| (period.start, period.length)), Some((52, 34)));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sequence {
    game: Game,
    found: Found,
}

#[derive(Clone, Copy, Debug)]
enum Game {
    Window(Window),
    Code(OctalCode),
}

impl Sequence {
    /// Computes the values of all segments of 0 to `n` cards, in a sparse space if that is faster.
    ///
    /// Time: at most (n-L)^2/4 splits; usually far less in a sparse space. Memory: [`bytes`](Self::bytes).
    ///
    /// # Panics
    ///
    /// If `n` is 2^31 or more, or if the memory cannot be allocated.
    pub fn up_to(window: Window, n: u64) -> Self {
        let n: usize = narrow(n);
        Self { game: Game::Window(window), found: rows::values(&TakeSet::of_window(window, n), n) }
    }

    /// Computes the values of all heaps of 0 to `n` cards under a code, in a sparse space if that is faster.
    ///
    /// Time: at most n^2/4 splits for each number that a move may take and leave two heaps, once for consecutive
    /// numbers; usually far less in a sparse space. If moves may leave three heaps or digits of the code repeat, every
    /// move of every heap is tried. Memory: [`bytes`](Self::bytes).
    ///
    /// # Panics
    ///
    /// If `n` is 2^31 or more, or if the memory cannot be allocated.
    pub fn of_code(code: OctalCode, n: u64) -> Self {
        let found = match TakeSet::of_code(code) {
            Some(take_set) => rows::values(&take_set, narrow(n)),
            None => Found { values: rows::by_definition(code, narrow(n)), space: None, period: None },
        };
        Self { game: Game::Code(code), found }
    }

    /// Returns the memory in bytes that computing the values up to `n` needs.
    pub fn bytes(n: u64) -> u128 {
        // A value, and two codes in a sparse space. The stamps of XORs are at most as many as values.
        (u128::from(n) + 1) * 2 * size_of::<u32>() as u128
    }

    /// The cost of the values of a window up to `n`, with its known period.
    pub(super) fn cost(window: Window, n: u64) -> Cost {
        /// Steps of a value of a window with a known period: all of these windows have few rare values.
        const STEPS_BY_PERIOD: u128 = 300;
        let computed = Self::computed(window, n);
        let pairs = u128::from(computed.saturating_sub(window.l)).pow(2) / 4;
        let steps = if known_period(window).is_some() {
            pairs.min((u128::from(computed) + 1) * STEPS_BY_PERIOD)
        } else {
            pairs
        };
        Cost { steps, bytes: Self::bytes(computed) }
    }

    fn move_bounds(&self) -> MoveBounds {
        match self.game {
            Game::Window(window) => window.move_bounds(),
            Game::Code(code) => move_bounds(code),
        }
    }

    /// Returns the least period that the values prove, with its pre-period, see [`Period::proven`].
    pub fn proven_period(&self) -> Option<Period> {
        Period::proven(self.move_bounds(), &self.found.values)
    }

    /// Returns a table of these values. It cannot compare delaying moves of a window.
    #[must_use]
    pub fn into_table(self) -> Box<dyn GrundyTable> {
        match self.game {
            Game::Window(window) => Box::new(super::SegmentTable::of_sequence(window, self)),
            Game::Code(code) => {
                Box::new(SplitTable::new(Octal::new(code), self.found.values, self.found.period))
            }
        }
    }

    /// Returns these values, extended to all sizes if they cover the pre-period and one [known period](known_period).
    #[must_use]
    pub fn repeating(self) -> Self {
        let is_covered = |period: &Period| period.start + period.length <= self.found.values.len() as u64;
        let known = match self.game {
            Game::Window(window) => known_period(window),
            Game::Code(_) => None,
        };
        let period = known.filter(is_covered).or(self.found.period);
        Self { found: Found { period, ..self.found }, ..self }
    }

    /// Returns the size up to which values must be computed, so that [`repeating`](Self::repeating) gives all values up
    /// to `n`.
    pub fn computed(window: Window, n: u64) -> u64 {
        known_period(window).map_or(n, |period| n.min(period.start + period.length))
    }

    /// Returns the computed values, from 0 cards on.
    pub fn values(&self) -> &[u32] {
        &self.found.values
    }

    /// Returns the sparse space that the values were computed in, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        self.found.space
    }

    /// Returns the Grundy value of a segment of `n` cards, in O(1).
    ///
    /// # Panics
    ///
    /// If the value was not computed and does not follow from a period.
    pub fn nimber(&self, n: u64) -> Nimber {
        let n = self.found.period.map_or(n, |period| period.earlier(n));
        Nimber(self.found.values[narrow::<usize>(n)].into())
    }

    /// Fills `nimbers` with the Grundy values of the segments of `from`, `from + 1`, ... cards.
    pub(super) fn fill(&self, from: u64, nimbers: &mut [Nimber]) {
        let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let (start, length) =
            self.found.period.map_or((u64::MAX, 0), |Period { start, length }| (start, length));
        let first = if from < start { from } else { start + (from - start) % length };
        let (start, end, mut at) = (index(start), index(start.saturating_add(length)), index(first));
        for nimber in nimbers {
            if at == end {
                at = start;
            }
            *nimber = Nimber(self.found.values[at].into());
            at += 1;
        }
    }

    /// Returns the segments (u, v), u <= v, that some move from a segment of `n` cards to the nimber `target` leaves;
    /// `None` if there is no such move.
    ///
    /// Tests at most about (R-L+1) n/2 splits, the largest sums first. If the values have a period, u is at most the
    /// end of the first period: for a larger u, u - period and v + period have the same values.
    pub(super) fn split(&self, window: Window, n: u64, target: Nimber) -> Option<(u64, u64)> {
        let sums = n.saturating_sub(window.r)..=n.checked_sub(window.l)?;
        let shortest = self.found.period.map_or(u64::MAX, |period| period.start + period.length);
        sums.rev().find_map(|sum| {
            let mut splits = (0..=shortest.min(sum / 2)).map(|u| (u, sum - u));
            splits.find(|&(u, v)| self.nimber(u) ^ self.nimber(v) == target)
        })
    }

    /// Returns the period of these values, if one is known or was proven.
    pub fn period(&self) -> Option<Period> {
        self.found.period
    }
}
