//! The XORs that were seen at the sums of a window. The module [`sparse`](super) explains the terms.

use super::split::COMMON;
use super::sum_block::{Places, SumBlock};
use crate::integers::narrow;

/// The sums at which a code was seen, counted back from the latest sum. An age has only the last of these sums; a
/// [`History`] has each of them that a move can leave. An epoch has few bytes, because the epochs of all codes are
/// updated for each sum.
///
/// A *reach* is the set of the sums that moves leave, in the form of an epoch.
pub(super) trait Epoch: Copy + Eq {
    /// Never seen, or last seen before the smallest sum that a move leaves.
    const NEVER: Self;

    /// Returns this epoch `sums` sums later.
    fn older(self, sums: usize) -> Self;

    /// Returns this epoch after one more sum. The code was seen there unless `seen` is 0.
    fn next(self, seen: u8) -> Self;

    /// Returns the epoch of a code that was seen only `sums` sums ago.
    fn of(sums: usize) -> Self;

    /// Returns the epoch of a code that was seen at the sums of both epochs.
    fn and(self, other: Self) -> Self;

    /// Returns how many sums ago the code was last seen.
    fn latest(self) -> usize;

    /// Returns whether the code was seen `sums` sums ago; for ages, at most `sums` sums ago.
    fn has(self, sums: usize) -> bool;

    /// Returns whether the code was seen at a sum of `reach`.
    fn is_within(self, reach: Self) -> bool;
}

/// Ages: how many sums ago a code was last seen. Ages are enough for a window, in which the sums that moves leave are
/// consecutive and end with the latest sum.
macro_rules! ages {
    ($($age:ty),*) => {$(
        impl Epoch for $age {
            const NEVER: Self = <$age>::MAX;

            #[inline]
            fn older(self, sums: usize) -> Self {
                self.saturating_add(Self::of(sums))
            }

            #[inline]
            fn next(self, seen: u8) -> Self {
                if seen == 0 { self.saturating_add(1) } else { 0 }
            }

            #[inline]
            fn of(sums: usize) -> Self {
                Self::try_from(sums).unwrap_or(Self::NEVER)
            }

            #[inline]
            fn and(self, other: Self) -> Self {
                self.min(other)
            }

            fn latest(self) -> usize {
                self as usize
            }

            fn has(self, sums: usize) -> bool {
                self <= Self::of(sums)
            }

            #[inline]
            fn is_within(self, reach: Self) -> bool {
                self <= reach
            }
        }
    )*};
}

ages!(u8, u16, u32);

/// A bit for each of the last sums; the lowest bit is for the latest sum. This epoch is needed if there are sums among
/// the last ones that no move leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct History<T>(T);

