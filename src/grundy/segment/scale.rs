//! The scaling law: some wide windows have the values of narrower windows on shorter rows.

use std::ops::RangeInclusive;

use super::{HeapMove, Window};
use crate::rules::factor::gcd;

/// The factor and the smaller window that a window scales down to. With L < R,
/// `g of (jL, j(R-1)+1) at n  =  g of (L, R) at floor(n/j)`.
///
/// # Proof
///
/// By induction on n. Let n = qj + s, and let a move take y cards and leave u = aj + s1 and v = bj + s2, with
/// remainders below j. Then k = q-a-b satisfies kj = y - s + s1 + s2. Because y <= j(R-1)+1,
/// kj <= j(R-1) + 1 + 2(j-1) < j(R+1); because y >= jL, kj >= jL - s > j(L-1). So L <= k <= R, and a reduced move
/// leaves (a, b). Conversely, each reduced move that leaves (a, b) comes from a move that leaves aj and bj + s cards,
/// or aj + j-1 and bj + s if k = R. So the followers of n and of q have the same values.
///
/// If k = R, that move takes j(R-1)+1 cards, which is at least jL only if R-1 >= L; so L < R is needed.
///
/// ```
/// use zeroxor::grundy::segment::{Scale, Sequence, Window};
///
/// // (2, 3) is (1, 2), Kayles, on half the cards.
/// let window = Window::new(2, 3).unwrap();
/// let scale = Scale::of(window);
/// assert_eq!((scale.factor, scale.window), (2, Window::new(1, 2).unwrap()));
/// let [wide, narrow] = [window, scale.window].map(|window| Sequence::up_to(window, 100));
/// assert!((0..=100).all(|n| wide.nimber(n) == narrow.nimber(scale.down(n))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The factor j, at least 1.
    pub factor: u64,
    /// The window that the law scales down to.
    pub window: Window,
}

impl Scale {
    /// Returns the scaling of `window` by the largest possible factor, the greatest common divisor of L and R-1.
    pub fn of(window: Window) -> Self {
        let Window { l, r } = window;
        if l == r {
            return Self { factor: 1, window };
        }
        let factor = gcd(l, r - 1);
        Self { factor, window: Window { l: l / factor, r: (r - 1) / factor + 1 } }
    }

    /// Returns the length of a row of `n` cards after scaling down.
    pub fn down(self, n: u64) -> u64 {
        n / self.factor
    }

    /// Returns all moves in a segment of `n` cards that scale down to the reduced move that leaves `a` and `b`.
    ///
    /// They leave aj + s1 and bj + s2 cards, with s1 and s2 below j and s1 + s2 in [`remainders`](Self::remainders).
    pub(super) fn lifts(self, window: Window, n: u64, a: u64, b: u64) -> impl Iterator<Item = HeapMove> {
        let j = self.factor;
        let sums = self.remainders(window, n, self.down(n) - a - b);
        let (least, most) = (*sums.start(), *sums.end());
        // With a smaller s1, s2 would be j or more.
        (least.saturating_sub(j - 1)..j.min(most.saturating_add(1))).flat_map(move |s1| {
            let s2 = least.saturating_sub(s1)..=(j - 1).min(most - s1);
            s2.map(move |s2| {
                let (left, right) = (a * j + s1, b * j + s2);
                HeapMove { offset: left, count: n - left - right }
            })
        })
    }

    /// Returns the number of moves in a segment of `n` cards that scale down to one and the same move of `take` cards.
    pub(super) fn lift_count(self, window: Window, n: u64, take: u64) -> u128 {
        let sums = self.remainders(window, n, take);
        let up_to = |sum: u64| pairs_up_to(self.factor, sum);
        up_to(*sums.end()) - sums.start().checked_sub(1).map_or(0, up_to)
    }

    /// Returns the range of s1 + s2: a move takes kj + s - s1 - s2 cards with k = `take`, a number in `window`.
    fn remainders(self, window: Window, n: u64, take: u64) -> RangeInclusive<u64> {
        let most = take * self.factor + n % self.factor;
        most.saturating_sub(window.r)..=most - window.l
    }
}

/// Returns the number of ordered pairs of numbers below `j` with a sum of at most `sum`.
fn pairs_up_to(j: u64, sum: u64) -> u128 {
    let [j, sum] = [j, sum].map(u128::from);
    if sum < j {
        (sum + 1) * (sum + 2) / 2
    } else {
        // By symmetry, the number of pairs with a larger sum is the number of pairs with a sum below 2(j-1) - sum.
        let mirrored_bound = (2 * j - 2).saturating_sub(sum);
        j * j - mirrored_bound * (mirrored_bound + 1) / 2
    }
}
