//! The sparse-space engine: Grundy values of long rows.

use std::sync::mpsc::sync_channel;
use std::thread;

use super::{Period, Window};

mod common_scan;
mod rare_scan;
mod rows;
mod seen;
mod split;
mod sum_block;
mod witnesses;
mod work;

use common_scan::CommonScan;
use rare_scan::RareScan;
use rows::CHUNK;
use seen::Epoch;
use split::{COMMON, Split};
use witnesses::Doubt;
use work::Work;

/// What splits the values of a window into rare and common ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseSpace {
    /// A nimber is rare when the number of its bits under the mask is even.
    pub mask: u64,
    /// How many segments have a rare value.
    pub rares: u64,
    /// The last of them.
    pub last: u64,
}

/// So many segments at most are sent to be confirmed together.
const BLOCK: usize = 16 * CHUNK;

/// So many blocks may wait to be confirmed.
const WAITING: usize = 4;

/// A block is no longer than one in so many of the segments guessed before it: should it not be needed, not much
/// is lost.
const GROWTH: usize = 8;

/// To confirm a segment may take so many times the steps of guessing it; mostly it takes less than these.
const MAX_CONFIRMING: u64 = 16;

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
/// new sum for each segment. Far pairs are entered for eight sums at once, see [`sum_block`].
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
/// [`Witnesses`]: witnesses::Witnesses
struct Sparse<A> {
    n: usize,
    split: Split,
    commons: CommonScan<A>,
    rares: RareScan<A>,
    /// In a window.
    sums: usize,
    threads: usize,
    /// How often each nimber has come; the length is a power of two.
    histogram: Vec<u32>,
    /// The rare codes seen of the latest sum by who looks for common ones.
    given: Vec<u8>,
    /// So many segments in a row must have been common the next time.
    min_run: usize,
    /// Where the split is next reconsidered.
    next_split: usize,
    /// Where a proof of a period is next tried.
    next_proof: usize,
    work: Work,
}

/// How far a guess went: whether there always was a common nimber that is no option, and what is in doubt.
type Ran = (Option<()>, Option<Doubt>);

/// What has been found.
pub(super) struct Found {
    /// From 0 on.
    pub(super) values: Vec<u16>,
    pub(super) space: Option<SparseSpace>,
    /// Proven on the way; the values behind were not looked for any more.
    pub(super) period: Option<Period>,
}

/// Why not all values were found.
pub(super) enum Left {
    /// The next nimber is 2^15 or more, or there are 2^31 values.
    Wide(Wide),
    /// It takes more steps than there may be: so many.
    OutOfReach(u64),
}

/// What is known where a nimber of 2^15 or more comes.
#[derive(Default)]
pub(super) struct Wide {
    /// How many values there are.
    len: u64,
    /// The values before, from 0 on.
    pub(super) values: Vec<u16>,
    /// For each XOR value so far one more than the latest sum that it was seen at, of all sums that moves from
    /// before lead to; 0 if no move leads back so far any more.
    pub(super) latest: Vec<u32>,
    /// The steps that were done.
    steps: u64,
}

impl Wide {
    /// The steps for all values up to `n`, these and those to come, whose pairs are entered one by one.
    pub(super) fn steps_to(&self, window: Window, n: u64) -> u64 {
        let [l, len, end] = [window.l, self.len, n.saturating_add(1)]
            .map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let pairs = work::all_pairs(l, end) - work::all_pairs(l, len);
        self.steps.saturating_add(work::one_by_one(pairs))
    }
}

/// So many steps take a nanosecond or less: mostly two thirds of it.
pub(super) const STEPS_OF_A_NANOSECOND: u64 = 2;

/// What is asked from time to time, with the steps that are done and those that are expected in all: whether to give up.
pub(super) type GiveUp<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

