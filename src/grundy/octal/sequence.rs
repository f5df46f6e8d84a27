//! The Grundy values of heaps under a code: up to a size, or one after the other.

use super::split_table::{Repetition, SplitTable};
use super::{Budget, GrundyTable, Nimber, Octal, OctalCode, TooLarge};
use crate::grundy::segment::{
    Left, MoveBounds, NoHistory, Period, SparseSpace, SparseStream, StepLimit, TakeSet,
};
use crate::integers::narrow;

/// What the proof of a period has to know of the moves of a code.
pub fn move_bounds(code: OctalCode) -> MoveBounds {
    let leaves_three = code.digits().iter().any(|&digit| digit >= 8);
    MoveBounds { longest_take: code.longest_take(), most_heaps: if leaves_three { 3 } else { 2 } }
}

/// The Grundy values of a code from 0 on: the first ones, or all by a period.
///
/// ```
/// use zeroxor::grundy::Budget;
/// use zeroxor::grundy::octal::CodeSequence;
///
/// // Dawson's Chess repeats every 34 from 52 on.
/// let values = CodeSequence::within("0.137".parse()?, 10_000, &mut Budget::GAME.clone(), &mut |_| ())?;
/// assert_eq!(values.values()[..10], [0, 1, 1, 2, 0, 3, 1, 1, 0, 3]);
/// assert_eq!(values.period().map(|period| (period.start, period.length)), Some((52, 34)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CodeSequence {
    pub(super) code: OctalCode,
    pub(super) values: Vec<u16>,
    pub(super) space: Option<SparseSpace>,
    pub(super) is_by_place: bool,
    pub(super) repetition: Option<Repetition>,
}

/// The number of heaps that are searched for a period first.
pub(super) const FEW: u64 = 1 << 20;

/// This number of values or more are found one after the other, in steps of this size.
const STREAMED: u64 = 1 << 13;

/// With more rare values the engine of whole sequences takes less time, if it knows their space: it has several threads.
const MANY: u64 = 1024;

/// Rare values are taken to keep coming if one value in `MIN_COMMON` is rare.
const MIN_COMMON: u64 = 16;

/// The memory that each value takes while the values are computed.
const BYTES: u128 = 3 * size_of::<u16>() as u128;

/// No heap is larger: the engine counts in 32 bits.
const MAX_SIZE: u64 = i32::MAX as u64 - 1;

impl CodeSequence {
    /// The values of all heaps of 0 to `n` cards, by the sparse-space engine of the windows or by the sets of the nimbers
    /// that three heaps may have, if they cost no more than the budget, from which their cost is taken; from time to time
    /// `progress` receives the size up to which they are known. If a period is proven on the way, the values after it
    /// come from it.
    ///
    /// # Errors
    ///
    /// If the values cost more, or if a heap has more than 2^31 cards or a nimber is 2^15 or more, 2^16 where a move may
    /// leave three heaps; without the feature `analysis` also if a move may do that.
    ///
    /// # Panics
    ///
    /// If there is no room for the [`bytes`](Self::bytes) they take.
    ///
    /// Time: n^2/4 steps and half as many again at most, mostly far less in a sparse space; where a move may leave three
    /// heaps, n^2/3 steps for each number that it may take, and n^3/700 where nimbers grow as fast as the heaps.
    pub fn within(
        code: OctalCode,
        n: u64,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        Self::after(&mut None, code, n, budget, progress)
    }

