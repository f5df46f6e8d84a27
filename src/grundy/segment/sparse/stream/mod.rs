//! A stream of the Grundy values of a game, in bounded memory. The module [`sparse`](super) explains the terms.

use super::split::COMMON;
use super::take_set::TakeSet;
use super::{SparseSpace, StepLimit, StopReason};
use crate::grundy::segment::{Period, Window};
use crate::integers::narrow;

mod codes;
mod ones;
mod pairs;
mod repeats;
mod run;
#[cfg(test)]
mod tests;
mod views;
mod witnesses;
mod words;

pub use pairs::{History, NoHistory, Stopped};

use codes::{Classes, Codes, Nimbers, Partners};
use codes::{Reader, Writer};
use repeats::Repeats;
use run::{Engine, Halt, Run};

/// Number of first values that the engine of whole sequences computes. If they show no sparse space, it computes 4
/// times as many values, then 16 times as many.
const FIRST_VALUES: usize = if cfg!(test) { 1 << 9 } else { 1 << 12 };

/// At most one in `RARE_SHARE` values of a sparse space is rare.
const RARE_SHARE: u64 = if cfg!(test) { 6 } else { 16 };

/// Maximum number of values that are computed before old codes are dropped and the classes are reconsidered.
const BLOCK: usize = 1 << 14;

/// Maximum number of cards that a move may take under a window.
const MAX_TAKE: u64 = 256;

/// The Grundy values of heaps in a sparse space, one after the other, for a window or for a code whose moves leave at
/// most two heaps. A *segment* is a heap without the card that `TakeSet` may omit, and its *place* is its length.
///
/// # Algorithm
///
/// Rare and common values are divided by a mask, as in the engine of whole sequences, or by a mask and the parity of
/// the place, see [`SparseSpace::exchanged`]. The least common nimber that is no option of a heap follows from the rare
/// heaps and from the last values, about as many as the last rare heap has cards. Pairs of a short common heap and a
/// recent common heap show that the smaller rare nimbers are options. So only the first and the last values are kept.
/// If no such pair is found, all earlier values are read from a [`History`].
///
/// If codes are below 256, the common options of 16, 32 or 64 sums are computed together. Each sum has a word of 64, 32
/// or 16 bits, the shortest that nearly all codes fit in, or four words of 64 bits if many codes are larger. Common
/// values are guessed, and up to 512 of them are confirmed together: all smaller rare nimbers must be options.
///
/// Time: for each value a few dozen steps, and up to one for each rare heap. Memory: four to six bytes for each kept
/// value.
///
/// ```
/// use zeroxor::grundy::segment::{NoHistory, SparseStream, Window};
///
/// let mut stream = SparseStream::of_window(Window::new(1, 3).unwrap(), 1 << 16).unwrap();
/// stream.advance(1_000_000, &mut NoHistory).unwrap();
/// assert_eq!(stream.len(), 1_000_000);
/// assert!(stream.values_from(999_990).unwrap().all(|value| value > 0));
/// ```
pub struct SparseStream {
    run: Run,
    engine: Engine,
    /// The values of the heaps that are smaller than the first segment.
    before: Vec<u16>,
    /// The place at which the classes are reconsidered, while all codes are kept.
    next_split: usize,
    repeats: Repeats,
}

impl std::fmt::Debug for SparseStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseStream")
            .field("len", &self.len())
            .field("space", &self.space())
            .finish_non_exhaustive()
    }
}

impl SparseStream {
    /// Returns the stream of a window, which keeps at least `keep` values; `None` if a move may take more than 256
    /// cards, or if the first 65,536 values show no sparse space.
    pub fn of_window(window: Window, keep: usize) -> Option<Self> {
        let take = |take: u64| usize::try_from(take).ok().filter(|_| take <= MAX_TAKE);
        Self::of(&TakeSet::window(take(window.l())?, take(window.r())?), Vec::new(), keep)
    }

    /// Returns the stream of a game; `None` if its first values show no sparse space. `before` are the values of the
    /// heaps that are smaller than the first segment, so a heap has `before.len()` more cards than its segment.
    pub(in crate::grundy) fn of(take_set: &TakeSet, before: Vec<u16>, keep: usize) -> Option<Self> {
        for few in [FIRST_VALUES, 4 * FIRST_VALUES, 16 * FIRST_VALUES] {
            let found = take_set.values(
                few.max(4 * take_set.longest()),
                StepLimit::NONE,
                &mut |_, _| false,
                &mut |_| (),
            );
            let values = match found {
                Ok((found, _)) => found.values,
                Err(StopReason::OutOfReach(_) | StopReason::Wide(_)) => return None,
            };
            let (classes, rares) = Classes::best(take_set, &Classes::ALL_RARE.counts(&values));
            if rares * RARE_SHARE <= values.len() as u64 {
                let codes: Vec<u16> = (0..).zip(&values).map(|(n, &value)| classes.code(value, n)).collect();
                let rares = Partners::rare_of(&codes);
                // Later values may depend on this many of the first codes, and on this many of the last codes.
                let keep = keep.max(2 * values.len()).max(4 * witnesses::REACH);
                let run = Run::new(take_set.clone(), classes, Codes::new(codes, keep), rares);
                return Some(Self::with(run, before));
            }
        }
        None
    }

