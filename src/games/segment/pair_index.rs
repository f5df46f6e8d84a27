//! The pair index: Grundy values and moves of short rows from one structure.

use super::Window;
use crate::Nimber;

/// Two segments, by the first and by the sum of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    sum: u16,
    u: u16,
}

impl Pair {
    /// The first segment, at most as long as the second.
    pub fn u(self) -> u64 {
        self.u.into()
    }

    /// The second segment.
    pub fn v(self) -> u64 {
        (self.sum - self.u).into()
    }
}

/// The Grundy values of all segments up to a length, and for every XOR value a list of pairs (u, v) with
/// `g[u] xor g[v]` equal to it, sorted by u+v, with at most one pair for each sum.
///
/// # Why the last entry is enough to build it
///
/// The lists are filled in ascending order of the sum. When `g[i]` is due, exactly the sums up to i-L have been
/// entered, all of whose parts are shorter than i. A value is an option of i when its list has a sum in the
/// window [i-R, i-L]. No sum in the list is above i-L, so it has one exactly when its *last* sum, the
/// largest, is at least i-R. The mex therefore looks at one number for each value it passes. One pair for each
/// sum is enough, because both questions, this and the next, ask only for the sum.
///
/// # Why a binary search finds a move
///
/// A move takes y cards, L <= y <= R, from a segment of n and leaves u+v = n-y. So a move to a XOR value
/// exists exactly when its list has a sum in [n-R, n-L]. The list is sorted by the sum: the first entry
/// whose sum is at least n-R is found by binary search, and if any entry lies in the window, that one does.
///
/// # Size
///
/// `g[n] <= n/L`: from nimber m a play leads through m-1, m-2, ... to 0, and each of its m moves takes at least L.
/// So XOR values are below the power of two above N/L. There are at most floor(s/2) + 1 pairs for each sum s up to
/// N-L, about N^2/4 in all, of four bytes each. Time: as many steps to build, O(log N) for a move.
///
/// Source: the editorial of AtCoder Beginner Contest 278 G by dbsic211 (2022), which keeps all pairs and
/// searches them for every value of every mex; Grundy values by R. P. Sprague (1935) and P. M. Grundy (1939).
#[derive(Clone, Debug)]
pub struct PairIndex {
    window: Window,
    values: Vec<u16>,
    lists: Vec<Vec<Pair>>,
}

impl PairIndex {
    /// The longest row it takes: beyond, its pairs would fill tens of megabytes.
    pub const MAX_LENGTH: u64 = 4096;

    /// The most memory that an index up to `n` may take: a pair for every split, in lists that have grown by doubling.
    pub(super) fn most_bytes(n: u64) -> u128 {
        u128::from(n + 2).pow(2) / 4 * 2 * size_of::<Pair>() as u128
    }

    /// The values of all segments of 0 to `n` cards; `None` if `n` is larger than [`MAX_LENGTH`](Self::MAX_LENGTH).
    pub fn new(window: Window, n: u64) -> Option<Self> {
        let n = u16::try_from(n).ok().filter(|&n| u64::from(n) <= Self::MAX_LENGTH)?;
        let (l, r) = (window.l.min(u64::from(n) + 1) as u16, window.r.min(n.into()) as u16);
        let width = (usize::from(n / l) + 1).next_power_of_two();
        let mut values: Vec<u16> = Vec::with_capacity(usize::from(n) + 1);
        let mut lists = vec![Vec::new(); width];
        // For each XOR value one more than the sum of its list's last entry, 0 while the list is empty: what
        // the mex reads lies together.
        let mut last = vec![0_u16; width];
        for i in 0..=n {
            if let Some(sum) = i.checked_sub(l) {
                enter(sum, &values, &mut lists, &mut last);
            }
            let least = i.saturating_sub(r) + 1;
            let mex = last.iter().take_while(|&&sum| sum >= least).count();
            values.push(mex as u16);
        }
        Some(Self { window, values, lists })
    }

    /// The Grundy value of a segment of `n` cards.
    ///
    /// # Panics
    ///
    /// If the segment is longer than the index was built for.
    pub fn nimber(&self, n: u64) -> Nimber {
        Nimber(self.values[n as usize].into())
    }

    /// What a move from a segment of `n` cards to the nimber `target` leaves, if there is one; `n` must not be more
    /// than the index was built for.
    pub fn split(&self, n: u64, target: Nimber) -> Option<Pair> {
        let list = self.lists.get(usize::try_from(target.0).ok()?)?;
        let most = n.checked_sub(self.window.l)?;
        let least = n.saturating_sub(self.window.r);
        let first = list.partition_point(|pair| u64::from(pair.sum) < least);
        list.get(first).copied().filter(|pair| u64::from(pair.sum) <= most)
    }

    /// How many pairs all lists hold, of four bytes each.
    pub fn pairs(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    /// The memory that the index takes.
    pub(super) fn bytes(&self) -> u128 {
        let pairs: usize = self.lists.iter().map(Vec::capacity).sum();
        (pairs * size_of::<Pair>() + self.values.len() * size_of::<u16>()) as u128
    }
}

/// Enters the pairs of one sum, larger than all before.
fn enter(sum: u16, values: &[u16], lists: &mut [Vec<Pair>], last: &mut [u16]) {
    let (up, down) = (&values[..=usize::from(sum / 2)], values[..=usize::from(sum)].iter().rev());
    for (u, (a, b)) in (0..).zip(up.iter().zip(down)) {
        let xor = usize::from(a ^ b);
        if last[xor] <= sum {
            last[xor] = sum + 1;
            lists[xor].push(Pair { sum, u });
        }
    }
}
