//! The Grundy values of heaps under a code: all values up to a size, or a stream.

use super::split_table::{Repetition, SplitTable};
use super::{Budget, GrundyTable, Nimber, Octal, OctalCode, TooLarge};
use crate::grundy::segment::{
    MoveBounds, NoHistory, Period, SparseSpace, SparseStream, StepLimit, StopReason, TakeSet,
};
use crate::integers::narrow;

/// Returns the bounds of the moves of a code. The proof of a period needs them.
pub fn move_bounds(code: OctalCode) -> MoveBounds {
    let leaves_three = code.digits().iter().any(|&digit| digit >= 8);
    // Without a bound on the cards taken, no number of values proves a period.
    let longest_take = code.longest_take().unwrap_or(u64::MAX);
    MoveBounds { longest_take, most_heaps: if leaves_three { 3 } else { 2 } }
}

/// The Grundy values of heaps of 0 to n cards under a code, or of every size if a period is proven.
///
/// ```
/// use zeroxor::grundy::Budget;
/// use zeroxor::grundy::octal::CodeSequence;
///
/// // The values of Dawson's Chess have the period 34 from 52 cards on.
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
    pub(super) repetition: Option<Repetition>,
}

/// Number of values after which [`CodeSequence::repeating`] first searches for a period.
pub(super) const FIRST_SEARCH: u64 = 1 << 20;

/// Number of values by which a stream advances. Shorter sequences do not use a stream.
const STREAM_STEP: u64 = 1 << 13;

/// Maximum number of rare values for which a stream is used although the multi-threaded engine can use the same sparse
/// space. With more rare values, the multi-threaded engine is faster.
const MAX_RARES: u64 = 1024;

/// A stream is abandoned if more than one value in `RARE_SHARE` is rare. Then rare values probably continue to appear.
const RARE_SHARE: u64 = 16;

/// Number of bytes for each value while the values are computed.
const BYTES_PER_VALUE: u128 = 3 * size_of::<u16>() as u128;

/// Maximum size of a heap: the engine counts in 32 bits.
const MAX_SIZE: u64 = i32::MAX as u64 - 1;

impl CodeSequence {
    /// Computes the values of all heaps of 0 to `n` cards within `budget`, from which the cost is subtracted.
    /// `progress` is called from time to time with the size up to which the values are known. If a period is proven
    /// early, later values are copied from earlier ones.
    ///
    /// Time: at most 3/8 n^2 steps, usually far less in a sparse space. If moves may leave three heaps, n^2/3 steps for
    /// each allowed take, or n^3/700 steps if nimbers grow as fast as the heaps. If digits of the code repeat, one step
    /// for each move. Memory: [`bytes`](Self::bytes).
    ///
    /// # Errors
    ///
    /// If the values cost more than the budget, if `n` is 2^31 - 1 or more, or if a nimber is 2^15 or more (2^16 for
    /// moves that leave three heaps, and for digits that repeat). Without the feature `analysis`, if a move may leave
    /// three heaps.
    ///
    /// # Panics
    ///
    /// If the memory cannot be allocated.
    pub fn within(
        code: OctalCode,
        n: u64,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        Self::after(&mut None, code, n, budget, progress)
    }