    fn with(run: Run, before: Vec<u16>) -> Self {
        let (engine, next_split) = (Engine::new(&run), run.codes.len() * 2);
        Self { run, engine, before, next_split, repeats: Repeats::default() }
    }

    /// Returns the number of known values, from 0 cards on.
    pub fn len(&self) -> u64 {
        (self.run.codes.len() + self.before.len()) as u64
    }

    /// Returns whether no value is known: always `false`.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes values until `end` values are known.
    ///
    /// # Errors
    ///
    /// If a value is too large or follows neither from the kept values nor from `history`, or if `history` cannot be
    /// read. All values before this value are known then.
    pub fn advance(&mut self, end: u64, history: &mut dyn History) -> Result<(), Stopped> {
        let end: usize = narrow(end.saturating_sub(self.before.len() as u64));
        while self.run.codes.len() < end {
            if self.run.codes.is_whole() && self.run.codes.len() >= self.next_split {
                self.next_split *= 2;
                self.resplit();
            }
            self.run.codes.drop_old();
            let whole = if self.run.codes.is_whole() { self.next_split } else { end };
            let block = (self.run.codes.len() + BLOCK).min(end).min(whole);
            match self.engine.advance(&mut self.run, block) {
                Ok(()) => {}
                Err(halt) => self.read_history(halt, history)?,
            }
        }
        Ok(())
    }

    /// Chooses the best classes and witnesses for the values so far.
    fn resplit(&mut self) {
        let run = &mut self.run;
        let old = run.classes;
        let (classes, rares) = Classes::best(&run.take_set, &old.counts(run.codes.last()));
        if classes != old && rares < run.rares.len() as u64 {
            for (place, code) in run.codes.last_mut().iter_mut().enumerate() {
                *code = classes.code(old.nimber(*code, place), place);
            }
            let mut codes = std::mem::replace(&mut run.codes, Codes::new(Vec::new(), 0));
            let rares = Partners::rare_of(codes.last());
            codes.keep_more(2 * rares.last());
            *run = Run::new(run.take_set.clone(), classes, codes, rares);
            self.repeats = Repeats::default();
        } else {
            run.choose_witnesses();
        }
        self.engine = Engine::new(run);
    }

    /// Reads from `history` the values that are needed to continue after `halt`.
    fn read_history(&mut self, halt: Halt, history: &mut dyn History) -> Result<(), Stopped> {
        let (n, shift) = (self.run.codes.len(), self.before.len());
        let at = (n + shift) as u64;
        let no_history = Stopped::Unsettled { at };
        match halt {
            Halt::Wide => Err(Stopped::TooLarge { at }),
            Halt::Unsettled(code) => {
                let nimber = self.run.classes.nimber(code, n);
                let sums = self.run.moves.takes.iter().filter_map(|take| n.checked_sub(*take));
                let found = pairs::has_pair(history, sums, shift, nimber)?.ok_or(no_history)?;
                self.run.known.push((n, code, found));
                Ok(())
            }
            Halt::LateRare => {
                let values = pairs::all(history, n, shift)?.ok_or(no_history)?;
                let classes = self.run.classes;
                let codes = (0..).zip(values).map(|(place, value)| classes.code(value, place)).collect();
                self.run.codes = Codes::new(codes, 2 * n);
                self.engine = Engine::new(&self.run);
                Ok(())
            }
        }
    }

    /// Returns the known values from the heap of `from` cards on; `None` if they are no longer kept.
    pub fn values_from(&self, from: u64) -> Option<impl Iterator<Item = u16>> {
        let shift = self.before.len();
        let from = usize::try_from(from).ok().filter(|&from| from <= self.run.codes.len() + shift)?;
        let before = self.before.get(from..).unwrap_or_default();
        let (base, last) = (self.run.codes.base(), self.run.codes.last());
        let first = from.saturating_sub(shift);
        let codes = last.get(first.checked_sub(base)?..)?;
        let nimbers = Nimbers::of(self.run.classes);
        let values = (first..).zip(codes).map(move |(place, &code)| nimbers.at(code, place));
        Some(before.iter().copied().chain(values))
    }

