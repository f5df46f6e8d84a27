//! The pair index: Grundy values and moves of short rows.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Window;
use super::values::Values;
use crate::Nimber;
use crate::integers::narrow;

/// The two segments that a move leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    sum: u16,
    u: u16,
}

impl Pair {
    /// Returns the length of the shorter segment.
    pub fn u(self) -> u64 {
        self.u.into()
    }

    /// Returns the length of the longer segment.
    pub fn v(self) -> u64 {
        (self.sum - self.u).into()
    }
}

/// The Grundy values of all segments up to a length, and for every XOR value x a list of pairs (u, v) with
/// `g[u] xor g[v]` = x. A list is sorted by u+v and has at most one pair for each sum.
///
/// # Why the last sum of each list is enough to compute the values
///
/// The sums are entered in ascending order. Before `g[i]` is computed, exactly the sums up to i-L have been entered. A
/// nimber is an option of i if its list has a sum in [i-R, i-L]. No sum is above i-L, so this is true exactly if the
/// last sum of the list, its largest, is at least i-R. So the mex reads one number for each nimber. One pair for each
/// sum is enough, because only the sum matters.
///
/// # Why a binary search finds a move
///
/// A move takes y cards, L <= y <= R, from a segment of n cards and leaves u+v = n-y. So a move to a nimber exists
/// exactly if the list of that nimber has a sum in [n-R, n-L]. The list is sorted by the sum, so it is enough to test
/// its first entry with a sum of at least n-R.
///
/// A game needs few of the lists, and only short segments after some moves. So a list is filled on demand, up to the
/// sum n-L.
///
/// # Size
///
/// `g[n] <= n/L`, because from nimber m there is a play through m-1, m-2, ... to 0, and each of its m moves takes at
/// least L cards. So XORs are below the power of two above N/L. A sum s up to N-L has at most floor(s/2) + 1 pairs, so
/// all lists together have at most about N^2/4 pairs, four bytes each. Time: N^2/4 splits for the values, and as many
/// for each list that is filled completely, tested about eight at a time; then O(log N) for a move.
///
/// Source: the editorial of AtCoder Beginner Contest 278 G by dbsic211 (2022), which stores all pairs and searches them
/// for each candidate of each mex; Grundy values by R. P. Sprague (1935) and P. M. Grundy (1939).
///
/// ```
/// use zeroxor::Nimber;
/// use zeroxor::grundy::segment::{PairIndex, Window};
///
/// // Dawson's Kayles, octal code 0.07.
/// let index = PairIndex::new(Window::new(2, 2).unwrap(), 9).unwrap();
/// let values: Vec<u64> = (0..=9).map(|n| index.nimber(n).0).collect();
/// assert_eq!(values, [0, 0, 1, 1, 2, 0, 3, 1, 1, 0]);
/// // No move leads from 9 cards to nimber 0.
/// assert!(index.split(9, Nimber::ZERO).is_none());
/// let pair = index.split(6, Nimber(2)).unwrap();
/// assert_eq!((pair.u(), pair.v()), (0, 4));
/// ```
#[derive(Debug)]
pub struct PairIndex {
    window: Window,
    values: Values,
    /// The list of each XOR value, indexed by that value.
    lists: Vec<Mutex<List>>,
}

/// The pairs of one XOR value that have been listed so far.
#[derive(Debug, Default)]
struct List {
    /// The first sum that has not been searched for a pair.
    next: u16,
    pairs: Vec<Pair>,
}

impl PairIndex {
    /// Maximum length of a row: the pairs of longer rows would need tens of megabytes.
    pub const MAX_LENGTH: u64 = 4096;

    /// Returns an upper bound of the memory of the pairs of an index up to `n`: one pair for every split.
    pub(super) fn most_bytes(n: u64) -> u128 {
        u128::from(n + 2).pow(2) / 4 * size_of::<Pair>() as u128
    }

    /// Computes the values of all segments of 0 to `n` cards; `None` if `n` exceeds [`MAX_LENGTH`](Self::MAX_LENGTH).
    ///
    /// Time: n^2/4 splits. Memory: four bytes for each value, since the lists are still empty.
    pub fn new(window: Window, n: u64) -> Option<Self> {
        let n = u16::try_from(n).ok().filter(|&n| u64::from(n) <= Self::MAX_LENGTH)?;
        let values = values(window, n);
        let most = values.all().iter().max().map_or(0, |&most| usize::from(most));
        let lists = (0..(most + 1).next_power_of_two()).map(|_| Mutex::default()).collect();
        Some(Self { window, values, lists })
    }

