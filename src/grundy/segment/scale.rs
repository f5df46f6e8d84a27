//! The scaling law: wide windows are narrow windows on shorter rows.

use std::ops::RangeInclusive;

use super::{HeapMove, Window};
use crate::rules::factor::gcd;

/// A window and the window it scales down to: with L < R,
/// `g of (jL, j(R-1)+1) at n  =  g of (L, R) at floor(n/j)`.
///
/// # Why
///
/// By induction on n. Write n = qj + s, and let a move take y and leave u = aj + s1 and v = bj + s2, the
/// remainders below j. Then k = q-a-b has kj = y - s + s1 + s2. From y <= j(R-1)+1 follows
/// kj <= j(R-1) + 1 + 2(j-1) < j(R+1), and from y >= jL follows kj >= jL - s > j(L-1): so L <= k <= R, and
/// (a, b) is what a reduced move leaves. Conversely each reduced move is the image of a move: of the one
/// that leaves aj and bj + s cards, and j-1 more beside aj if k = R. So the followers have the same values.
///
/// L < R is needed there: the lifted take of k = R is j(R-1)+1, and that is at least jL only because R-1 >=
/// L. With L = R and j > 1, (jL, j(R-1)+1) is no window at all.
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
    /// The window that the law leads down to.
    pub window: Window,
}

impl Scale {
    /// The scaling of a window by the largest factor the law allows, the greatest common divisor of L and
    /// R-1.
    pub fn of(window: Window) -> Self {
        let Window { l, r } = window;
        if l == r {
            return Self { factor: 1, window };
        }
        let factor = gcd(l, r - 1);
        Self { factor, window: Window { l: l / factor, r: (r - 1) / factor + 1 } }
    }

    /// The length in the reduced row.
    pub fn down(self, n: u64) -> u64 {
        n / self.factor
    }

    /// A move in a segment of `n` cards that is, scaled down, the reduced move that leaves `a` and `b`.
    ///
    /// A reduced take of the full R needs a take of at most j(R-1)+1, so j-1 more cards are left beside `a`.
    pub(super) fn lift(self, n: u64, a: u64, b: u64) -> HeapMove {
        let j = self.factor;
        let full = self.down(n) - a - b == self.window.r;
        let left = a * j + if full { j - 1 } else { 0 };
        let right = b * j + n % j;
        HeapMove { offset: left, count: n - left - right }
    }

    /// All moves in a segment of `n` cards that scale down to the reduced move that leaves `a` and `b`.
    ///
    /// They leave aj + s1 and bj + s2 with remainders below j whose sum lies in
    /// [`remainders`](Self::remainders).
    pub(super) fn lifts(self, window: Window, n: u64, a: u64, b: u64) -> impl Iterator<Item = HeapMove> {
        let j = self.factor;
        let sums = self.remainders(window, n, self.down(n) - a - b);
        let (least, most) = (*sums.start(), *sums.end());
        // For a smaller s1, s2 would have to be j or more.
        (least.saturating_sub(j - 1)..j.min(most.saturating_add(1))).flat_map(move |s1| {
            let s2 = least.saturating_sub(s1)..=(j - 1).min(most - s1);
            s2.map(move |s2| {
                let (left, right) = (a * j + s1, b * j + s2);
                HeapMove { offset: left, count: n - left - right }
            })
        })
    }

    /// How many moves in a segment of `n` cards scale down to one reduced move that takes `take`.
    pub(super) fn lift_count(self, window: Window, n: u64, take: u64) -> u128 {
        let sums = self.remainders(window, n, take);
        let up_to = |sum: u64| pairs_up_to(self.factor, sum);
        up_to(*sums.end()) - sums.start().checked_sub(1).map_or(0, up_to)
    }

    /// What two remainders s1 and s2 may sum to: the move takes kj + s - s1 - s2, which must lie in the
    /// window.
    fn remainders(self, window: Window, n: u64, take: u64) -> RangeInclusive<u64> {
        let most = take * self.factor + n % self.factor;
        most.saturating_sub(window.r)..=most - window.l
    }
}

/// How many pairs of numbers below `j` have a sum of at most `sum`.
fn pairs_up_to(j: u64, sum: u64) -> u128 {
    let [j, sum] = [j, sum].map(u128::from);
    if sum < j {
        (sum + 1) * (sum + 2) / 2
    } else {
        // Those above are as many as those of a sum at most 2(j-1) - sum - 1.
        let above = (2 * j - 2).saturating_sub(sum);
        j * j - above * (above + 1) / 2
    }
}
