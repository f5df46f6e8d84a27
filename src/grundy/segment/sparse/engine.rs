//! The main loop of the sparse-space engine.

use std::sync::mpsc::sync_channel;
use std::thread;

use super::rows::CHUNK;
use super::scan::{CommonScan, RareScan};
use super::seen::Epoch;
use super::split::{COMMON, Split};
use super::take_set::TakeSet;
use super::witnesses::Doubt;
use super::work::Work;
use super::{Found, GiveUp, SparseSpace, StopReason, Wide};
use crate::grundy::segment::{MoveBounds, Period};
use crate::integers::narrow;

/// Initial number of consecutive common segments after which the next ones are guessed to be common. Small in tests, so
/// that short rows reach each branch.
const MIN_COMMON_RUN: usize = if cfg!(test) { 64 } else { 1024 };

/// A split is used if at most one in `RARE_SHARE` segments is rare.
const RARE_SHARE: i64 = 6;

/// A split is tried only if there are at most `MAX_SUMS` sums from the least to the greatest that moves from a segment
/// leave.
const MAX_SUMS: usize = 256;

/// The engine that finds Grundy values one after the other in a sparse space. A segment is called rare or common if its
/// nimber is.
///
/// # Algorithm
///
/// A [`Split`] divides nimbers into rare and common ones such that rare xor common is common and few segments are rare
/// (E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways", chapter 4, "sparse spaces"; A. Flammenkamp, pages
/// on octal games). A common XOR needs a rare segment, so the least common nimber that is no option follows from the
/// few pairs with a rare segment. The value is that nimber, unless a smaller rare nimber is no option either. So pairs
/// of common segments, usually a few hundred, are tested until each smaller rare nimber is found as an XOR.
///
/// For each XOR, the engine stores the last sum at which the XOR was seen. So it enters only one new sum for each
/// segment, although moves leave R-L+1 sums. Pairs of long segments are entered for eight sums at once, see
/// [`sum_block`](super::sum_block).
///
/// # Guessing
///
/// After many common segments, each value is assumed to be the least common nimber that is no option. Blocks of such
/// guesses are confirmed later, many segments at once, in another thread if there is one, see [`Witnesses`]. If a guess
/// was wrong, the engine removes it and all later guesses, and continues from there. Values are confirmed before they
/// are returned.
///
/// While values are not guessed, all threads enter pairs: 64 sums are divided among them at a time.
///
/// # Falling back to all pairs
///
/// A sparse space and guesses may cost more than they save if rare segments keep coming, or if rare nimbers are hard to
/// find among the options. So all [`Work`] is counted in steps. If a sparse space took more steps than entering all
/// pairs would have taken, or if guesses took long to confirm, the engine goes back to entering all pairs. It retries a
/// sparse space once the wasted steps are few compared with the steps done since then. The total is at most about 1.5
/// times the steps of all pairs.
///
/// [`Witnesses`]: super::witnesses::Witnesses
pub(super) struct Sparse<A> {
    pub(super) n: usize,
    pub(super) split: Split,
    pub(super) commons: CommonScan<A>,
    pub(super) rares: RareScan<A>,
    /// The bounds of the moves, for proofs of a period.
    bounds: MoveBounds,
    /// The number of sums from the least to the greatest that moves from a segment leave.
    sums: usize,
    pub(super) threads: usize,
    /// The number of segments of each nimber; the length is a power of two.
    histogram: Vec<u32>,
    /// For each rare code, a byte that is not 0 if `commons` saw the code at the latest sum.
    given: Vec<u8>,
    /// Number of consecutive common segments after which values are guessed.
    pub(super) min_run: usize,
    /// The segment at which the split is next reconsidered.
    next_split: usize,
    /// The segment at which a proof of a period is next tried.
    next_proof: usize,
    pub(super) work: Work,
}

