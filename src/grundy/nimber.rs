//! Nimbers: the values of impartial games.

use std::fmt;
use std::ops::BitXor;

use crate::integers::narrow;

/// The Grundy value of a position: the size of the nim heap that is equivalent to the position.
///
/// The nimber of a sum of games is the XOR of the games' nimbers, and the player to move loses if and only if the
/// nimber is zero (R. P. Sprague 1935, "Über mathematische Kampfspiele"; P. M. Grundy 1939, "Mathematics and games").
///
/// ```
/// use zeroxor::Nimber;
///
/// // The XOR of nim heaps of 1, 4 and 5 is 0, and every move changes it.
/// let heaps = [1, 4, 5].map(Nimber);
/// assert_eq!(heaps.into_iter().sum::<Nimber>(), Nimber::ZERO);
/// assert_eq!(heaps[0] ^ heaps[1], heaps[2]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nimber(pub u64);

impl Nimber {
    /// The nimber of every P-position: the player to move loses.
    pub const ZERO: Self = Self(0);
}

impl BitXor for Nimber {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl std::iter::Sum for Nimber {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, BitXor::bitxor)
    }
}

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns the least nimber that is not in `values` (minimal excludant).
///
/// Time and memory are linear in the number of values, because the result is at most the number of values.
///
/// ```
/// use zeroxor::{Nimber, mex};
/// assert_eq!(mex([0, 1, 3, 1].map(Nimber)), Nimber(2));
/// assert_eq!(mex([]), Nimber::ZERO);
/// ```
pub fn mex(values: impl IntoIterator<Item = Nimber>) -> Nimber {
    let values: Vec<Nimber> = values.into_iter().collect();
    let mut seen = vec![false; values.len() + 1];
    for value in &values {
        if let Some(slot) = usize::try_from(value.0).ok().and_then(|v| seen.get_mut(v)) {
            *slot = true;
        }
    }
    Nimber(seen.iter().take_while(|&&s| s).count() as u64)
}

/// Computes the mex of sets of values, one set after another, in one step for each value.
#[derive(Default)]
pub(super) struct Mex {
    /// For each value, the index of the last set that contains the value.
    seen: Vec<u32>,
    set: u32,
}

impl Mex {
    /// Begins a new set. Must be called before the first set too, and at most 2^32 - 1 times in total.
    pub(super) fn clear(&mut self) {
        self.set += 1;
    }

    pub(super) fn see(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.seen.len() {
            self.seen.resize(value + 1, 0);
        }
        self.seen[value] = self.set;
    }

    pub(super) fn least(&self) -> u32 {
        narrow(self.seen.iter().take_while(|&&seen| seen == self.set).count())
    }
}