macro_rules! histories {
    ($($bits:ty),*) => {$(
        impl Epoch for History<$bits> {
            const NEVER: Self = Self(0);

            #[inline]
            fn older(self, sums: usize) -> Self {
                Self(u32::try_from(sums).ok().and_then(|sums| self.0.checked_shl(sums)).unwrap_or(0))
            }

            #[inline]
            fn next(self, seen: u8) -> Self {
                Self(self.0 << 1 | <$bits>::from(seen != 0))
            }

            #[inline]
            fn of(sums: usize) -> Self {
                Self(1).older(sums)
            }

            #[inline]
            fn and(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            fn latest(self) -> usize {
                self.0.trailing_zeros() as usize
            }

            fn has(self, sums: usize) -> bool {
                self.is_within(Self::of(sums))
            }

            #[inline]
            fn is_within(self, reach: Self) -> bool {
                self.0 & reach.0 != 0
            }
        }
    )*};
}

histories!(u8, u16, u32, u64, u128);

/// Number of epochs that are compared at a time.
const CHUNK: usize = 16;

/// For each rare code, or for each common code, the sums at which it was seen.
pub(super) struct Seen<A> {
    /// The first code of this half of the codes: 0 for the rare ones, `COMMON` for the common ones.
    half: u16,
    /// A power of two that is larger than each code of [`widen`](Self::widen) after its top bit is cleared.
    width: usize,
    /// The epoch of each code; the epochs of the other half are not used.
    epochs: Box<[A; 1 << 16]>,
    ahead: SumBlock,
}

impl<A: Epoch> Seen<A> {
    /// Returns a state in which nothing has been seen. Up to `threads` threads enter the pairs of a [`SumBlock`].
    pub(super) fn new(threads: usize) -> Self {
        let never = vec![A::NEVER; 1 << 16].into_boxed_slice();
        let epochs = never.try_into().unwrap_or_else(|_| unreachable!("the lengths are equal"));
        Self { half: 0, width: 1, epochs, ahead: SumBlock::new(threads) }
    }

    /// Forgets everything, and continues with the half of the codes that begins with `half`.
    pub(super) fn restart(&mut self, half: u16) {
        self.ahead.clear(self.width);
        self.epochs.fill(A::NEVER);
        self.half = half;
    }

    /// Makes room for a code.
    pub(super) fn widen(&mut self, code: u16) {
        let least = usize::from(code & !COMMON) + 1;
        if least > self.width {
            self.width = least.next_power_of_two();
        }
    }

    /// Returns a power of two that is larger than each code after its top bit is cleared.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns a number for each code of the half: 1 plus the last sum at which the code was seen, or 0 if the code was
    /// not seen in the window. `sum` is the latest sum.
    pub(super) fn latest(&self, sum: usize) -> Vec<u32> {
        let epochs = &self.epochs[usize::from(self.half)..][..self.width];
        let latest =
            |epoch: &A| (*epoch != A::NEVER).then(|| narrow((sum + 1).saturating_sub(epoch.latest())));
        epochs.iter().map(|epoch| latest(epoch).unwrap_or(0)).collect()
    }

    /// Returns the number of sums of the last [`SumBlock`] if `sum` begins a new block.
    pub(super) fn block_before(&self, sum: usize) -> Option<usize> {
        self.ahead.is_over(sum).then(|| self.ahead.len())
    }

    /// Advances to `sum`, the next sum. Records the XORs of all pairs of `sum` that have a segment of `places`, and may
    /// record the XORs of other pairs of `sum`. Also records the codes of `given`, which is empty or has a byte for
    /// each code of the half: the byte is not 0 if the code was seen. If this half is the common one, appends the rare
    /// codes that were seen to `rest`, in the form of `given`.
    pub(super) fn enter(
        &mut self,
        sum: usize,
        codes: &[u16],
        places: Places<'_>,
        given: &[u8],
        rest: Option<&mut Vec<u8>>,
    ) {
        if self.ahead.is_over(sum) {
            self.ahead.begin(sum, codes, places);
        }
        let column = self.ahead.column(sum, codes);
        if self.half == COMMON {
            let rares = &mut column[..self.width];
            if let Some(rest) = rest {
                rest.extend_from_slice(rares);
            }
            rares.fill(0);
        }
        let half = usize::from(self.half);
        let column = &mut column[half..][..self.width];
        column.iter_mut().zip(given).for_each(|(seen, given)| *seen |= given);
        for (epoch, seen) in self.epochs[half..][..self.width].iter_mut().zip(column) {
            *epoch = epoch.next(*seen);
            *seen = 0;
        }
    }

    /// Records that `code` was seen at `sums`.
    pub(super) fn see(&mut self, code: u16, sums: A) {
        let seen = &mut self.epochs[usize::from(code)];
        *seen = seen.and(sums);
    }

    /// Returns whether `code` was seen within `reach`.
    pub(super) fn has(&self, code: u16, reach: A) -> bool {
        self.epochs[usize::from(code)].is_within(reach)
    }

    /// Returns the first code of the half that was not seen within `reach` and is not one of `others`.
    pub(super) fn first_unseen(&self, reach: A, others: &[u16]) -> Option<u16> {
        let half = &self.epochs[usize::from(self.half)..][..1 << 15];
        let (chunks, _) = half.as_chunks::<CHUNK>();
        let at = chunks.iter().position(|chunk| any_unseen(chunk, CHUNK, reach))?;
        let within = chunks[at].iter().position(|seen| !seen.is_within(reach))?;
        let first = at * CHUNK + within;
        let code = |at: usize| self.half + narrow::<u16>(at);
        if others.is_empty() || !others.contains(&code(first)) {
            return Some(code(first));
        }
        let later = (first..).zip(&half[first..]).skip(1).filter(|(_, seen)| !seen.is_within(reach));
        later.map(|(at, _)| code(at)).find(|code| !others.contains(code))
    }

    /// Appends to `list` the codes below `end` that were not seen within `reach`.
    pub(super) fn unseen(&self, end: usize, reach: A, list: &mut Vec<u16>) {
        let (chunks, _) = self.epochs.as_chunks::<CHUNK>();
        for (from, chunk) in (0..end).step_by(CHUNK).zip(chunks) {
            let all = (end - from).min(CHUNK);
            if any_unseen(chunk, all, reach) {
                let unseen = (from..).zip(&chunk[..all]).filter(|(_, seen)| !seen.is_within(reach));
                list.extend(unseen.map(|(code, _)| narrow::<u16>(code)));
            }
        }
    }
}

/// Returns whether any of the first `first` codes was not seen within `reach`, without an early return, so that the
/// compiler vectorizes it.
fn any_unseen<A: Epoch>(seen: &[A; CHUNK], first: usize, reach: A) -> bool {
    let (mut any, first) = (false, narrow::<u8>(first));
    for (at, seen) in (0..).zip(seen) {
        any |= !seen.is_within(reach) && at < first;
    }
    any
}