    /// Computes the values of [`within`](Self::within). Uses the stream in `known` if there is one. A stream that has
    /// advanced to `n` is left in `known` for the next call.
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
            // The wire protocol has no such codes.
            return Self::with_three_heaps(code, size, false, budget, progress);
        }
        let Some(longest) = code.longest_take() else {
            return Self::with_repeated_digits(code, size, budget, progress);
        };
        let Some(CodeTakeSet { take_set, shift }) = CodeTakeSet::of(code) else {
            return Self::without_splits(code, longest, size, budget);
        };
        let first = first_values(code, n.min(longest + 1));
        if size < first.len() {
            return Ok(Self { code, values: first, space: None, repetition: None });
        }
        if n >= STREAM_STEP
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
        let result = take_set.values(size - shift, limit, give_up, &mut |n| progress(n + shift as u64));
        let (found, steps) = result.map_err(|left| match left {
            StopReason::OutOfReach(steps) => {
                too_slow.unwrap_or_else(|| budget.too_many_steps(what(), in_nanoseconds(steps)))
            }
            StopReason::Wide(_) => refusal((1 << 15) + 1, 1 << 15, "different nimbers"),
        })?;
        // The engine checks the limit only from time to time, so `steps` may be a little above it.
        budget.spend(what, in_nanoseconds(steps).min(budget.steps()), Self::bytes(n))?;
        let mut values = found.values;
        // The first value of the take set is the value of the heap of `shift` cards. Insert the values of the smaller
        // heaps before it.
        values.splice(0..0, first[..shift].iter().copied());
        let later = shift as u64;
        let space = found.space.map(|space| SparseSpace {
            // With a shift of 1, the heap of no cards is rare too, because its value is 0.
            rares: space.rares + later,
            last: if space.rares > 0 { space.last + later } else { 0 },
            ..space
        });
        let period = found.period.map(|period| Period { start: period.start + later, ..period });
        Ok(Self { code, values, space, repetition: period.map(Repetition::of) })
    }

    /// Computes the values by a stream; `None` if the code has no stream, if too many values are rare, or if the stream
    /// would exceed the budget.
    fn streamed(
        known: &mut Option<SparseStream>,
        code: OctalCode,
        n: u64,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Self>, TooLarge> {
        let what = || format!("a Grundy table of heaps up to {n} under the code {code}");
        let Some(mut stream) = known.take().or_else(|| stream(code, usize::MAX / 4)) else { return Ok(None) };
        let (cpu_watch, mut next_proof) = (&mut budget.watch_cpu(), (2 * stream.len()).max(4 * STREAM_STEP));
        let mut period = None;
        // A value costs about 64 steps, and half a step for each rare value.
        let steps = |len: u64, rares: u64| u128::from(len) * u128::from(rares / 2 + 64);
        while stream.len() <= n && period.is_none() {
            let (len, rares) = (stream.len(), stream.space().rares);
            let (done, all) = (steps(len, rares), steps(n, rares));
            cpu_watch.check(what, done, all)?;
            let are_many = rares > MAX_RARES && stream.space().exchanged.is_none();
            if all > budget.steps() || rares * RARE_SHARE > len || are_many {
                return Ok(None);
            }
            if len >= next_proof && len * 10 <= n * 6 {
                next_proof = len * 4;
                let values: Vec<u16> = stream.first_values().collect();
                period = Some(&values)
                    .filter(|values| ends_repeat(values))
                    .and_then(|values| Period::proven(move_bounds(code), values));
            } else if stream.advance((len + STREAM_STEP).min(n + 1), &mut NoHistory).is_err() {
                return Ok(None);
            }
            progress(stream.len() - 1);
        }
        // Collecting with `take` is slower.
        let mut values: Vec<u16> = stream.first_values().collect();
        values.truncate(narrow::<usize>(n).saturating_add(1));
        if let Some(Period { length, .. }) = period {
            (values.len()..=narrow(n)).for_each(|n| values.push(values[n - narrow::<usize>(length)]));
        }
        let space = stream.space_below(n + 1);
        budget.spend(what, steps(n, space.rares).min(budget.steps()), Self::bytes(n))?;
        *known = Some(stream);
        let repetition = period.map(Repetition::of);
        Ok(Some(Self { code, values, space: Some(space), repetition }))
    }

    /// Computes the values of a code in which no move leaves two heaps. Each value is the mex of a few earlier values.
    fn without_splits(
        code: OctalCode,
        longest: u64,
        n: usize,
        budget: &mut Budget,
    ) -> Result<Self, TooLarge> {
        let what = || format!("a Grundy table of heaps up to {n} under the code {code}");
        let steps = (n as u128 + 1) * u128::from(longest + 1);
        budget.spend(what, steps, Self::bytes(n as u64))?;
        let mut values = first_values(code, (n as u64).min(longest));
        let takes: Vec<usize> = (1..=longest).filter(|&take| code.allows(take, 1)).map(narrow).collect();
        for size in values.len()..=n {
            let seen = takes.iter().fold(0_u128, |seen, take| seen | 1 << values[size - take]);
            values.push(narrow::<u16>(seen.trailing_ones() as usize));
        }
        let repetition = Period::proven(move_bounds(code), &values).map(Repetition::of);
        Ok(Self { code, values, space: None, repetition })
    }

    /// Computes the values of a code whose digits repeat, each as the mex over all moves.
    fn with_repeated_digits(
        code: OctalCode,
        n: usize,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let what = || format!("a Grundy table of heaps up to {n} under the code {code}");
        budget.spend(what, 0, Self::bytes(n as u64))?;
        let (mut values, mut seen): (Vec<u16>, Vec<usize>) = (Vec::new(), vec![0; 1 << 16]);
        let (allowed, mut cpu_watch) = (budget.steps(), budget.watch_cpu());
        for size in 0..=n {
            let mut steps = size;
            for left in 0..=size {
                let [none, one, two] = [0, 1, 2].map(|heaps| code.allows((size - left) as u64, heaps));
                let single = if left == 0 { none.then_some(0) } else { one.then(|| values[left]) };
                let smaller = values.get(1..left).filter(|_| two).unwrap_or_default();
                let pairs = smaller.iter().zip(smaller.iter().rev()).take(left / 2).map(|(a, b)| a ^ b);
                for value in single.into_iter().chain(pairs) {
                    seen[usize::from(value)] = size + 1;
                }
                steps += smaller.len() / 2;
            }
            budget.spend(what, steps as u128, 0)?;
            let Ok(value) = u16::try_from(seen.iter().take_while(|&&last| last == size + 1).count()) else {
                let (asked, limit) = ((1 << 16) + 1, 1 << 16);
                return Err(TooLarge { what: what(), asked, left: limit, limit, unit: "different nimbers" });
            };
            values.push(value);
            if size % 256 == 0 {
                let done = allowed - budget.steps();
                let all = done.saturating_mul((n as u128 + 1).pow(2)) / (size as u128 + 1).pow(2);
                cpu_watch.check(what, done, all)?;
                progress(size as u64);
            }
        }
        Ok(Self { code, values, space: None, repetition: None })
    }

    /// Returns the memory in bytes that computing the values up to `n` needs.
    pub fn bytes(n: u64) -> u128 {
        (u128::from(n) + 1) * BYTES_PER_VALUE
    }

    /// Returns the code.
    pub fn code(&self) -> OctalCode {
        self.code
    }

    /// Returns the computed values, from 0 cards on.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// Computes the values of [`within`](Self::within), but stops once a period is proven, or for three heaps an
    /// arithmetic period. If the budget has too few bytes for all values, only the values that fit in these bytes are
    /// computed and searched for a period.
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
        if move_bounds(code).most_heaps > 2 {
            return Self::with_three_heaps(code, narrow(n), true, budget, progress);
        }
        let most = budget.bytes() / BYTES_PER_VALUE;
        let most = n.min(MAX_SIZE).min(u64::try_from(most).unwrap_or(u64::MAX).saturating_sub(1));
        let mut known = None;
        for size in [FIRST_SEARCH, most].into_iter().filter(|&size| size < n) {
            let mut spent = *budget;
            let first = Self::after(&mut known, code, size, &mut spent, progress);
            budget.keep_clock(&spent);
            match first {
                Ok(first) => {
                    let repetition = first.repetition.or_else(|| first.proven_period().map(Repetition::of));
                    if repetition.is_some() {
                        *budget = spent;
                        return Ok(Self { repetition, ..first });
                    }
                    // The values are dropped, so only their steps are spent.
                    *budget = budget.with_steps(spent.steps());
                }
                Err(error) if most == n => return Err(error),
                // The call after the loop fails too, because `n` values do not fit in the budget. Its error names the
                // requested size.
                Err(_) => break,
            }
        }
        Self::after(&mut known, code, n, budget, progress)
    }

    /// Returns a table of these values.
    pub fn into_table(self) -> Box<dyn GrundyTable> {
        let Self { code, values, repetition, .. } = self;
        Box::new(SplitTable::new(Octal::new(code), values, repetition))
    }

    /// Returns the least period that the values prove, with its pre-period, see [`Period::proven`].
    pub fn proven_period(&self) -> Option<Period> {
        let code = CodeTakeSet::of(self.code);
        let (shift, bounds) = code.map_or((0, move_bounds(self.code)), |CodeTakeSet { take_set, shift }| {
            (shift, take_set.move_bounds())
        });
        let period = Period::proven(bounds, self.values.get(shift..)?)?;
        Some(Period { start: period.start + shift as u64, ..period })
    }

    /// Returns the sparse space that the values were computed in, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        self.space
    }

    /// Returns the period that was proven while the values were computed, if there is one.
    pub fn period(&self) -> Option<Period> {
        self.repetition.filter(|repetition| repetition.saltus == 0).map(|repetition| repetition.period)
    }

    /// Returns the Grundy value of a heap of `n` cards.
    ///
    /// # Panics
    ///
    /// If the value was not computed and does not follow from a period.
    pub fn nimber(&self, n: u64) -> Nimber {
        Repetition::value(self.repetition, &self.values, n)
    }
}

