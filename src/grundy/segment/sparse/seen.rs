//! Which XOR values the sums in a window have.

use super::split::COMMON;
use super::sum_block::{Places, SumBlock};
use crate::narrow::narrow;

/// How many sums ago a code was last seen: as small a number as has room for a window, for all codes get
/// older with each sum.
pub(super) trait Epoch: Copy + Ord {
    /// It was never seen, or longer ago than any window reaches.
    const NEVER: Self;

    /// One sum older.
    fn older(self) -> Self;

    /// So many sums ago.
    fn of(sums: usize) -> Self;

    /// How many sums ago.
    fn sums(self) -> usize;
}

macro_rules! ages {
    ($($age:ty),*) => {$(
        impl Epoch for $age {
            const NEVER: Self = <$age>::MAX;

            fn older(self) -> Self {
                self.saturating_add(1)
            }

            fn of(sums: usize) -> Self {
                Self::try_from(sums).unwrap_or(Self::NEVER)
            }

            fn sums(self) -> usize {
                self as usize
            }
        }
    )*};
}

ages!(u8, u16, u32);

/// So many ages are compared at a time.
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
    /// Nothing has been seen; so many threads look ahead.
    pub(super) fn new(threads: usize) -> Self {
        let never = vec![A::NEVER; 1 << 16].into_boxed_slice();
        let ages = never.try_into().unwrap_or_else(|_| unreachable!("the lengths are equal"));
        Self { half: 0, width: 1, ages, ahead: SumBlock::new(threads) }
    }

    /// Forgets everything, and goes on with the codes of the half that begins with this one.
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
        let latest = |age: &A| (*age < A::NEVER).then(|| narrow((sum + 1).saturating_sub(age.sums())));
        ages.iter().map(|age| latest(age).unwrap_or(0)).collect()
    }

    /// If a sum begins a block of sums that are entered together, how many the last had.
    pub(super) fn block_before(&self, sum: usize) -> Option<usize> {
        self.ahead.is_over(sum).then(|| self.ahead.len())
    }

    /// Goes on to the next sum. Seen are all its pairs with a segment of these places, perhaps some others,
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
            *age = if *seen == 0 { age.older() } else { A::of(0) };
            *seen = 0;
        }
    }

    /// Enters a code as seen so many sums ago.
    pub(super) fn see(&mut self, code: u16, age: A) {
        let latest = &mut self.ages[usize::from(code)];
        *latest = age.min(*latest);
    }

    /// Whether a code was seen so many sums ago or later.
    pub(super) fn has(&self, code: u16, age: A) -> bool {
        self.ages[usize::from(code)] <= age
    }

    /// The first code of the half that was not seen since; there must be one below the end.
    pub(super) fn first_unseen(&self, age: A) -> Option<u16> {
        let (chunks, _) = self.ages[usize::from(self.half)..][..1 << 15].as_chunks::<CHUNK>();
        let at = chunks.iter().position(|chunk| any_older(chunk, CHUNK, age))?;
        let within = chunks[at].iter().position(|&latest| latest > age)?;
        Some(self.half + narrow::<u16>(at * CHUNK + within))
    }

    /// Adds the codes below `end` to a list that were not seen since.
    pub(super) fn unseen(&self, end: usize, age: A, list: &mut Vec<u16>) {
        let (chunks, _) = self.ages.as_chunks::<CHUNK>();
        for (from, chunk) in (0..end).step_by(CHUNK).zip(chunks) {
            let all = (end - from).min(CHUNK);
            if any_older(chunk, all, age) {
                let unseen = (from..).zip(&chunk[..all]).filter(|&(_, &latest)| latest > age);
                list.extend(unseen.map(|(code, _)| narrow::<u16>(code)));
            }
        }
    }
}

/// Whether any of the first so many is older; without a way out, for the compiler to make vectors of them.
fn any_older<A: Epoch>(ages: &[A; CHUNK], first: usize, age: A) -> bool {
    let (mut any, first) = (false, narrow::<u8>(first));
    for (at, &latest) in (0..).zip(ages) {
        any |= latest > age && at < first;
    }
    any
}
