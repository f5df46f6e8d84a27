//! The sparse-space engine: one value after the other.

use super::common_scan::CommonScan;
use super::leads::Leads;
use super::rare_scan::RareScan;
use super::rows::CHUNK;
use super::seen::Epoch;
use super::split::{COMMON, Split};
use super::work::Work;
use super::{Found, GiveUp, Left, SparseSpace, Wide};
use crate::grundy::segment::{MoveBounds, Period};
use crate::narrow::narrow;

/// So many segments in a row must have been common before it is taken for granted that the next are too, the
/// first time. In tests few, for all that can happen to happen in short rows.
const MIN_COMMON_RUN: usize = if cfg!(test) { 64 } else { 1024 };

/// A split pays if no more than one in so many segments is rare.
const MIN_COMMON: i64 = 6;

/// It does not pay if so many sums are in a window.
const MAX_SUMS: usize = 256;

/// The Grundy values of a window, one after the other.
///
/// # How
///
/// A [`Split`] calls nimbers rare or common, such that common = rare xor common, and such that few segments
/// are rare (E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways", chapter 4, "sparse spaces"; A.
/// Flammenkamp, pages on octal games). The least common nimber that is no option of a segment then comes from
/// the few pairs with a rare segment. The value is that nimber, unless a rare one below it is no option
/// either: the pairs of two common segments are looked at until all rare ones below have been seen, which
/// mostly are a few hundred of them.
///
/// What is seen is kept for each XOR value by the latest sum it was seen at: a window of R-L+1 sums costs one
/// new sum for each segment. Far pairs are entered for eight sums at once, see [`sum_block`](super::sum_block).
///
/// # Guessing
///
/// Once no rare segment has come for long, every value is taken to be the least common nimber, and a block of
/// them is confirmed behind, in another thread if there is one: many segments at once, see [`Witnesses`].
/// Where one was wrong, it goes back. Values are confirmed before they are given out.
///
/// Until then, and where rare segments keep coming, the threads share the pairs of 64 sums.
///
/// # The plain way
///
/// A sparse space, and guesses in it, mostly save work, but not always: rare segments may keep coming, or their
/// nimbers be hard to find among the options. So all [`Work`] is counted, in steps. Where a sparse space took more
/// of them than to enter all pairs, or guesses took long to confirm, the engine goes back to enter all pairs, and
/// tries a sparse space again once what was wasted is little beside the work since. All in all that is at most
/// half as much again as to enter all pairs.
///
/// [`Witnesses`]: super::witnesses::Witnesses
pub(super) struct Sparse<A> {
    pub(super) n: usize,
    pub(super) split: Split,
    pub(super) commons: CommonScan<A>,
    pub(super) rares: RareScan<A>,
    /// The most that a move takes.
    bounds: MoveBounds,
    /// How many sums a move may lead to, and those between them.
    sums: usize,
    pub(super) threads: usize,
    /// How often each nimber has come; the length is a power of two.
    histogram: Vec<u32>,
    /// The rare codes seen of the latest sum by who looks for common ones.
    given: Vec<u8>,
    /// So many segments in a row must have been common the next time.
    pub(super) min_run: usize,
    /// Where the split is next reconsidered.
    next_split: usize,
    /// Where a proof of a period is next tried.
    next_proof: usize,
    pub(super) work: Work,
}

impl<A: Epoch + Send> Sparse<A> {
    pub(super) fn new(leads: &Leads, n: usize, threads: usize, work: Work) -> Self {
        let mut sparse = Self {
            n,
            bounds: leads.move_bounds(),
            sums: leads.span(),
            threads,
            split: Split::ALL_RARE,
            commons: CommonScan::new(leads, n, threads),
            rares: RareScan::new(leads, n, threads),
            histogram: vec![0],
            given: Vec::new(),
            min_run: MIN_COMMON_RUN,
            next_split: 32,
            next_proof: 1024,
            work,
        };
        leads.first().iter().for_each(|&value| sparse.count(value));
        sparse
    }

    pub(super) fn values(
        mut self,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, u64), Left> {
        let mut next_check = 0;
        while self.commons.len() <= self.n {
            let i = self.commons.len();
            // So early that the memory it takes is no more than what the values to come will take.
            if i >= self.next_proof && i * 10 <= self.n * 6 {
                self.next_proof = i * 4;
                let period = Period::proven(self.bounds, self.commons.codes(0));
                if period.is_some() {
                    return Ok(self.finish(period));
                }
            }
            if i >= next_check {
                next_check = i + CHUNK;
                progress(i as u64);
                let largest = self.histogram.iter().rposition(|&count| count > 0).unwrap_or(0);
                let is_sparse = self.split.has_common();
                let checked = self.work.check(i, largest, is_sparse, self.may_guess());
                let expected = checked.map_err(Left::OutOfReach)?;
                if give_up(self.work.done(), expected) {
                    return Err(Left::OutOfReach(expected));
                }
            }
            if self.advance(progress).is_none() {
                return Err(Left::Wide(self.widen()));
            }
        }
        Ok(self.finish(None))
    }

