//! Periods: which windows have one, and how it is proven.

use std::ops::Range;

use super::Window;
use crate::grundy::repeats::repeats;

/// From `start` on the values repeat every `length`: `g[n + length] = g[n]` for all n >= `start`.
///
/// ```
/// use zeroxor::grundy::segment::{Period, Sequence, Window, known_period};
///
/// let kayles = Window::new(1, 2).unwrap();
/// let period = known_period(kayles).unwrap();
/// assert_eq!(period, Period { start: 71, length: 12 });
/// let values = Sequence::up_to(kayles, 1000);
/// assert_eq!(values.nimber(70 + 12), values.nimber(70 + 24));
/// assert_ne!(values.nimber(70), values.nimber(70 + 12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The pre-period: the number of values before the first that repeats.
    pub start: u64,
    /// The period.
    pub length: u64,
}

/// What the proof of a period has to know of the moves of a game.
///
/// ```
/// use zeroxor::grundy::octal::move_bounds;
/// use zeroxor::grundy::segment::{MoveBounds, Window};
///
/// assert_eq!(Window::new(1, 2).unwrap().move_bounds(), MoveBounds { longest_take: 2, most_heaps: 2 });
/// assert_eq!(move_bounds("0.008".parse()?), MoveBounds { longest_take: 3, most_heaps: 3 });
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveBounds {
    /// The most cards that a move takes.
    pub longest_take: u64,
    /// The most heaps that a move leaves of one.
    pub most_heaps: u64,
}

impl Window {
    /// What the proof of a period has to know of the moves: at most R cards are taken, and two heaps left.
    pub fn move_bounds(self) -> MoveBounds {
        MoveBounds { longest_take: self.r, most_heaps: 2 }
    }
}

impl Period {
    /// The least period and pre-period that values from 0 on prove, if they prove one: of a game with such moves.
    ///
    /// By the theorem of R. K. Guy and C. A. B. Smith (1956, "The G-values of various games"), who have it for two heaps:
    /// if g(n+p) = g(n) for all n with n0 <= n < d n0 + (d-1) p + k, where no move takes more than k or leaves more than
    /// d heaps, then for all n >= n0. For if the heaps that a move leaves of n + p have n + p - k >= d (n0 + p) cards or
    /// more, the largest has n0 + p at least; p cards fewer there leave the nimber as it is, so n + p and n have the same
    /// options.
    ///
    /// If some p is proven from n0 on, the least period of what repeats there is proven too, and comes first. Time is
    /// linear, and so is [memory](Self::bytes).
    ///
    /// ```
    /// use zeroxor::grundy::segment::{Period, Sequence, Window};
    ///
    /// // Dawson's Kayles has the period 34 from 53 on, and 176 values prove it.
    /// let window = Window::new(2, 2).unwrap();
    /// let values = Sequence::up_to(window, 175);
    /// let period = Period { start: 53, length: 34 };
    /// assert_eq!(Period::proven(window.move_bounds(), values.values()), Some(period));
    /// assert_eq!(period.values_needed(window.move_bounds()), 176);
    /// assert_eq!(Period::proven(window.move_bounds(), &values.values()[..175]), None);
    /// ```
    pub fn proven<T: Eq>(bounds: MoveBounds, values: &[T]) -> Option<Self> {
        let mut periods = (1..).zip(repeats(values, values.len())).map(|(length, repeats)| {
            let start = values.len() - length - repeats;
            Self { start: start as u64, length: length as u64 }
        });
        periods.find(|period| period.values_needed(bounds) <= values.len() as u128)
    }

    /// The least size with the same value: the size itself before the period begins to repeat.
    pub(in crate::grundy) fn earlier(self, n: u64) -> u64 {
        let Self { start, length } = self;
        if n < start { n } else { start + (n - start) % length }
    }

    /// The memory that the values up to `n` in four bytes each and a [proof](Self::proven) from them take: as
    /// many bytes again for how far each is repeated.
    ///
    /// ```
    /// use zeroxor::grundy::segment::Period;
    ///
    /// assert_eq!(Period::bytes(999_999), 8_000_000);
    /// ```
    pub fn bytes(n: u64) -> u128 {
        (u128::from(n) + 1) * 2 * size_of::<u32>() as u128
    }

    /// The n for which g(n + p) = g(n) has to be tested, so that it holds for all larger n; `None` above
    /// 2^64.
    ///
    /// ```
    /// use zeroxor::grundy::segment::{Sequence, Window, known_period};
    ///
    /// let window = Window::new(1, 6).unwrap();
    /// let period = known_period(window).unwrap();
    /// let values = Sequence::up_to(window, 200);
    /// let mut range = period.range(window.move_bounds()).unwrap();
    /// assert!(range.all(|n| values.nimber(n) == values.nimber(n + period.length)));
    /// ```
    pub fn range(self, bounds: MoveBounds) -> Option<Range<u64>> {
        let end = u64::try_from(self.values_needed(bounds)).ok()? - self.length;
        Some(self.start..end)
    }

    /// How many values from 0 on prove it.
    ///
    /// ```
    /// use zeroxor::grundy::segment::{MoveBounds, Period};
    ///
    /// // Twice the pre-period, twice the period, and the 5 that a move takes at most.
    /// let period = Period { start: 10, length: 3 };
    /// assert_eq!(period.values_needed(MoveBounds { longest_take: 5, most_heaps: 2 }), 31);
    /// ```
    pub fn values_needed(self, bounds: MoveBounds) -> u128 {
        let [start, length] = [self.start, self.length].map(u128::from);
        let [longest_take, most_heaps] = [bounds.longest_take, bounds.most_heaps].map(u128::from);
        start.saturating_add(length).saturating_mul(most_heaps).saturating_add(longest_take)
    }
}

/// The period of a window, where it is known.
///
/// Each row is [`proven`](Period::proven) by the values it needs; the tests compute them for every row but
/// (1, 5), whose certificate is `docs/period-1-5.json`. (1, 2) is Kayles and (2, 2) Dawson's Kayles, both
/// solved by Guy and Smith.
///
/// ```
/// use zeroxor::grundy::segment::{Window, known_period};
///
/// assert_eq!(known_period(Window::new(1, 5).unwrap()).map(|period| period.length), Some(650));
/// // Nobody knows one.
/// assert_eq!(known_period(Window::new(1, 3).unwrap()), None);
/// ```
pub fn known_period(window: Window) -> Option<Period> {
    let (start, length) = match (window.l, window.r) {
        (1, 1) => (0, 2),
        (1, 2) => (71, 12),
        (2, 2) => (53, 34),
        (1, 4) => (142, 24),
        (1, 5) => (8_941_813, 650),
        (1, 6) => (16, 28),
        (1, 8) => (284, 48),
        (1, 12) => (32, 56),
        (1, 16) => (568, 96),
        (1, 24) => (64, 112),
        (1, 32) => (1136, 192),
        _ => return None,
    };
    Some(Period { start, length })
}
