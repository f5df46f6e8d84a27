//! Which XOR values the sums in a window have.

use super::split::COMMON;
use super::sum_block::{Places, SumBlock};
use crate::integers::narrow;

/// At which of the latest sums a code was seen, as far as the moves of the game need it: in as few bytes as will do, for
/// all codes get older with each sum.
///
/// It is also the form of a *reach*: to which of the latest sums a move leads.
pub(super) trait Epoch: Copy + Eq {
    /// It was never seen, or longer ago than any move reaches.
    const NEVER: Self;

    /// This epoch, `sums` sums later.
    fn older(self, sums: usize) -> Self;

    /// After one more sum, at which it was seen unless `seen` is 0.
    fn next(self, seen: u8) -> Self;

    /// The value was seen only `sums` sums ago.
    fn of(sums: usize) -> Self;

    /// Seen at the sums of both.
    fn and(self, other: Self) -> Self;

    /// How many sums ago it was seen last.
    fn latest(self) -> usize;

    /// Whether the value was seen `sums` sums ago, or, if all sums are within reach, at most `sums` sums ago.
    fn has(self, sums: usize) -> bool;

    /// Whether it was seen at a sum of a reach.
    fn is_within(self, reach: Self) -> bool;
}

/// How many sums ago a code was seen last: that is enough where a move leads to all of the latest sums.
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

/// A bit for each of the latest sums, the lowest for the last, where a move leads to some of them only.
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

/// Number of ages that are compared at a time.
const CHUNK: usize = 16;

/// For each code of one half, the rare or the common ones, how many sums ago it was last seen.
pub(super) struct Seen<A> {
    /// The first code of the half.
    half: u16,
    /// A power of two above all codes so far, but for their top bit.
    width: usize,
    /// Those of the other half mean nothing.
    ages: Box<[A; 1 << 16]>,
    ahead: SumBlock,
}

impl<A: Epoch> Seen<A> {
    /// Nothing has been seen; `threads` threads enter sums ahead.
    pub(super) fn new(threads: usize) -> Self {
        let never = vec![A::NEVER; 1 << 16].into_boxed_slice();
        let ages = never.try_into().unwrap_or_else(|_| unreachable!("the lengths are equal"));
        Self { half: 0, width: 1, ages, ahead: SumBlock::new(threads) }
    }

    /// Forgets everything, and continues with the codes of the half that begins with this one.
    pub(super) fn restart(&mut self, half: u16) {
        self.ahead.clear(self.width);
        self.ages.fill(A::NEVER);
        self.half = half;
    }

    /// Makes room for a code.
    pub(super) fn widen(&mut self, code: u16) {
        let least = usize::from(code & !COMMON) + 1;
        if least > self.width {
            self.width = least.next_power_of_two();
        }
    }

    /// The power of two above all codes so far, but for their top bit.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// For each code of the half one more than the latest of all sums up to this one that it was seen at, 0 if
    /// no window reaches back so far.
    pub(super) fn latest(&self, sum: usize) -> Vec<u32> {
        let ages = &self.ages[usize::from(self.half)..][..self.width];
        let latest = |age: &A| (*age != A::NEVER).then(|| narrow((sum + 1).saturating_sub(age.latest())));
        ages.iter().map(|age| latest(age).unwrap_or(0)).collect()
    }

    /// If a sum begins a block of sums that are entered together, how many the last had.
    pub(super) fn block_before(&self, sum: usize) -> Option<usize> {
        self.ahead.is_over(sum).then(|| self.ahead.len())
    }

    /// Advances to the next sum. Seen are all its pairs with a segment of these places, perhaps some others,
    /// and what is given: a byte for each code of the half, not 0 if it was seen, or nothing. What was seen
    /// of rare codes by one who keeps the common ones goes to the rest in the same form.
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
        for (age, seen) in self.ages[half..][..self.width].iter_mut().zip(column) {
            *age = age.next(*seen);
            *seen = 0;
        }
    }

    /// Enters a code as seen at these sums.
    pub(super) fn see(&mut self, code: u16, sums: A) {
        let seen = &mut self.ages[usize::from(code)];
        *seen = seen.and(sums);
    }

    /// Whether a code was seen within a reach.
    pub(super) fn has(&self, code: u16, reach: A) -> bool {
        self.ages[usize::from(code)].is_within(reach)
    }

    /// The first code of the half that was not seen within a reach and is none of these others; there must be one below
    /// the end.
    pub(super) fn first_unseen(&self, reach: A, others: &[u16]) -> Option<u16> {
        let half = &self.ages[usize::from(self.half)..][..1 << 15];
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

    /// Adds the codes below `end` to a list that were not seen within a reach.
    pub(super) fn unseen(&self, end: usize, reach: A, list: &mut Vec<u16>) {
        let (chunks, _) = self.ages.as_chunks::<CHUNK>();
        for (from, chunk) in (0..end).step_by(CHUNK).zip(chunks) {
            let all = (end - from).min(CHUNK);
            if any_unseen(chunk, all, reach) {
                let unseen = (from..).zip(&chunk[..all]).filter(|(_, seen)| !seen.is_within(reach));
                list.extend(unseen.map(|(code, _)| narrow::<u16>(code)));
            }
        }
    }
}

/// Whether any of the `first` ones was not seen within a reach; without an early return, so that the compiler uses
/// vectors.
fn any_unseen<A: Epoch>(seen: &[A; CHUNK], first: usize, reach: A) -> bool {
    let (mut any, first) = (false, narrow::<u8>(first));
    for (at, seen) in (0..).zip(seen) {
        any |= !seen.is_within(reach) && at < first;
    }
    any
}