    /// Finds the next value or many, and reconsiders how; `None` if there is no nimber left below 2^15, and none
    /// is common.
    pub(super) fn advance(&mut self, progress: &mut dyn FnMut(u64)) -> Option<()> {
        let i = self.commons.len();
        if i >= self.next_split && self.sums <= MAX_SUMS {
            self.next_split = i + i / 8 + 16;
            self.resplit();
        }
        let mut found = if self.may_guess() { self.run_ahead(progress) } else { Some(()) };
        if self.commons.len() == i && found.is_some() {
            found = self.step();
        }
        if found.is_none() {
            if !self.split.has_common() {
                return None;
            }
            // There may be a rare nimber below.
            self.next_split = usize::MAX;
            self.go_over(Split::ALL_RARE);
        }
        if self.split.has_common() && self.work.spare(self.commons.len()) == 0 {
            self.go_over(Split::ALL_RARE);
        }
        Some(())
    }

    /// Whether no rare segment has come for so long that the next values are guessed.
    fn may_guess(&self) -> bool {
        self.split.has_common() && self.commons.len() > self.commons.last_rare() + self.min_run
    }

    /// What is known where there is no nimber left below 2^15, and none is common.
    fn widen(self) -> Wide {
        let (latest, steps) = (self.commons.latest(), self.work.done());
        let len = self.commons.len();
        let mut values = self.rares.into_codes();
        values.truncate(len);
        Wide { len: len as u64, values, latest, steps }
    }

    /// All values, those that are not there yet by the period.
    pub(super) fn finish(self, period: Option<Period>) -> (Found, u64) {
        let steps = self.work.done();
        let split = self.split;
        let found = self.rares.len();
        let mut codes = self.rares.into_codes();
        if let Some(Period { length, .. }) = period {
            (found..codes.len()).for_each(|i| codes[i] = codes[i - narrow::<usize>(length)]);
        }
        let rares = || (0..).zip(&codes).filter(|&(_, &code)| code < COMMON);
        let space = split.has_common().then(|| SparseSpace {
            mask: split.mask().into(),
            rares: rares().count() as u64,
            last: rares().map(|(n, _)| n).last().unwrap_or(0),
        });
        for code in &mut codes {
            *code = split.nimber(*code);
        }
        (Found { values: codes, space, period }, steps)
    }

    /// Finds the next value.
    pub(super) fn step(&mut self) -> Option<()> {
        self.work.add(self.cost());
        self.given.clear();
        let least = self.commons.least(Some(&mut self.given))?;
        let rares = &mut self.rares;
        let code = if self.split.has_common() { rares.settle(least, &self.given) } else { rares.push(least) };
        self.commons.push(code);
        self.count(code);
        self.work.add(self.rares.take_work());
        Some(())
    }

    pub(super) fn count(&mut self, code: u16) {
        let nimber = usize::from(self.split.nimber(code));
        if nimber >= self.histogram.len() {
            self.histogram.resize((nimber + 1).next_power_of_two(), 0);
        }
        self.histogram[nimber] += 1;
    }

    /// Chooses the best split, or none where it has not paid, or too much work has been wasted so far.
    fn resplit(&mut self) {
        let len = self.commons.len();
        let has_paid = self.work.has_paid(len);
        let is_tried = if self.split.has_common() { has_paid } else { self.work.may_try(len) };
        let best = if is_tried { Split::best(&self.histogram, MIN_COMMON) } else { Split::ALL_RARE };
        if best != self.split {
            self.go_over(best);
        }
    }

    pub(super) fn go_over(&mut self, split: Split) {
        self.split = split;
        self.commons.resplit(split);
        self.rares.resplit(split);
        self.work.add_recoding(self.commons.len());
        self.add_window();
    }

    /// The steps to find the least common nimber that is no option of the next segment. How far was guessed in
    /// vain does not matter: that depends on threads.
    pub(super) fn cost(&self) -> u64 {
        self.commons.cost(self.rares.width())
    }

    /// Adds the work to enter all sums of a window once more.
    pub(super) fn add_window(&mut self) {
        self.work.add(self.sums as u64 * self.cost() + self.rares.take_work());
    }
}