    /// Computes the table of [`within`](Self::within), beginning with the values of a stream, if there is one. The stream is
    /// left where it can continue later.
    fn after(
        known: &mut Option<SparseStream>,
        code: OctalCode,
        n: u64,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let what = || format!("a Grundy table of heaps up to {n} under the code {code}");
        let refusal = |asked, limit, unit| {
            let (asked, limit) = (u128::from(asked), u128::from(limit));
            TooLarge { what: what(), asked, left: limit, limit, unit }
        };
        budget.allows(what, 0, Self::bytes(n))?;
        let size = usize::try_from(n).ok().filter(|_| n <= MAX_SIZE);
        let size = size.ok_or_else(|| refusal(n, MAX_SIZE, "cards"))?;
        if move_bounds(code).most_heaps > 2 {
            // Such codes are not played over the protocol.
            #[cfg(not(feature = "analysis"))]
            return Err(refusal(3_u64, 2_u64, "heaps after a move"));
            #[cfg(feature = "analysis")]
            return Self::with_three_heaps(code, size, false, budget, progress);
        }
        let Some(CodeTakeSet { take_set, shift }) = CodeTakeSet::of(code) else {
            return Self::without_splits(code, size, budget);
        };
        let few = first_values(code, n.min(code.longest_take() + 1));
        if size < few.len() {
            return Ok(Self { code, values: few, space: None, is_by_place: false, repetition: None });
        }
        if n >= STREAMED
            && let Some(sequence) = Self::streamed(known, code, n, budget, progress)?
        {
            return Ok(sequence);
        }
        let in_nanoseconds = StepLimit::in_nanoseconds;
        let (mut cpu_watch, mut too_slow) = (budget.watch_cpu(), None);
        let give_up = &mut |done, all| {
            too_slow = cpu_watch.check(what, in_nanoseconds(done), in_nanoseconds(all)).err();
            too_slow.is_some()
        };
        let limit = StepLimit::of(budget);
        let counted = take_set.values(size - shift, limit, give_up, &mut |n| progress(n + shift as u64));
        let (found, steps) = counted.map_err(|left| match left {
            Left::OutOfReach(steps) => {
                too_slow.unwrap_or_else(|| budget.too_many_steps(what(), in_nanoseconds(steps)))
            }
            Left::Wide(_) => refusal((1 << 15) + 1, 1 << 15, "different nimbers"),
        })?;
        // The engine compares with the limit from time to time, and may end a little above.
        budget.spend(what, in_nanoseconds(steps).min(budget.steps()), Self::bytes(n))?;
        let mut values = found.values;
        // A segment is a heap of `shift` cards more; the values of those before are known.
        values.splice(0..0, few[..shift].iter().copied());
        let later = shift as u64;
        let space = found.space.map(|space| SparseSpace {
            // The heap of no card is rare, like all of value 0.
            rares: space.rares + later,
            last: if space.rares > 0 { space.last + later } else { 0 },
            ..space
        });
        let period = found.period.map(|period| Period { start: period.start + later, ..period });
        Ok(Self { code, values, space, is_by_place: false, repetition: period.map(Repetition::of) })
    }