/// The Grundy values of a window up to `n`, and the steps that they took, if these are no more than `limit`.
pub(super) fn values(
    window: Window,
    n: u64,
    limit: u64,
    give_up: GiveUp<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<(Found, u64), Left> {
    let n = usize::try_from(n).ok().filter(|&n| n < i32::MAX as usize);
    let n = n.ok_or_else(|| Left::Wide(Wide::default()))?;
    let [l, r] = [window.l, window.r].map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
    let (l, r) = (l.min(n + 1), r.min(n + 1));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let work = Work::new(l, n, work::SLACK, limit);
    match r - l {
        0..0xff => Sparse::<u8>::new(l, r, n, threads, work).values(window, give_up, progress),
        0xff..0xffff => Sparse::<u16>::new(l, r, n, threads, work).values(window, give_up, progress),
        _ => Sparse::<u32>::new(l, r, n, threads, work).values(window, give_up, progress),
    }
}

impl<A: Epoch + Send> Sparse<A> {
    fn new(l: usize, r: usize, n: usize, threads: usize, work: Work) -> Self {
        Self {
            n,
            sums: r - l + 1,
            threads,
            split: Split::ALL_RARE,
            commons: CommonScan::new(l, r, n, threads),
            rares: RareScan::new(l, r, n, threads),
            // The segments that have no move.
            histogram: vec![l as u32],
            given: Vec::new(),
            min_run: MIN_COMMON_RUN,
            next_split: 32,
            next_proof: 1024,
            work,
        }
    }

    fn values(
        mut self,
        window: Window,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, u64), Left> {
        let mut next_check = 0;
        while self.commons.len() <= self.n {
            let i = self.commons.len();
            // So early that the memory it takes is no more than what the values to come will take.
            if i >= self.next_proof && i * 10 <= self.n * 6 {
                self.next_proof = i * 4;
                let period = Period::proven(window, self.commons.codes(0));
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
    fn advance(&mut self, progress: &mut dyn FnMut(u64)) -> Option<()> {
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
    fn finish(self, period: Option<Period>) -> (Found, u64) {
        let steps = self.work.done();
        let split = self.split;
        let found = self.rares.len();
        let mut codes = self.rares.into_codes();
        if let Some(Period { length, .. }) = period {
            (found..codes.len()).for_each(|i| codes[i] = codes[i - length as usize]);
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
    fn step(&mut self) -> Option<()> {
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

    fn count(&mut self, code: u16) {
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

    fn go_over(&mut self, split: Split) {
        self.split = split;
        self.commons.resplit(split);
        self.rares.resplit(split);
        self.work.add_recoding(self.commons.len());
        self.add_window();
    }

    /// The steps to find the least common nimber that is no option of the next segment. How far was guessed in
    /// vain does not matter: that depends on threads.
    fn cost(&self) -> u64 {
        self.commons.cost(self.rares.width())
    }

    /// Adds the work to enter all sums of a window once more.
    fn add_window(&mut self) {
        self.work.add(self.sums as u64 * self.cost() + self.rares.take_work());
    }

    /// Takes all nimbers to be the least common ones until the split is due to be reconsidered, or one is
    /// not, or it takes too long to confirm.
    fn run_ahead(&mut self, progress: &mut dyn FnMut(u64)) -> Option<()> {
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
            // As many were guessed in vain, about; so that the count does not depend on threads.
            let vain = (place - start).max(WAITING * CHUNK) as u64;
            self.work.add(vain * cost);
            self.add_window();
        }
        self.work.add((self.commons.len() - start) as u64 * cost + self.rares.take_work());
        self.rares.enter_window();
        for code in self.commons.codes(start).to_vec() {
            self.count(code);
        }
        guessed.or(doubt.map(|_| ()))
    }

    /// Guesses in this thread, and confirms in another; `None` if there is none.
    fn in_two_threads(&mut self, end: usize, progress: &mut dyn FnMut(u64)) -> Option<Ran> {
        if self.threads == 1 {
            return None;
        }
        let (commons, rares) = (&mut self.commons, &mut self.rares);
        thread::scope(|scope| {
            let (send, receive) = sync_channel::<Vec<u16>>(WAITING);
            let confirm = || receive.into_iter().find_map(|block| rares.confirm(&block));
            let confirming = thread::Builder::new().spawn_scoped(scope, confirm).ok()?;
            let guessed = guess(commons, end, progress, |block| send.send(block.to_vec()).is_ok());
            drop(send);
            // A panic over there is one here.
            Some((guessed, confirming.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
        })
    }

    /// Guesses and confirms one block after the other.
    fn in_turn(&mut self, end: usize, progress: &mut dyn FnMut(u64)) -> Ran {
        let mut doubt = None;
        let guessed = guess(&mut self.commons, end, progress, |block| {
            doubt = self.rares.confirm(block);
            doubt.is_none()
        });
        (guessed, doubt)
    }
}

/// Appends the least common nimbers up to `end`, in blocks, as long as these are taken; `None` if there is
/// none.
///
/// A block is not much beside all before: should they be wrong, not much is lost.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grundy::segment::Sequence;
    use crate::grundy::segment::sequence::dense;

    /// Wastes this much work before it goes back to enter all pairs.
    fn sparse<A: Epoch + Send>(l: usize, r: usize, n: usize, threads: usize, slack: u64) -> Sparse<A> {
        Sparse::new(l, r, n, threads, Work::new(l, n, slack, u64::MAX))
    }

    fn values(window: Window, n: u64, threads: usize, slack: u64) -> Vec<u32> {
        let (l, r) = (window.l.min(n + 1) as usize, window.r.min(n + 1) as usize);
        let n = n as usize;
        let values = if r - l < 255 {
            sparse::<u8>(l, r, n, threads, slack).values(window, &mut |_, _| false, &mut |_| ())
        } else {
            sparse::<u32>(l, r, n, threads, slack).values(window, &mut |_, _| false, &mut |_| ())
        };
        values.ok().unwrap().0.values.into_iter().map(u32::from).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        /// Every split gives the right values, if not in the shortest time, and even where pairs are not
        /// entered that should have been.
        #[test]
        fn any_splits(
            l in 1_usize..6,
            more in 0_usize..12,
            threads in 1_usize..3,
            masks in prop::collection::vec((any::<u16>(), 0_usize..120), 1..12),
        ) {
            let n = l + masks.iter().map(|&(_, run)| run).sum::<usize>();
            let mut sparse = sparse::<u8>(l, l + more, n, threads, work::SLACK);
            for (mask, run) in masks {
                sparse.go_over(Split::new(mask % 64));
                (0..run).for_each(|_| sparse.step().unwrap());
            }
            sparse.step().unwrap();
            let window = Window::new(l as u64, (l + more) as u64).unwrap();
            let values: Vec<u32> = sparse.finish(None).0.values.into_iter().map(u32::from).collect();
            prop_assert_eq!(values, dense(window, n as u64));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        /// Also where it goes back to enter all pairs at once, after a while or never.
        #[test]
        fn any_window_and_threads(
            l in 1_u64..30,
            more in prop_oneof![4 => 0_u64..8, 2 => 0_u64..60, 1 => 240_u64..270, 1 => 0_u64..3000],
            n in 0_u64..6000,
            threads in 1_usize..4,
            slack in prop_oneof![Just(0), 0_u64..1 << 16, Just(work::SLACK)],
        ) {
            let window = Window::new(l, l + more).unwrap();
            prop_assert_eq!(values(window, n, threads, slack), dense(window, n));
        }
    }

    /// Where rare segments keep coming, a sparse space is left again, and the values stay right.
    #[test]
    fn back_to_all_pairs() {
        let n = 24_000;
        for (l, r) in [(1, 10), (2, 34), (3, 7)] {
            let mut engine = sparse::<u8>(l, r, n, 2, 1 << 10);
            let mut left = 0;
            while engine.commons.len() <= n {
                let was_sparse = engine.split.has_common();
                engine.advance(&mut |_| ()).unwrap();
                left += usize::from(was_sparse && !engine.split.has_common());
            }
            assert!(left > 0, "[{l}, {r}]");
            let window = Window::new(l as u64, r as u64).unwrap();
            let values: Vec<u32> = engine.finish(None).0.values.into_iter().map(u32::from).collect();
            assert_eq!(values, dense(window, n as u64), "[{l}, {r}]");
        }
    }

    /// Nimbers that become too large for codes on the way: the plain way goes on from what is known.
    #[test]
    fn from_codes_to_the_plain_way() {
        for (l, r, n) in [(1, 40_000, 34_000), (1, 600, 40_000)] {
            let window = Window::new(l, r).unwrap();
            let Err(Left::Wide(wide)) = super::values(window, n, u64::MAX, &mut |_, _| false, &mut |_| ())
            else {
                panic!("[{l}, {r}] has a nimber of 2^15 or more")
            };
            assert!(wide.values.len() > 30_000, "[{l}, {r}]");
            let sequence = Sequence::up_to(window, n);
            assert_eq!(sequence.values(), dense(window, n), "[{l}, {r}]");
        }
    }

    /// A limit is not passed, and what is beyond it is foreseen early.
    #[test]
    fn foreseen_steps() {
        let window = Window::new(7, 7).unwrap();
        let mut reached = 0;
        let limit = 1 << 24;
        let Err(Left::OutOfReach(steps)) =
            super::values(window, 1_000_000, limit, &mut |_, _| false, &mut |n| reached = n)
        else {
            panic!("all pairs of a million segments are more than 2^24")
        };
        assert!(steps > 1 << 37, "{steps}");
        assert!(reached < 10_000, "{reached}");
        let window = Window::new(1, 5).unwrap();
        let (_, steps) =
            super::values(window, 100_000, 1 << 26, &mut |_, _| false, &mut |_| ()).ok().unwrap();
        assert!(steps < 1 << 26, "{steps}");
    }

    /// What is counted does not depend on who was faster: one who guesses, or one who confirms.
    #[test]
    fn steps_are_the_same_each_time() {
        for (l, r) in [(1, 3), (1, 33), (3, 6)] {
            let window = Window::new(l as u64, r as u64).unwrap();
            let steps = |threads| {
                sparse::<u8>(l, r, 6000, threads, 1 << 16)
                    .values(window, &mut |_, _| false, &mut |_| ())
                    .ok()
                    .unwrap()
                    .1
            };
            let once = steps(2);
            assert!([2, 2, 3, 2].into_iter().all(|threads| steps(threads) == once), "[{l}, {r}]");
        }
    }
}
