//! The XORs that were seen at the sums of a window. The module [`sparse`](super) explains the terms.

use super::split::COMMON;
use super::sum_block::{Places, SumBlock};
use crate::integers::narrow;

/// The record of the sums at which one code was seen, counted back from the latest sum. There are two kinds of epochs:
/// an *age* is an unsigned integer and stores only the last of these sums; a [`History`] stores one bit for each recent
/// sum. An epoch has few bytes, because the epochs of all codes are updated at each new sum.
///
/// A *reach* is an epoch that describes moves: it has the sums that moves from the next segment leave. As an age, it
/// has only the least of these sums.
pub(super) trait Epoch: Copy + Eq {
    /// The epoch of a code that was never seen, or was seen too long ago for an epoch to store.
    const NEVER: Self;

    /// Returns this epoch after `sums` more sums, if the code is seen at none of them.
    fn older(self, sums: usize) -> Self;

    /// Returns this epoch after one more sum, at which the code was seen unless `seen` is 0.
    fn next(self, seen: u8) -> Self;

    /// Returns the epoch of a code that was seen at only one sum, `sums` sums before the latest sum.
    fn of(sums: usize) -> Self;

    /// Returns the union of two epochs: the epoch of a code that was seen at all sums of `self` and at all sums of
    /// `other`.
    fn union(self, other: Self) -> Self;

    /// Returns how many sums ago the code was last seen.
    fn latest(self) -> usize;

    /// Returns whether the code was seen `sums` sums ago; for ages, at most `sums` sums ago.
    fn has(self, sums: usize) -> bool;

    /// Returns whether the code was seen at a sum of `reach`.
    fn is_within(self, reach: Self) -> bool;
}