    /// The values in a sparse space, one after the other; `None` if there is none, or rare values keep coming.
    fn streamed(
        known: &mut Option<SparseStream>,
        code: OctalCode,
        n: u64,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Self>, TooLarge> {
        let what = || format!("a Grundy table of heaps up to {n} under the code {code}");
        let Some(mut stream) = known.take().or_else(|| stream(code, usize::MAX / 4)) else { return Ok(None) };
        let (cpu_watch, mut next_proof) = (&mut budget.watch_cpu(), (2 * stream.len()).max(4 * STREAMED));
        let mut period = None;
        // A value takes about half a step for each rare one, and some dozens.
        let steps = |len: u64, rares: u64| u128::from(len) * u128::from(rares / 2 + 64);
        while stream.len() <= n && period.is_none() {
            let (len, rares) = (stream.len(), stream.space().rares);
            let (done, all) = (steps(len, rares), steps(n, rares));
            cpu_watch.check(what, done, all)?;
            let are_many = rares > MANY && !stream.is_by_place();
            if all > budget.steps() || rares * MIN_COMMON > len || are_many {
                return Ok(None);
            }
            if len >= next_proof && len * 10 <= n * 6 {
                next_proof = len * 4;
                let values: Vec<u16> = stream.first_values().collect();
                period = Some(&values)
                    .filter(|values| ends_repeat(values))
                    .and_then(|values| Period::proven(move_bounds(code), values));
            } else if stream.advance((len + STREAMED).min(n + 1), &mut NoHistory).is_err() {
                return Ok(None);
            }
            progress(stream.len() - 1);
        }
        // Collecting only a part takes longer.
        let mut values: Vec<u16> = stream.first_values().collect();
        values.truncate(narrow::<usize>(n).saturating_add(1));
        if let Some(Period { length, .. }) = period {
            (values.len()..=narrow(n)).for_each(|n| values.push(values[n - narrow::<usize>(length)]));
        }
        let space = stream.space_below(n + 1);
        budget.spend(what, steps(n, space.rares).min(budget.steps()), Self::bytes(n))?;
        let is_by_place = stream.is_by_place();
        *known = Some(stream);
        let repetition = period.map(Repetition::of);
        Ok(Some(Self { code, values, space: Some(space), is_by_place, repetition }))
    }

    /// The values of a code in which no move leaves two heaps: each is the mex of some dozens before.
    fn without_splits(code: OctalCode, n: usize, budget: &mut Budget) -> Result<Self, TooLarge> {
        let what = || format!("a Grundy table of heaps up to {n} under the code {code}");
        let steps = (n as u128 + 1) * u128::from(code.longest_take() + 1);
        budget.spend(what, steps, Self::bytes(n as u64))?;
        let mut values = first_values(code, (n as u64).min(code.longest_take()));
        let takes: Vec<usize> =
            (1..=code.longest_take()).filter(|&take| code.allows(take, 1)).map(narrow).collect();
        for size in values.len()..=n {
            let seen = takes.iter().fold(0_u128, |seen, take| seen | 1 << values[size - take]);
            values.push(narrow::<u16>(seen.trailing_ones() as usize));
        }
        let repetition = Period::proven(move_bounds(code), &values).map(Repetition::of);
        Ok(Self { code, values, space: None, is_by_place: false, repetition })
    }

    /// The memory that the values up to `n` take while they are computed.
    pub fn bytes(n: u64) -> u128 {
        (u128::from(n) + 1) * BYTES
    }

    /// The code.
    pub fn code(&self) -> OctalCode {
        self.code
    }

    /// The values from 0 on.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// As [`within`](Self::within); if the first values prove a period, or an arithmetic period, no more are computed,
    /// and all others follow from it. That holds for any `n`: if not all values fit in the budget, those that do are searched for a
    /// period.
    ///
    /// # Errors
    ///
    /// As [`within`](Self::within).
    pub fn repeating(
        code: OctalCode,
        n: u64,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        #[cfg(feature = "analysis")]
        if move_bounds(code).most_heaps > 2 {
            return Self::with_three_heaps(code, narrow(n), true, budget, progress);
        }
        let most = budget.bytes() / BYTES;
        let most = n.min(MAX_SIZE).min(u64::try_from(most).unwrap_or(u64::MAX).saturating_sub(1));
        let mut known = None;
        for size in [FEW, most].into_iter().filter(|&size| size < n) {
            let mut spent = *budget;
            let few = Self::after(&mut known, code, size, &mut spent, progress);
            budget.keep_clock(&spent);
            match few {
                Ok(few) => {
                    let repetition = few.repetition.or_else(|| few.proven_period().map(Repetition::of));
                    if repetition.is_some() {
                        *budget = spent;
                        return Ok(Self { repetition, ..few });
                    }
                    // The values are dropped.
                    *budget = budget.with_steps(spent.steps());
                }
                Err(error) if most == n => return Err(error),
                // The error about all heaps names the size that was asked for.
                Err(_) => break,
            }
        }
        Self::after(&mut known, code, n, budget, progress)
    }

    /// A table of these values.
    pub fn into_table(self) -> Box<dyn GrundyTable> {
        let Self { code, values, repetition, .. } = self;
        Box::new(SplitTable::new(Octal::new(code), values, repetition))
    }

    /// The least period and pre-period that the values prove, by the theorem of Guy and Smith, if they prove one. Time and
    /// memory are linear.
    pub fn proven_period(&self) -> Option<Period> {
        let code = CodeTakeSet::of(self.code);
        let (shift, bounds) = code.map_or((0, move_bounds(self.code)), |CodeTakeSet { take_set, shift }| {
            (shift, take_set.move_bounds())
        });
        let period = Period::proven(bounds, self.values.get(shift..)?)?;
        Some(Period { start: period.start + shift as u64, ..period })
    }

    /// Whether what is rare in their sparse space changes with every card, see
    /// [`SparseStream::is_by_place`](crate::grundy::segment::SparseStream::is_by_place).
    pub fn is_by_place(&self) -> bool {
        self.is_by_place
    }

    /// The sparse space they were found in, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        self.space
    }

    /// The period that was proven on the way, if one was.
    pub fn period(&self) -> Option<Period> {
        self.repetition.filter(|repetition| repetition.saltus == 0).map(|repetition| repetition.period)
    }

    /// The Grundy value of a heap of `n` cards.
    ///
    /// # Panics
    ///
    /// If the heap is larger than the values go, and no period was proven.
    pub fn nimber(&self, n: u64) -> Nimber {
        Repetition::value(self.repetition, &self.values, n)
    }
}

/// Number of values that are compared first.
const TAIL: usize = 256;