impl<A: Epoch + Send> Sparse<A> {
    pub(super) fn new(take_set: &TakeSet, n: usize, threads: usize, work: Work) -> Self {
        let mut sparse = Self {
            n,
            bounds: take_set.move_bounds(),
            sums: take_set.span(),
            threads,
            split: Split::ALL_RARE,
            commons: CommonScan::new(take_set, n, threads),
            rares: RareScan::new(take_set, n, threads),
            histogram: vec![0],
            given: Vec::new(),
            min_run: MIN_COMMON_RUN,
            next_split: 32,
            next_proof: 1024,
            work,
        };
        take_set.first().iter().for_each(|&value| sparse.count(value));
        sparse
    }

    pub(super) fn values(
        mut self,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, u64), StopReason> {
        let mut next_check = 0;
        while self.commons.len() <= self.n {
            let i = self.commons.len();
            // A proof is tried only while it needs no more memory than the missing values will.
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
                let expected = checked.map_err(StopReason::OutOfReach)?;
                if give_up(self.work.done(), expected) {
                    return Err(StopReason::OutOfReach(expected));
                }
            }
            if self.advance(progress).is_none() {
                return Err(StopReason::Wide(self.widen()));
            }
        }
        Ok(self.finish(None))
    }

    /// Finds the next value or values, and may change the split. Returns `None` if the split has no common nimber and
    /// all nimbers below 2^15 are options of the next segment.
    pub(super) fn advance(&mut self, progress: &mut dyn FnMut(u64)) -> Option<()> {
        let i = self.commons.len();
        if i >= self.next_split && self.sums <= MAX_SUMS {
            self.next_split = i + i / 8 + 16;
            self.resplit();
        }
        let mut found = if self.may_guess() { self.guess_ahead(progress) } else { Some(()) };
        if self.commons.len() == i && found.is_some() {
            found = self.step();
        }
        if found.is_none() {
            if !self.split.has_common() {
                return None;
            }
            // All common nimbers below 2^15 are options, but a rare nimber below 2^15 may be no option.
            self.next_split = usize::MAX;
            self.change_split(Split::ALL_RARE);
        }
        if self.split.has_common() && self.work.spare(self.commons.len()) == 0 {
            self.change_split(Split::ALL_RARE);
        }
        Some(())
    }

    /// Returns whether the last rare segment is so far back that the next values are guessed.
    fn may_guess(&self) -> bool {
        self.split.has_common() && self.commons.len() > self.commons.last_rare() + self.min_run
    }

    /// Returns the state from which the engine for larger nimbers continues. The split must have no common nimber.
    fn widen(self) -> Wide {
        let (latest, steps) = (self.commons.latest(), self.work.done());
        let len = self.commons.len();
        let mut values = self.rares.into_codes();
        values.truncate(len);
        Wide { len: len as u64, values, latest, steps }
    }

    /// Returns all values and the steps. Values that were not computed follow from `period`.
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
            exchanged: None,
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

    /// Chooses the best split; [`Split::ALL_RARE`] if the present split has not saved steps, or if too many steps have
    /// been wasted to try a split.
    fn resplit(&mut self) {
        let len = self.commons.len();
        let has_paid = self.work.has_paid(len);
        let is_tried = if self.split.has_common() { has_paid } else { self.work.may_try(len) };
        let best = if is_tried { Split::best(&self.histogram, RARE_SHARE) } else { Split::ALL_RARE };
        if best != self.split {
            self.change_split(best);
        }
    }

    pub(super) fn change_split(&mut self, split: Split) {
        self.split = split;
        self.commons.resplit(split);
        self.rares.resplit(split);
        self.work.add_recoding(self.commons.len());
        self.add_window();
    }

    /// Returns the steps to find the least common nimber that is no option of the next segment. This number does not
    /// depend on guesses that were taken back, because the speed of the threads determines how many guesses are taken
    /// back.
    pub(super) fn cost(&self) -> u64 {
        self.commons.cost(self.rares.width())
    }

    /// Adds the work to enter all sums of a window again.
    pub(super) fn add_window(&mut self) {
        self.work.add(self.sums as u64 * self.cost() + self.rares.take_work());
    }
}

/// Maximum number of segments that are sent to be confirmed together.
const BLOCK: usize = 16 * CHUNK;

/// Maximum number of blocks that wait to be confirmed.
const MAX_WAITING: usize = 4;