/// Implements [`Epoch`] for unsigned integers, which are ages: how many sums ago the code was last seen. An age is
/// enough for a window, because there the sums that moves from a segment leave are consecutive and end with the latest
/// sum.
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
            fn union(self, other: Self) -> Self {
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

/// An epoch with one bit for each of the last sums: bit k, from 0 on, is set if the code was seen k sums ago. It is
/// needed if moves from a segment do not leave all sums between the least and the greatest that they leave.
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
            fn union(self, other: Self) -> Self {
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

/// For each code of one class, rare or common, the sums at which the code was seen.
pub(super) struct Seen<A> {
    /// The class, given by its first code: 0 for rare codes, `COMMON` for common codes. A class is one half of all
    /// 16-bit codes.
    class: u16,
    /// A power of two. Without its top bit, each argument of [`widen`](Self::widen) is below `width`.
    width: usize,
    /// The epoch of each code, indexed by the code. The epochs of the other class are not used.
    epochs: Box<[A; 1 << 16]>,
    /// The present block of sums, whose pairs were entered ahead.
    block: SumBlock,
}

impl<A: Epoch> Seen<A> {
    /// Returns a state in which no code has been seen. Up to `threads` threads enter the pairs of a [`SumBlock`].
    pub(super) fn new(threads: usize) -> Self {
        let never = vec![A::NEVER; 1 << 16].into_boxed_slice();
        let epochs = never.try_into().unwrap_or_else(|_| unreachable!("the lengths are equal"));
        Self { class: 0, width: 1, epochs, block: SumBlock::new(threads) }
    }

    /// Forgets all sums, and continues with the class `class`: 0 for rare codes, `COMMON` for common codes.
    pub(super) fn restart(&mut self, class: u16) {
        self.block.clear(self.width);
        self.epochs.fill(A::NEVER);
        self.class = class;
    }

    /// Increases the width, if necessary, so that it is above `code` without its top bit.
    pub(super) fn widen(&mut self, code: u16) {
        let least = usize::from(code & !COMMON) + 1;
        if least > self.width {
            self.width = least.next_power_of_two();
        }
    }

    /// Returns a power of two that is larger than all known codes without their top bits.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns a number for each code of the class: one more than the last sum at which the code was seen, or 0 if its
    /// epoch is [`NEVER`](Epoch::NEVER). `sum` is the latest sum.
    pub(super) fn latest(&self, sum: usize) -> Vec<u32> {
        let epochs = &self.epochs[usize::from(self.class)..][..self.width];
        let latest =
            |epoch: &A| (*epoch != A::NEVER).then(|| narrow((sum + 1).saturating_sub(epoch.latest())));
        epochs.iter().map(|epoch| latest(epoch).unwrap_or(0)).collect()
    }

    /// Returns the number of sums of the present block if `sum` is after it and so begins a new block; `None`
    /// otherwise.
    pub(super) fn block_before(&self, sum: usize) -> Option<usize> {
        self.block.is_over(sum).then(|| self.block.len())
    }

    /// Advances to `sum`, which follows the latest sum, and records the codes of the class that are seen at `sum`:
    ///
    /// - the XORs of all pairs of `sum` that have a segment of `places`. XORs of other pairs of `sum` may be recorded
    ///   too.
    /// - the codes whose byte in `given` is not 0. `given` is empty, or has one byte for each code of the class.
    ///
    /// `codes` are the codes of all known segments. If the class is the common one, also appends to `rares` one byte for
    /// each rare code, which is not 0 if the rare code was seen at `sum`.
    pub(super) fn enter(
        &mut self,
        sum: usize,
        codes: &[u16],
        places: Places<'_>,
        given: &[u8],
        rares: Option<&mut Vec<u8>>,
    ) {
        if self.block.is_over(sum) {
            self.block.begin(sum, codes, places);
        }
        let column = self.block.column(sum, codes);
        if self.class == COMMON {
            let rare_column = &mut column[..self.width];
            if let Some(rares) = rares {
                rares.extend_from_slice(rare_column);
            }
            rare_column.fill(0);
        }
        let first = usize::from(self.class);
        let column = &mut column[first..][..self.width];
        column.iter_mut().zip(given).for_each(|(seen, given)| *seen |= given);
        for (epoch, seen) in self.epochs[first..][..self.width].iter_mut().zip(column) {
            *epoch = epoch.next(*seen);
            *seen = 0;
        }
    }

    /// Records that `code` was seen at the sums of the epoch `sums`.
    pub(super) fn see(&mut self, code: u16, sums: A) {
        let seen = &mut self.epochs[usize::from(code)];
        *seen = seen.union(sums);
    }

    /// Returns whether `code` was seen at a sum of `reach`.
    pub(super) fn has(&self, code: u16, reach: A) -> bool {
        self.epochs[usize::from(code)].is_within(reach)
    }

    /// Returns the first code of the class that was seen at no sum of `reach` and is not one of `others`.
    pub(super) fn first_unseen(&self, reach: A, others: &[u16]) -> Option<u16> {
        let epochs = &self.epochs[usize::from(self.class)..][..1 << 15];
        let (chunks, _) = epochs.as_chunks::<CHUNK>();
        let at = chunks.iter().position(|chunk| any_unseen(chunk, CHUNK, reach))?;
        let within = chunks[at].iter().position(|seen| !seen.is_within(reach))?;
        let first = at * CHUNK + within;
        let code = |at: usize| self.class + narrow::<u16>(at);
        if others.is_empty() || !others.contains(&code(first)) {
            return Some(code(first));
        }
        let later = (first..).zip(&epochs[first..]).skip(1).filter(|(_, seen)| !seen.is_within(reach));
        later.map(|(at, _)| code(at)).find(|code| !others.contains(code))
    }

    /// Appends to `list` the rare codes below `end` that were seen at no sum of `reach`.
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

/// Returns whether any of the first `len` epochs has no sum of `reach`. There is no early return, so that the compiler
/// vectorizes the loop.
fn any_unseen<A: Epoch>(epochs: &[A; CHUNK], len: usize, reach: A) -> bool {
    let (mut any, len) = (false, narrow::<u8>(len));
    for (at, epoch) in (0..).zip(epochs) {
        any |= !epoch.is_within(reach) && at < len;
    }
    any
}