/// Whether the last values come before the end too: a period that is proven repeats the latter half. Few other sequences
/// pass this, and it takes far less time than a proof.
pub(super) fn ends_repeat(values: &[u16]) -> bool {
    if values.len() < 2 * TAIL {
        return true;
    }
    let (earlier, tail) = values.split_at(values.len() - TAIL);
    let [first, second, ..] = tail else { return true };
    let mut pairs = earlier.iter().zip(&earlier[1..]).enumerate();
    pairs.any(|(at, (a, b))| a == first && b == second && values[at..at + TAIL] == *tail)
}

/// The values of a code one after the other, at least `keep` of which are kept; `None` if a move may leave three heaps
/// or none leaves two, or if no sparse space shows in the first 65,536 values or fewer.
///
/// ```
/// use zeroxor::grundy::octal;
/// use zeroxor::grundy::segment::NoHistory;
///
/// // What is rare in 0.104 changes with every card.
/// let mut stream = octal::stream("0.104".parse().unwrap(), 1 << 16).unwrap();
/// stream.advance(1_000_000, &mut NoHistory).unwrap();
/// assert!(stream.is_by_place());
/// assert_eq!((stream.space().mask, stream.space().rares, stream.space().last), (0b10111, 20, 284));
/// ```
pub fn stream(code: OctalCode, keep: usize) -> Option<SparseStream> {
    let (take_set, before) = take_set(code)?;
    SparseStream::of(&take_set.take_set, before, keep)
}

/// Continues from the [saved](SparseStream::save) state of a code; `None` if these bytes are no state.
#[cfg(feature = "analysis")]
pub fn restore_stream(code: OctalCode, state: &[u8]) -> Option<SparseStream> {
    let (take_set, before) = take_set(code)?;
    SparseStream::restore(take_set.take_set, before, state)
}

/// The code as the engine takes it, and the values of the heaps before its first segment.
fn take_set(code: OctalCode) -> Option<(CodeTakeSet, Vec<u16>)> {
    let take_set = CodeTakeSet::of(code)?;
    let mut before = first_values(code, code.longest_take());
    before.truncate(take_set.shift);
    Some((take_set, before))
}

/// A code as the engine takes it, and how many cards more the heaps of the code have.
struct CodeTakeSet {
    take_set: TakeSet,
    shift: usize,
}

impl CodeTakeSet {
    /// `None` if no move leaves two heaps, or one leaves three.
    ///
    /// Where each move that may leave two heaps may also leave one, the parts of a pair may have the length 0, and the
    /// heaps are taken as they are. Otherwise a heap of n + 1 cards is a segment of n: two heaps of at least one card, from
    /// which k are taken, are two segments of any length, from which k + 1 are taken.
    fn of(code: OctalCode) -> Option<Self> {
        let longest = code.longest_take();
        let takes = |heaps| (0..=longest).filter(move |&take| code.allows(take, heaps));
        if takes(3).next().is_some() {
            return None;
        }
        let shift = u64::from(takes(2).any(|take| !code.allows(take, 1)));
        let pairs: Vec<usize> = takes(2).map(|take| narrow(take + shift)).collect();
        let singles = takes(1).filter(|&take| shift == 1 || !code.allows(take, 2)).map(narrow).collect();
        let first = first_values(code, longest + 1).split_off(narrow(shift));
        Some(Self { take_set: TakeSet::new(&pairs, singles, first)?, shift: narrow(shift) })
    }
}

/// The values of the heaps of 0 to `n` cards by the definition, for some dozens of them: of a code whose moves leave two
/// heaps at most.
fn first_values(code: OctalCode, n: u64) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    for size in 0..=n {
        let mut options = vec![];
        for take in 0..=size.min(code.longest_take()) {
            let left: usize = narrow(size - take);
            if left == 0 && code.allows(take, 0) {
                options.push(0);
            }
            if left > 0 && code.allows(take, 1) {
                options.push(values[left]);
            }
            if code.allows(take, 2) {
                options.extend((1..left).map(|a| values[a] ^ values[left - a]));
            }
        }
        values.push((0..u16::MAX).find(|value| !options.contains(value)).unwrap_or(0));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kayles, and Daisies, from Winning Ways.
    #[test]
    fn first_values_of_known_games() {
        let values = |code: &str, n| first_values(code.parse().unwrap(), n);
        assert_eq!(values("0.77", 9), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
        assert_eq!(values("0.137", 9), [0, 1, 1, 2, 0, 3, 1, 1, 0, 3]);
    }
}