    /// Returns the Grundy value of a segment of `n` cards, in O(1).
    ///
    /// # Panics
    ///
    /// If the segment is longer than the index was computed for.
    pub fn nimber(&self, n: u64) -> Nimber {
        Nimber(self.values.all()[narrow::<usize>(n)].into())
    }

    /// Returns the segments that some move from a segment of `n` cards to the nimber `target` leaves, if there is one.
    ///
    /// Time: O(log n) if the list of `target` is filled up to the sum n-L. Filling it once tests at most n^2/4 splits.
    ///
    /// # Panics
    ///
    /// If the segment is longer than the index was computed for.
    pub fn split(&self, n: u64, target: Nimber) -> Option<Pair> {
        let most = n.checked_sub(self.window.l)?;
        let least = n.saturating_sub(self.window.r);
        let list = self.list(target, narrow(most))?;
        let first = list.pairs.partition_point(|pair| u64::from(pair.sum) < least);
        list.pairs.get(first).copied().filter(|pair| u64::from(pair.sum) <= most)
    }

    /// Returns the list of pairs with this XOR, filled up to the sum `most`; `None` if no pair can have this XOR.
    fn list(&self, xor: Nimber, most: u16) -> Option<MutexGuard<'_, List>> {
        let list = self.lists.get(usize::try_from(xor.0).ok()?)?;
        let value: u16 = narrow(xor.0);
        // Each iteration leaves the list complete below `next`, so a poisoned lock can be used.
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        for sum in list.next..=most {
            let mut pairs = self.values.pairs(sum.into(), |a, b| a ^ b == value);
            list.pairs.extend(pairs.next().map(|u| Pair { sum, u: narrow(u) }));
            list.next = sum + 1;
        }
        list.pairs.shrink_to_fit();
        Some(list)
    }

    /// Fills all lists, and returns the number of their pairs.
    pub fn pairs(&self) -> usize {
        let n = self.values.all().len() - 1;
        let Some(most) = n.checked_sub(narrow(self.window.l)) else { return 0 };
        let lists = (0..self.lists.len()).filter_map(|xor| self.list(Nimber(xor as u64), narrow(most)));
        lists.map(|list| list.pairs.len()).sum()
    }

    /// Returns an upper bound of the memory in bytes when all lists are filled: no list has two pairs of one sum.
    pub(super) fn bytes(&self) -> u128 {
        let (values, lists) = (self.values.all().len(), self.lists.len());
        let pairs: usize = (0..values).map(|sum| lists.min(sum / 2 + 1)).sum();
        let lists = lists * size_of::<Mutex<List>>() + pairs * size_of::<Pair>();
        (lists + 2 * values * size_of::<u16>()) as u128
    }
}

/// Computes the values of all segments of 0 to `n` cards.
fn values(window: Window, n: u16) -> Values {
    let (l, r) = (narrow(window.l.min(u64::from(n) + 1)), narrow(window.r.min(n.into())));
    let width = (usize::from(n / l) + 1).next_power_of_two();
    let mut values = Values::zeros(usize::from(n) + 1);
    // For each XOR, one more than the latest sum with that XOR; 0 if there is none.
    let mut latest = vec![0_u16; width];
    // The XORs are computed in a separate loop, so that the compiler vectorizes it.
    let mut xors = vec![0; usize::from(n) / 2 + 1];
    for i in l..=n {
        let sum = i - l;
        let (up, down) = values.parts(sum.into());
        let xors = &mut xors[..up.len()];
        for ((xor, a), b) in xors.iter_mut().zip(up).zip(down) {
            *xor = a ^ b;
        }
        for &xor in &*xors {
            // The mask lets the compiler drop the bounds check.
            latest[usize::from(xor) & (width - 1)] = sum + 1;
        }
        values.set(i.into(), narrow(first_below(&latest, i.saturating_sub(r) + 1)));
    }
    values
}

/// Returns the index of the first number below `least`, or the length if there is none.
fn first_below(numbers: &[u16], least: u16) -> usize {
    const STEP: usize = 16;
    // No early return within a chunk, so that the compiler vectorizes it.
    let reaches = |chunk: &&[u16]| chunk.iter().map(|&number| u16::from(number < least)).sum::<u16>() == 0;
    let from = numbers.len().min(numbers.chunks(STEP).take_while(reaches).count() * STEP);
    from + numbers[from..].iter().take_while(|&&number| number >= least).count()
}