/// Number of last values that [`ends_repeat`] searches for among the earlier values.
const TAIL: usize = 256;

/// Returns whether the last `TAIL` values also occur earlier; true for fewer than `2 * TAIL` values. If the result is
/// false, the values prove no period. The test takes far less time than a proof, and for few sequences without a period
/// the result is true.
pub(super) fn ends_repeat(values: &[u16]) -> bool {
    if values.len() < 2 * TAIL {
        return true;
    }
    let (earlier, tail) = values.split_at(values.len() - TAIL);
    let [first, second, ..] = tail else { return true };
    let mut pairs = earlier.iter().zip(&earlier[1..]).enumerate();
    pairs.any(|(at, (a, b))| a == first && b == second && values[at..at + TAIL] == *tail)
}

/// Returns the stream of the values of a code, which keeps at least `keep` values; `None` if a move may leave three
/// heaps, if no move leaves two, if digits of the code repeat, or if the first 65,536 values show no sparse space.
///
/// ```
/// use zeroxor::grundy::octal;
/// use zeroxor::grundy::segment::{NoHistory, SparseSpace};
///
/// // The rare nimbers of 0.104 depend on the parity of the heap.
/// let mut stream = octal::stream("0.104".parse().unwrap(), 1 << 16).unwrap();
/// stream.advance(1_000_000, &mut NoHistory).unwrap();
/// let SparseSpace { mask, exchanged, rares, last } = stream.space();
/// assert_eq!((mask, exchanged, rares, last), (0b10111, Some(0), 20, 284));
/// ```
pub fn stream(code: OctalCode, keep: usize) -> Option<SparseStream> {
    let (start, before) = stream_start(code)?;
    SparseStream::of(&start.take_set, before, keep)
}

