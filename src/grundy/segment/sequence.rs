//! The Grundy values of rows under a window or a code, up to a length.

use super::{GrundyTable, MoveBounds, Nimber, Period, SparseSpace, Window, known_period};
use crate::grundy::Cost;
use crate::grundy::octal::code_table;
use crate::grundy::rows::{self, Found, TakeSet};
use crate::integers::narrow;
use crate::rules::OctalCode;

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
    values: Vec<u32>,
    space: Option<SparseSpace>,
    period: Option<Period>,
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
        Self::new(Game::Window(window), rows::values(&TakeSet::of_window(window, n), n))
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
        Self::new(Game::Code(code), found)
    }

    fn new(game: Game, found: Found) -> Self {
        let Found { values, space, period } = found;
        Self { game, values, space, period }
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

    /// The bounds of the moves, for the proof of a period.
    fn move_bounds(&self) -> MoveBounds {
        match self.game {
            Game::Window(window) => window.move_bounds(),
            Game::Code(code) => crate::grundy::octal::move_bounds(code),
        }
    }

    /// Returns the least period that the values prove, with its pre-period, see [`Period::proven`].
    pub fn proven_period(&self) -> Option<Period> {
        Period::proven(self.move_bounds(), &self.values)
    }

    /// Returns a table of these values. It cannot compare delaying moves of a window.
    #[must_use]
    pub fn into_table(self) -> Box<dyn GrundyTable> {
        match self.game {
            Game::Window(window) => Box::new(super::SegmentTable::of_sequence(window, self)),
            Game::Code(code) => code_table(code, self.values, self.period),
        }
    }

    /// Returns these values, extended to all sizes if they cover the pre-period and one [known period](known_period).
    #[must_use]
    pub fn repeating(self) -> Self {
        let is_covered = |period: &Period| period.start + period.length <= self.values.len() as u64;
        let known = match self.game {
            Game::Window(window) => known_period(window),
            Game::Code(_) => None,
        };
        let period = known.filter(is_covered).or(self.period);
        Self { period, ..self }
    }

    /// Returns the size up to which values must be computed, so that [`repeating`](Self::repeating) gives all values up
    /// to `n`.
    pub fn computed(window: Window, n: u64) -> u64 {
        known_period(window).map_or(n, |period| n.min(period.start + period.length))
    }

    /// Returns the computed values, from 0 cards on.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Returns the sparse space that the values were computed in, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        self.space
    }

    /// Returns the Grundy value of a segment of `n` cards, in O(1).
    ///
    /// # Panics
    ///
    /// If the value was not computed and does not follow from a period.
    pub fn nimber(&self, n: u64) -> Nimber {
        let n = self.period.map_or(n, |period| period.earlier(n));
        Nimber(self.values[narrow::<usize>(n)].into())
    }

    /// Fills `nimbers` with the Grundy values of the segments of `from`, `from + 1`, ... cards.
    ///
    /// # Panics
    ///
    /// As [`nimber`](Self::nimber).
    pub(super) fn fill(&self, from: u64, nimbers: &mut [Nimber]) {
        let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let (start, length) = self.period.map_or((u64::MAX, 0), |Period { start, length }| (start, length));
        let first = if from < start { from } else { start + (from - start) % length };
        let (start, end, mut at) = (index(start), index(start.saturating_add(length)), index(first));
        for nimber in nimbers {
            if at == end {
                at = start;
            }
            *nimber = Nimber(self.values[at].into());
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
        let shortest = self.period.map_or(u64::MAX, |period| period.start + period.length);
        sums.rev().find_map(|sum| {
            let mut splits = (0..=shortest.min(sum / 2)).map(|u| (u, sum - u));
            splits.find(|&(u, v)| self.nimber(u) ^ self.nimber(v) == target)
        })
    }

    /// Returns the period of these values, if one is known or was proven.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// Returns whether [`splits`](Self::splits) takes only a fraction of a second for `sums` sums of at most `n`.
    pub(super) fn can_count(&self, sums: u64, n: u64) -> bool {
        const MAX_STEPS: u64 = 20_000_000;
        u128::from(sums) * self.count_steps(n) <= MAX_STEPS.into()
    }

    /// Returns the approximate maximum number of splits that [`splits`](Self::splits) tests for a sum of at most `n`.
    pub(super) fn count_steps(&self, n: u64) -> u128 {
        self.period.map_or(n, |period| n.min(2 * period.start + 2 * period.length)).into()
    }

    /// Returns the number of ordered pairs (u, v) with u + v = `sum` and `g[u] xor g[v]` = `target`.
    ///
    /// If the values have a period and neither u nor v is in the pre-period, each u of the first period stands for
    /// u, u + period, u + 2 period and so on, as long as v is not in the pre-period.
    pub(super) fn splits(&self, sum: u64, target: Nimber) -> u128 {
        let is_split = |u: &u64| self.nimber(*u) ^ self.nimber(sum - u) == target;
        match self.period {
            Some(Period { start, length }) if sum >= 2 * start + length => {
                let ends = (0..start).filter(is_split).count() as u128 * 2;
                let last = sum - start;
                let middle = (start..start + length).filter(is_split);
                ends + middle.map(|u| u128::from((last - u) / length + 1)).sum::<u128>()
            }
            _ => (0..=sum).filter(is_split).count() as u128,
        }
    }
}