    /// Returns the first values, as far as they are kept.
    pub fn first_values(&self) -> impl Iterator<Item = u16> {
        let nimbers = Nimbers::of(self.run.classes);
        let values = (0..).zip(self.run.codes.first()).map(move |(place, &code)| nimbers.at(code, place));
        self.before.iter().copied().chain(values)
    }

    /// Returns the sparse space of the known values.
    pub fn space(&self) -> SparseSpace {
        self.space_below(self.len())
    }

    /// Returns the sparse space of the heaps of fewer than `cards` cards, which may be fewer than are known.
    pub fn space_below(&self, cards: u64) -> SparseSpace {
        let shift = self.before.len();
        let end = usize::try_from(cards).unwrap_or(usize::MAX).saturating_sub(shift);
        let (rares, last) = self.run.rares.below(end);
        // The last of `before` is one place before the first segment.
        let before =
            self.before.iter().rev().zip(1..).map(|(&value, place)| self.run.classes.code(value, place));
        SparseSpace {
            mask: self.run.classes.mask().into(),
            exchanged: self.run.classes.exchanged().map(|parity| (parity + shift as u64) % 2),
            rares: (rares + before.filter(|&code| code < COMMON).count()) as u64,
            last: last.map_or(0, |last| (last + shift) as u64),
        }
    }

    /// Searches the values that were computed since the last call for a repetition. These values must still be kept.
    /// Returns the distance between equal values, once the values repeat.
    pub fn find_repeat(&mut self) -> Option<u64> {
        self.repeats.observe(&self.run);
        self.repeats.period().map(|period| period as u64)
    }

    /// Returns the least period and pre-period, if values [repeat](Self::find_repeat); `None` if `give_up` returns
    /// true, or if the period begins among values that are no longer kept. To find the pre-period, values are computed
    /// again.
    ///
    /// The result assumes that no later value is rare. The result is proven once [`Period::values_needed`] values are
    /// known and none of the values computed after this call was rare.
    pub fn repeat(&self, give_up: &mut dyn FnMut() -> bool) -> Option<Period> {
        let length = self.repeats.period()? as u64;
        let start = self.repeats.start(&self.run, give_up)?;
        Some(Period { start: (start + self.before.len()) as u64, length })
    }

    /// Assumes that no later value is rare, which the caller has proven. Later values then take less time.
    pub fn assume_no_more_rare(&mut self) {
        self.run.assumes_no_more_rare = true;
    }
}

impl SparseStream {
    /// Returns the state that later values depend on, as bytes.
    pub fn save(&self) -> Vec<u8> {
        let (run, mut writer) = (&self.run, Writer::default());
        writer.number(run.classes.mask().into());
        for number in
            [run.classes.exchanged().is_some().into(), run.assumes_no_more_rare.into(), self.next_split]
        {
            writer.number(number);
        }
        writer.number(run.rares.len());
        for (place, code) in run.rares.iter() {
            writer.number(place);
            writer.number(code.into());
        }
        writer.number(run.codes.base());
        writer.number(run.codes.keep());
        writer.codes(if run.codes.is_whole() { &[] } else { run.codes.first() });
        writer.codes(run.codes.last());
        self.repeats.save(&mut writer);
        writer.into_bytes()
    }

    /// Returns the stream of a window from a [saved](Self::save) state; `None` if the bytes are not valid.
    pub fn restore_window(window: Window, state: &[u8]) -> Option<Self> {
        let take = |take: u64| usize::try_from(take).ok().filter(|_| take <= MAX_TAKE);
        Self::restore(TakeSet::window(take(window.l())?, take(window.r())?), Vec::new(), state)
    }

    pub(in crate::grundy) fn restore(take_set: TakeSet, before: Vec<u16>, state: &[u8]) -> Option<Self> {
        let reader = &mut Reader::new(state);
        let (mask, is_by_place, assumes_no_more_rare) =
            (reader.code()?, reader.number()? == 1, reader.number()? == 1);
        let classes = Classes::new(&take_set, mask, is_by_place)?;
        let next_split = reader.number()?;
        let rares: Partners =
            reader.many(|reader| Some((reader.number()?, reader.code()?)))?.into_iter().collect();
        let (base, keep) = (reader.number()?, reader.number()?);
        let codes = Codes::with_gap(reader.codes()?, base, reader.codes()?, keep);
        let repeats = Repeats::restore(reader)?;
        let mut run = Run::new(take_set, classes, codes, rares);
        run.assumes_no_more_rare = assumes_no_more_rare;
        let is_state = reader.is_at_end() && run.codes.last().len() >= run.state_len().min(run.codes.len());
        is_state.then(|| Self { next_split, repeats, ..Self::with(run, before) })
    }
}
