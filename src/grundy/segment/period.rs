//! Periods of Grundy values: proofs, and the known periods of windows.

use super::Window;
use crate::integers::narrow;
use crate::rules::OctalCode;

/// A period: `g[n + length] = g[n]` for all n >= `start`.
///
/// ```
/// use zeroxor::grundy::segment::{Period, Sequence, Window, known_period};
///
/// let kayles = Window::new(1, 2).unwrap();
/// let period = Period { start: 71, length: 12 };
/// assert_eq!(known_period(kayles), Some(period));
/// let values = Sequence::up_to(kayles, 1000);
/// assert_eq!(Period::proven(kayles.move_bounds(), &values.values), Some(period));
/// assert_eq!(period.values_needed(kayles.move_bounds()), 168);
/// assert_ne!(values.nimber(70), values.nimber(70 + 12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The pre-period: the number of values before the first that repeats.
    pub start: u64,
    /// The period.
    pub length: u64,
}

/// The bounds of a game's moves, on which the proof of a period depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveBounds {
    /// Maximum number of cards that a move takes.
    pub longest_take: u64,
    /// Maximum number of heaps that a move makes of one heap.
    pub most_heaps: u64,
}

impl Window {
    /// Returns the bounds of the moves: at most R cards are taken, and two heaps are left.
    pub fn move_bounds(self) -> MoveBounds {
        MoveBounds { longest_take: self.r, most_heaps: 2 }
    }
}

impl OctalCode {
    /// Returns the bounds of the moves. The proof of a period needs them.
    pub fn move_bounds(self) -> MoveBounds {
        // Without a bound on the cards taken, no number of values proves a period.
        let longest_take = self.longest_take().unwrap_or(u64::MAX);
        MoveBounds { longest_take, most_heaps: if self.is_playable() { 2 } else { 3 } }
    }
}

impl Period {
    /// Returns the least period and pre-period that `values`, from 0 cards on, prove; `None` if they prove none.
    /// `bounds` are the bounds of the game's moves. Time and memory are linear.
    ///
    /// The theorem is that of R. K. Guy and C. A. B. Smith (1956, "The G-values of various games"), who state it for
    /// two heaps: if no move takes more than k cards or leaves more than d heaps, and g(n+p) = g(n) for all n with
    /// n0 <= n < d n0 + (d-1) p + k, then g(n+p) = g(n) for all n >= n0. Proof: for a larger n, a move from n + p
    /// leaves at least n + p - k >= d (n0 + p) cards, so the largest heap has at least n0 + p. With p cards fewer, that
    /// heap has the same nimber, so n and n + p have the same options.
    ///
    /// If a multiple of the least period is proven, the least period is proven too, and is found first.
    pub fn proven<T: Eq>(bounds: MoveBounds, values: &[T]) -> Option<Self> {
        // For each heap that a move leaves, there must be as many values as in the pre-period and the period.
        let most = values.len() / narrow::<usize>(bounds.most_heaps.max(1));
        let repeated = (1..=most).zip(repeats(values)).filter(|(_, repeats)| values.len() - repeats <= most);
        let mut periods = repeated.map(|(length, repeats)| {
            let start = values.len() - length - repeats;
            Self { start: start as u64, length: length as u64 }
        });
        periods.find(|period| period.values_needed(bounds) <= values.len() as u128)
    }

    /// Returns the least size that has the value of `n` because of the period.
    pub(crate) fn earlier(self, n: u64) -> u64 {
        let Self { start, length } = self;
        if n < start { n } else { start + (n - start) % length }
    }

    /// Describes the period, with the range of n for which `equation`, such as `g(n+12) = g(n)`, was tested.
    pub fn proof(self, bounds: MoveBounds, equation: &str) -> String {
        let Self { start, length } = self;
        let last = self.values_needed(bounds) - u128::from(length) - 1;
        format!("{length} from n = {start} on, proven: {equation} for n = {start} to {last}")
    }

    /// Returns the number of values, from 0 cards on, that prove the period.
    pub fn values_needed(self, bounds: MoveBounds) -> u128 {
        let [start, length] = [self.start, self.length].map(u128::from);
        let [longest_take, most_heaps] = [bounds.longest_take, bounds.most_heaps].map(u128::from);
        start.saturating_add(length).saturating_mul(most_heaps).saturating_add(longest_take)
    }
}

/// Returns the period of a window, if it is known.
///
/// The tests [prove](Period::proven) each period except that of (1, 5), which `docs/results/` lists.
/// (1, 2) is Kayles and (2, 2) Dawson's Kayles, both solved by Guy and Smith. No period of (1, 3) is known.
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

/// Returns, for p = 1, 2, ..., the length of the longest suffix of `values` in which each value equals the value p
/// places before it.
///
/// This is the Z-function of the reversed sequence (D. Gusfield 1997, "Algorithms on Strings, Trees, and Sequences").
/// Time: linear. Memory: four bytes for each value.
fn repeats<T: Eq>(values: &[T]) -> impl Iterator<Item = usize> {
    // `known[p - 1]` is the length for p. Only entries whose index is below the greatest length so far are used.
    let mut known = vec![0_u32; values.len()];
    // For the p whose sum with its length is the greatest so far: p, and this sum.
    let (mut left, mut right) = (0, 0_usize);
    (1..values.len()).map(move |p| {
        let inside = right.saturating_sub(p);
        let mut repeats = known[p - left - 1] as usize;
        if repeats >= inside {
            // The suffix may be longer than the known part.
            let (earlier, later) = (&values[..values.len() - p - inside], &values[p..values.len() - inside]);
            let more = later.iter().rev().zip(earlier.iter().rev()).take_while(|(a, b)| a == b);
            repeats = inside + more.count();
        }
        if p + repeats > right {
            (left, right) = (p, p + repeats);
        }
        known[p - 1] = narrow(repeats);
        repeats
    })
}
