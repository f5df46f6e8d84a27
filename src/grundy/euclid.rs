//! The Number Game: for A >= B the nimber of a pair is floor(A/B - B/A) (G. Nivasch 2006, "The Sprague-Grundy function
//! of the game Euclid"), so the player to move wins exactly when A > phi B, where phi is the golden ratio.

use super::tabulated::fewest_replies;
use super::{DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::rules::{Euclid, Heap, HeapMove, Rules, ordered};

impl Engine for Euclid {
    fn comparison_cost(&self, heap: Heap) -> Option<u128> {
        Some(compared(Self::max_times(heap)).count() as u128)
    }

    fn table(&self, _largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        Ok(Box::new(Self))
    }
}

impl GrundyTable for Euclid {
    /// Returns floor(A/B - B/A) for A >= B. With A = qB + r this is q, or q - 1 if r/B < B/A, that is, if rA < B^2.
    fn nimber(&self, heap: Heap) -> Nimber {
        let (large, small, _) = ordered(heap);
        let [left, square] =
            [(large % small, large), (small, small)].map(|(a, b)| u128::from(a) * u128::from(b));
        Nimber(large / small - u64::from(left < square))
    }

    /// With A = qB + r, a move leaves jB + r instead of A, for some j < q. For j >= 1 the nimber of the new pair is
    /// floor(j + r/B - B/(jB+r)), which is j or j-1. So only j = target, j = target + 1 and j = 0 need to be tested.
    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let (large, small, _) = ordered(heap);
        let (most, quotient) = (Self::max_times(heap), large / small);
        let left = [Some(0), Some(target.0).filter(|&left| left > 0), target.0.checked_add(1)];
        // A `None` for each pair that is tested, because the caller measures the time of a search by its items.
        Box::new(left.into_iter().flatten().map(move |left| {
            let times = quotient.checked_sub(left).filter(|times| (1..=most).contains(times))?;
            let pair = Self::with_larger(heap, large - times * small);
            (self.nimber(pair) == target).then(|| Self::subtract(heap, times))
        }))
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let (large, ..) = ordered(heap);
        let moves = compared(Self::max_times(heap)).map(|times| {
            let mv = Self::subtract(heap, times);
            (mv, [Self::with_larger(heap, large - mv.count)])
        });
        fewest_replies(self, heap, moves, |pair| self.max_plies(pair), elsewhere)
    }
}

/// Number of the smallest and of the largest numbers that [`compared`] returns.
pub(super) const TAKES_AT_EACH_END: u64 = 4096;

/// Returns the numbers from 1 to `most`; if there are many, only the smallest and the largest. In a lost position, the
/// moves with these numbers are compared.
pub(super) fn compared(most: u64) -> impl Iterator<Item = u64> {
    (1..=most.min(TAKES_AT_EACH_END))
        .chain(most.saturating_sub(TAKES_AT_EACH_END).max(TAKES_AT_EACH_END) + 1..=most)
}

/// Returns the number of pairs (A, B) with A in [a1, a2] and B in [b1, b2] that the player to move wins; 0 if a range
/// is empty. The bounds must be from 1 to 10^18.
///
/// A pair is won if A > phi B or B > phi A (Google Code Jam 2010, Round 1A, problem C). The rectangle is counted by
/// inclusion and exclusion over its corners, with `above` for each of the two cases.
///
/// ```
/// use zeroxor::grundy::winning_pairs;
///
/// // Of the nine pairs up to 3, all are won except (1, 1), (2, 2), (2, 3), (3, 2) and (3, 3).
/// assert_eq!(winning_pairs((1, 3), (1, 3)), 4);
/// assert_eq!(winning_pairs((5, 5), (9, 9)), 1);
/// assert_eq!(winning_pairs((2, 1), (1, 9)), 0);
/// ```
pub fn winning_pairs((a1, a2): (u64, u64), (b1, b2): (u64, u64)) -> u128 {
    if a1 > a2 || b1 > b2 {
        return 0;
    }
    let corner = |a: u64, b: u64| above(a, b) + above(b, a);
    let (a0, b0) = (a1.saturating_sub(1), b1.saturating_sub(1));
    corner(a2, b2) + corner(a0, b0) - corner(a0, b2) - corner(a2, b0)
}

/// Returns the number of (x, y) in [1, a] x [1, b] with x > phi y.
///
/// y phi is no integer, so for each y the smallest x is floor(y phi) + 1. This gives a - floor(y phi) pairs if y phi <
/// a, that is, if y <= floor(a / phi) = floor(a phi) - a.
fn above(a: u64, b: u64) -> u128 {
    let [a, b] = [a, b].map(u128::from);
    let last = b.min(times_phi(a) - a);
    last * a - sum_of_multiples(last)
}

/// Returns floor(n phi), which is floor((n + floor(n sqrt(5))) / 2), for n <= 10^18.
fn times_phi(n: u128) -> u128 {
    n.midpoint((5 * n * n).isqrt())
}

/// Returns the sum of floor(k phi) for k from 1 to n.
///
/// Each positive integer is either some floor(k phi), or some floor(k phi^2) = floor(k phi) + k (S. Beatty 1926,
/// "Problem 3173"). So the integers up to m = floor(n phi) are these n numbers, and the m - n numbers floor(k phi) + k
/// for k up to m - n. Time: O(log n) sums and products.
fn sum_of_multiples(n: u128) -> u128 {
    let up_to = |n: u128| n * (n + 1) / 2;
    let m = times_phi(n);
    if n == 0 { 0 } else { up_to(m) - up_to(m - n) - sum_of_multiples(m - n) }
}
