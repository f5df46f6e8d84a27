//! The pair index: Grundy values and moves of short rows from one structure.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Window;
use super::values::Values;
use crate::Nimber;
use crate::integers::narrow;

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
/// The sums are entered in ascending order. When `g[i]` is due, exactly the sums up to i-L have been,
/// all of whose parts are shorter than i. A value is an option of i when its list has a sum in the window
/// [i-R, i-L]. No sum in the list is above i-L, so it has one exactly when its *last* sum, the largest, is at
/// least i-R. The mex therefore looks at one number for each value it passes, and the values need no more of
/// the lists than that. One pair for each sum is enough, because both questions, this and the next, ask only
/// for the sum.
///
/// # Why a binary search finds a move
///
/// A move takes y cards, L <= y <= R, from a segment of n and leaves u+v = n-y. So a move to a XOR value
/// exists exactly when its list has a sum in [n-R, n-L]. The list is sorted by the sum: the first entry
/// whose sum is at least n-R is found by binary search, and if any entry lies in the window, that one does.
///
/// A game asks for few XOR values, and soon for short segments alone. So a list is filled when a move asks
/// for it, up to the sum n-L.
///
/// # Size
///
/// `g[n] <= n/L`: from nimber m a play leads through m-1, m-2, ... to 0, and each of its m moves takes at
/// least L. So XOR values are below the power of two above N/L. There are at most floor(s/2) + 1 pairs for
/// each sum s up to N-L, about N^2/4 in all, of four bytes each. Time: as many steps for the values, and as
/// many for each list that is filled to its end, eight or so at a time; then O(log N) for a move.
///
/// Source: the editorial of AtCoder Beginner Contest 278 G by dbsic211 (2022), which keeps all pairs and
/// searches them for every value of every mex; Grundy values by R. P. Sprague (1935) and P. M. Grundy (1939).
#[derive(Debug)]
pub struct PairIndex {
    window: Window,
    values: Values,
    /// By XOR value, up to a power of two above all values.
    lists: Vec<Mutex<List>>,
}

/// The pairs of one XOR value that have been listed so far.
#[derive(Debug, Default)]
struct List {
    /// The first sum that has not been searched.
    next: u16,
    pairs: Vec<Pair>,
}

impl PairIndex {
    /// The longest row it takes: beyond, its pairs would fill tens of megabytes.
    pub const MAX_LENGTH: u64 = 4096;

    /// The most memory that the pairs of an index up to `n` may take: one for every split.
    pub(super) fn most_bytes(n: u64) -> u128 {
        u128::from(n + 2).pow(2) / 4 * size_of::<Pair>() as u128
    }

    /// The values of all segments of 0 to `n` cards; `None` if `n` is larger than
    /// [`MAX_LENGTH`](Self::MAX_LENGTH).
    ///
    /// Time: N^2/4 steps. Memory: four bytes for each value; the lists are empty.
    pub fn new(window: Window, n: u64) -> Option<Self> {
        let n = u16::try_from(n).ok().filter(|&n| u64::from(n) <= Self::MAX_LENGTH)?;
        let values = values(window, n);
        let most = values.all().iter().max().map_or(0, |&most| usize::from(most));
        let lists = (0..(most + 1).next_power_of_two()).map(|_| Mutex::default()).collect();
        Some(Self { window, values, lists })
    }

    /// The Grundy value of a segment of `n` cards.
    ///
    /// # Panics
    ///
    /// If the segment is longer than the index was built for.
    ///
    /// Time: O(1).
    pub fn nimber(&self, n: u64) -> Nimber {
        Nimber(self.values.all()[narrow::<usize>(n)].into())
    }

    /// What a move from a segment of `n` cards to the nimber `target` leaves, if there is one.
    ///
    /// # Panics
    ///
    /// As [`nimber`](Self::nimber).
    ///
    /// Time: O(log n) where the list of the target is filled; it is filled once, up to the sum n-L, in n^2/4
    /// steps at most.
    pub fn split(&self, n: u64, target: Nimber) -> Option<Pair> {
        let most = n.checked_sub(self.window.l)?;
        let least = n.saturating_sub(self.window.r);
        let list = self.list(target, narrow(most))?;
        let first = list.pairs.partition_point(|pair| u64::from(pair.sum) < least);
        list.pairs.get(first).copied().filter(|pair| u64::from(pair.sum) <= most)
    }

    /// The list of a XOR value, filled up to the sum `most`; `None` if no pair can have that value.
    fn list(&self, xor: Nimber, most: u16) -> Option<MutexGuard<'_, List>> {
        let list = self.lists.get(usize::try_from(xor.0).ok()?)?;
        let value: u16 = narrow(xor.0);
        // A list is at any time filled up to its next sum, even if somebody has panicked with it.
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        for sum in list.next..=most {
            let mut pairs = self.values.pairs(sum.into(), |a, b| a ^ b == value);
            list.pairs.extend(pairs.next().map(|u| Pair { sum, u: narrow(u) }));
            list.next = sum + 1;
        }
        list.pairs.shrink_to_fit();
        Some(list)
    }

    /// How many pairs all lists hold when they are filled, of four bytes each.
    pub fn pairs(&self) -> usize {
        let n = self.values.all().len() - 1;
        let Some(most) = n.checked_sub(narrow(self.window.l)) else { return 0 };
        let lists = (0..self.lists.len()).filter_map(|xor| self.list(Nimber(xor as u64), narrow(most)));
        lists.map(|list| list.pairs.len()).sum()
    }

    /// The memory that the index takes once all lists are filled, at most: none has two pairs of one sum.
    pub(super) fn bytes(&self) -> u128 {
        let (values, lists) = (self.values.all().len(), self.lists.len());
        let pairs: usize = (0..values).map(|sum| lists.min(sum / 2 + 1)).sum();
        let lists = lists * size_of::<Mutex<List>>() + pairs * size_of::<Pair>();
        (lists + 2 * values * size_of::<u16>()) as u128
    }
}

/// The values of all segments of 0 to `n` cards.
fn values(window: Window, n: u16) -> Values {
    let (l, r) = (narrow(window.l.min(u64::from(n) + 1)), narrow(window.r.min(n.into())));
    let width = (usize::from(n / l) + 1).next_power_of_two();
    let mut values = Values::zeros(usize::from(n) + 1);
    // For each XOR value one more than the sum of its list's last entry, 0 while the list is empty.
    let mut last = vec![0_u16; width];
    // The XORs of a sum have a loop of their own, which the compiler makes vectors of.
    let mut xors = vec![0; usize::from(n) / 2 + 1];
    for i in l..=n {
        let sum = i - l;
        let (up, down) = values.parts(sum.into());
        let xors = &mut xors[..up.len()];
        for ((xor, a), b) in xors.iter_mut().zip(up).zip(down) {
            *xor = a ^ b;
        }
        for &xor in &*xors {
            // The mask changes nothing, it only shows that the index is below the width.
            last[usize::from(xor) & (width - 1)] = sum + 1;
        }
        values.set(i.into(), narrow(first_below(&last, i.saturating_sub(r) + 1)));
    }
    values
}

/// The index of the first number below `least`, or the length if there is none.
fn first_below(numbers: &[u16], least: u16) -> usize {
    const STEP: usize = 16;
    // All numbers of a chunk are compared, without an early return, so that the compiler uses vectors.
    let reaches = |chunk: &&[u16]| chunk.iter().map(|&number| u16::from(number < least)).sum::<u16>() == 0;
    let from = numbers.len().min(numbers.chunks(STEP).take_while(reaches).count() * STEP);
    from + numbers[from..].iter().take_while(|&&number| number >= least).count()
}