/// A block has at most 1/`GROWTH` as many segments as were guessed before the block, but at least one chunk. So a wrong
/// guess wastes little work.
const GROWTH: usize = 8;

/// Confirming a segment may take at most `MAX_CONFIRMING` times as many steps as guessing it. Usually confirming takes
/// fewer steps than guessing.
const MAX_CONFIRMING: u64 = 16;

/// The result of guessing. The first item is `None` if all common nimbers are options of some segment. The second item
/// is the [`Doubt`], if there is one.
type GuessResult = (Option<()>, Option<Doubt>);

impl<A: Epoch + Send> Sparse<A> {
    /// Guesses the values of the next segments: the guess for a segment is its least common nimber that is no option.
    /// Stops when the number of segments has doubled, when a guess is wrong, or when confirming takes too long. Returns
    /// `None` if all common nimbers are options of the next segment.
    pub(super) fn guess_ahead(&mut self, progress: &mut dyn FnMut(u64)) -> Option<()> {
        let start = self.commons.len();
        let end = (start * 2).min(self.n + 1);
        let (cost, spare) = (self.cost(), self.work.spare(start));
        self.rares.begin(cost * MAX_CONFIRMING, spare);
        let (guessed, doubt) =
            self.in_two_threads(end, progress).unwrap_or_else(|| self.in_turn(end, progress));
        if let Some(Doubt { place, code }) = doubt {
            let gap = (place - self.commons.last_rare()) * 2;
            self.min_run = self.min_run.max(gap) * if code.is_none() { 2 } else { 1 };
            self.commons.rewind(place, code);
            // An estimate of the wasted guesses that does not depend on threads.
            let wasted = (place - start).max(MAX_WAITING * CHUNK) as u64;
            self.work.add(wasted * cost);
            self.add_window();
        }
        self.work.add((self.commons.len() - start) as u64 * cost + self.rares.take_work());
        self.rares.enter_window();
        for code in self.commons.codes(start).to_vec() {
            self.count(code);
        }
        guessed.or(doubt.map(|_| ()))
    }

    /// Guesses in this thread and confirms in another thread; `None` if only one thread is allowed, or if no thread can
    /// be started.
    fn in_two_threads(&mut self, end: usize, progress: &mut dyn FnMut(u64)) -> Option<GuessResult> {
        if self.threads == 1 {
            return None;
        }
        let (commons, rares) = (&mut self.commons, &mut self.rares);
        thread::scope(|scope| {
            let (send, receive) = sync_channel::<Vec<u16>>(MAX_WAITING);
            let confirm = || receive.into_iter().find_map(|block| rares.confirm(&block));
            let confirming = thread::Builder::new().spawn_scoped(scope, confirm).ok()?;
            let guessed = guess(commons, end, progress, |block| send.send(block.to_vec()).is_ok());
            drop(send);
            // Continue a panic of the other thread.
            Some((guessed, confirming.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
        })
    }

    /// Guesses and confirms blocks alternately.
    fn in_turn(&mut self, end: usize, progress: &mut dyn FnMut(u64)) -> GuessResult {
        let mut doubt = None;
        let guessed = guess(&mut self.commons, end, progress, |block| {
            doubt = self.rares.confirm(block);
            doubt.is_none()
        });
        (guessed, doubt)
    }
}

/// Appends guessed segments in blocks, until there are `end` segments or `take` returns false for a block. The guessed
/// code of a segment is the least common code that is no option. Returns `None` if all common nimbers are options of a
/// segment.
fn guess<A: Epoch>(
    commons: &mut CommonScan<A>,
    end: usize,
    progress: &mut dyn FnMut(u64),
    mut take: impl FnMut(&[u16]) -> bool,
) -> Option<()> {
    let start = commons.len();
    while commons.len() < end {
        let from = commons.len();
        let block = ((from - start) / GROWTH).clamp(CHUNK, BLOCK) / CHUNK * CHUNK;
        let mut next = || commons.least(None).map(|code| commons.push(code));
        let whole = (from..end.min(from + block)).try_for_each(|_| next());
        progress(commons.len() as u64);
        if !take(commons.codes(from)) {
            break;
        }
        whole?;
    }
    Some(())
}