/// Returns the stream of a code from a [saved](SparseStream::save) state; `None` if the bytes are not valid.
pub fn restore_stream(code: OctalCode, state: &[u8]) -> Option<SparseStream> {
    let (start, before) = stream_start(code)?;
    SparseStream::restore(start.take_set, before, state)
}

/// Returns the take set of a code, and the values of the heaps of fewer than `shift` cards.
fn stream_start(code: OctalCode) -> Option<(CodeTakeSet, Vec<u16>)> {
    let take_set = CodeTakeSet::of(code)?;
    let mut before = first_values(code, code.longest_take()?);
    before.truncate(take_set.shift);
    Some((take_set, before))
}

/// The take set of a code. A heap of n + `shift` cards is a segment of n cards in `take_set`.
struct CodeTakeSet {
    take_set: TakeSet,
    shift: usize,
}

impl CodeTakeSet {
    /// Returns the take set of `code`; `None` if no move leaves two heaps, if one leaves three, or if digits repeat.
    ///
    /// If each number of cards whose removal may leave two heaps may also leave one heap, a part may be empty, and the
    /// shift is 0. Otherwise the shift is 1, because each part keeps a card: a move from a heap of n + 1 cards that
    /// takes k cards and leaves a + 1 and b + 1 is a move from a segment of n cards that takes k + 1 cards and leaves a
    /// and b.
    fn of(code: OctalCode) -> Option<Self> {
        let longest = code.longest_take()?;
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

/// Returns the values of heaps of 0 to `n` cards by the definition. Only for small `n`, and for codes whose moves leave
/// at most two heaps.
fn first_values(code: OctalCode, n: u64) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    for size in 0..=n {
        let mut options = vec![];
        for take in 0..=code.longest_take().unwrap_or(size).min(size) {
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

    /// Kayles and Dawson's Chess, from Winning Ways.
    #[test]
    fn first_values_of_known_games() {
        let values = |code: &str, n| first_values(code.parse().unwrap(), n);
        assert_eq!(values("0.77", 9), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
        assert_eq!(values("0.137", 9), [0, 1, 1, 2, 0, 3, 1, 1, 0, 3]);
    }
}
