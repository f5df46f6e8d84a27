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
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// The factor j, at least 1.
    pub(super) factor: u64,
    pub(super) window: Window,
}

impl Scale {
    /// Returns the scaling of `window` by the largest possible factor, the greatest common divisor of L and R-1.
    pub(super) fn of(window: Window) -> Self {
        let Window { l, r } = window;
        if l == r {
            return Self { factor: 1, window };
        }
        let factor = gcd(l, r - 1);
        Self { factor, window: Window { l: l / factor, r: (r - 1) / factor + 1 } }
    }

    pub(super) fn down(self, n: u64) -> u64 {
        n / self.factor
    }

    /// Returns all moves in a segment of `n` cards that scale down to the reduced move that leaves `a` and `b`.
    ///
    /// They leave aj + s1 and bj + s2 cards, with s1 and s2 below j and s1 + s2 in [`remainders`](Self::remainders).
    pub(super) fn lifts(self, window: Window, n: u64, a: u64, b: u64) -> impl Iterator<Item = HeapMove> {
        let j = self.factor;
        let (least, most) = self.remainders(window, n, self.down(n) - a - b).into_inner();
        // With a smaller s1, s2 would be j or more.
        (least.saturating_sub(j - 1)..j.min(most.saturating_add(1))).flat_map(move |s1| {
            let s2 = least.saturating_sub(s1)..=(j - 1).min(most - s1);
            let left = a * j + s1;
            s2.map(move |s2| HeapMove { offset: left, count: n - left - b * j - s2 })
        })
    }

    /// Returns the number of moves in a segment of `n` cards that scale down to one and the same move of `take` cards.
    pub(super) fn lift_count(self, window: Window, n: u64, take: u64) -> u128 {
        let (least, most) = self.remainders(window, n, take).into_inner();
        let up_to = |sum: u64| pairs_up_to(self.factor, sum);
        up_to(most) - least.checked_sub(1).map_or(0, up_to)
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
    let pairs = |sum: u128| (sum + 1) * (sum + 2) / 2;
    // By symmetry, as many pairs have a larger sum as have a sum of at most 2(j-1) - (sum + 1).
    if sum < j { pairs(sum) } else { j * j - (2 * j - 2).checked_sub(sum + 1).map_or(0, pairs) }
}
