//! The sparse-space engine: Grundy values of long rows.

use std::sync::mpsc::sync_channel;
use std::thread;

use super::{Period, Window};

mod ahead;
mod commons;
mod rares;
mod rows;
mod seen;
mod split;
mod witnesses;

use commons::Commons;
use rares::Rares;
use rows::CHUNK;
use seen::Age;
use split::{COMMON, Split};
use witnesses::Wrong;

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
const WAITING: usize = 6;

/// So many segments in a row must have been common before it is taken for granted that the next are too, the
/// first time. In tests few, for all that can happen to happen in short rows.
const CALM: usize = if cfg!(test) { 64 } else { 1024 };

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
/// new sum for each segment. Far pairs are entered for eight sums at once, see [`ahead`].
///
/// # Guessing
///
/// Once no rare segment has come for long, every value is taken to be the least common nimber, and a block of
/// them is confirmed behind, in another thread if there is one: many segments at once, see [`Witnesses`].
/// Where one was wrong, it goes back. Values are confirmed before they are given out.
///
/// Until then, and where rare segments keep coming, the threads share the pairs of 64 sums.
///
/// [`Witnesses`]: witnesses::Witnesses
struct Sparse<A> {
    n: usize,
    split: Split,
    commons: Commons<A>,
    rares: Rares<A>,
    /// In a window.
    sums: usize,
    threads: usize,
    /// How often each nimber has come; the length is a power of two.
    histogram: Vec<u32>,
    /// The rare codes seen of the latest sum by who looks for common ones.
    given: Vec<u8>,
    /// So many segments in a row must have been common the next time.
    calm: usize,
    /// Where the split is next reconsidered.
    next_split: usize,
    /// Where a proof of a period is next tried.
    next_proof: usize,
}

/// How far a guess went: whether there always was a common nimber that is no option, and what was wrong.
type Ran = (Option<()>, Option<Wrong>);

/// What has been found.
pub(super) struct Found {
    /// From 0 on.
    pub(super) values: Vec<u16>,
    pub(super) space: Option<SparseSpace>,
    /// Proven on the way; the values behind were not looked for any more.
    pub(super) period: Option<Period>,
}

/// The Grundy values of a window up to `n`; `None` if one is 2^15 or more, or there are 2^31 of them.
pub(super) fn values(window: Window, n: u64, progress: &mut dyn FnMut(u64)) -> Option<Found> {
    let n = usize::try_from(n).ok().filter(|&n| n < i32::MAX as usize)?;
    let [l, r] = [window.l, window.r].map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
    let (l, r) = (l.min(n + 1), r.min(n + 1));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    match r - l {
        0..0xff => Sparse::<u8>::new(l, r, n, threads).values(window, progress),
        0xff..0xffff => Sparse::<u16>::new(l, r, n, threads).values(window, progress),
        _ => Sparse::<u32>::new(l, r, n, threads).values(window, progress),
    }
}

impl<A: Age + Send> Sparse<A> {
    fn new(l: usize, r: usize, n: usize, threads: usize) -> Self {
        Self {
            n,
            sums: r - l + 1,
            threads,
            split: Split::ALL_RARE,
            commons: Commons::new(l, r, n, threads),
            rares: Rares::new(l, r, n, threads),
            histogram: vec![0],
            given: Vec::new(),
            calm: CALM,
            next_split: 32,
            next_proof: 1024,
        }
    }

    fn values(mut self, window: Window, progress: &mut dyn FnMut(u64)) -> Option<Found> {
        while self.commons.len() <= self.n {
            let i = self.commons.len();
            // So early that the memory it takes is no more than what the values to come will take.
            if i >= self.next_proof && i * 10 <= self.n * 6 {
                self.next_proof = i * 4;
                let period = Period::proven(window, self.commons.codes(0));
                if period.is_some() {
                    return Some(self.finish(period));
                }
            }
            if i >= self.next_split && self.sums <= MAX_SUMS {
                self.next_split = i + i / 8 + 16;
                self.resplit();
            }
            if self.split.has_common() && i > self.commons.last_rare() + self.calm {
                self.run_ahead(progress)?;
            }
            if self.commons.len() == i {
                self.step()?;
            }
            if i.is_multiple_of(CHUNK) {
                progress(self.commons.len() as u64);
            }
        }
        Some(self.finish(None))
    }

    /// All values, those that are not there yet by the period.
    fn finish(self, period: Option<Period>) -> Found {
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
        Found { values: codes, space, period }
    }

    /// Finds the next value.
    fn step(&mut self) -> Option<()> {
        self.given.clear();
        let least = self.commons.least(Some(&mut self.given))?;
        let rares = &mut self.rares;
        let code = if self.split.has_common() { rares.settle(least, &self.given) } else { rares.push(least) };
        self.commons.push(code);
        self.count(code);
        Some(())
    }

    fn count(&mut self, code: u16) {
        let nimber = usize::from(self.split.nimber(code));
        if nimber >= self.histogram.len() {
            self.histogram.resize((nimber + 1).next_power_of_two(), 0);
        }
        self.histogram[nimber] += 1;
    }

    /// Chooses the best split.
    fn resplit(&mut self) {
        let best = Split::best(&self.histogram, MIN_COMMON);
        if best != self.split {
            self.go_over(best);
        }
    }

    fn go_over(&mut self, split: Split) {
        self.split = split;
        self.commons.resplit(split);
        self.rares.resplit(split);
    }

    /// Takes all nimbers to be the least common ones until the split is due to be reconsidered, or one is
    /// not.
    fn run_ahead(&mut self, progress: &mut dyn FnMut(u64)) -> Option<()> {
        let start = self.commons.len();
        let end = (start * 2).min(self.n + 1);
        self.rares.begin();
        let (guessed, wrong) =
            self.in_two_threads(end, progress).unwrap_or_else(|| self.in_turn(end, progress));
        if let Some(Wrong { place, code }) = wrong {
            self.calm = self.calm.max((place - self.commons.last_rare()) * 2);
            self.commons.rewind(place, code);
        }
        self.rares.enter_window();
        for code in self.commons.codes(start).to_vec() {
            self.count(code);
        }
        guessed.or(wrong.map(|_| ()))
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
        let mut wrong = None;
        let guessed = guess(&mut self.commons, end, progress, |block| {
            wrong = self.rares.confirm(block);
            wrong.is_none()
        });
        (guessed, wrong)
    }
}

/// Appends the least common nimbers up to `end`, in blocks, as long as these are taken; `None` if there is
/// none.
///
/// A block is no longer than all before: should they be wrong, not much is lost.
fn guess<A: Age>(
    commons: &mut Commons<A>,
    end: usize,
    progress: &mut dyn FnMut(u64),
    mut take: impl FnMut(&[u16]) -> bool,
) -> Option<()> {
    let start = commons.len();
    while commons.len() < end {
        let from = commons.len();
        let block = (from - start).clamp(CHUNK, BLOCK);
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
    use crate::games::segment::sequence::dense;

    fn values(window: Window, n: u64, threads: usize) -> Vec<u32> {
        let (l, r) = (window.l.min(n + 1) as usize, window.r.min(n + 1) as usize);
        let n = n as usize;
        let values = if r - l < 255 {
            Sparse::<u8>::new(l, r, n, threads).values(window, &mut |_| ())
        } else {
            Sparse::<u32>::new(l, r, n, threads).values(window, &mut |_| ())
        };
        values.unwrap().values.into_iter().map(u32::from).collect()
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
            let n = masks.iter().map(|&(_, run)| run).sum::<usize>();
            let mut sparse = Sparse::<u8>::new(l, l + more, n, threads);
            for (mask, run) in masks {
                sparse.go_over(Split::new(mask % 64));
                (0..run).for_each(|_| sparse.step().unwrap());
            }
            sparse.step().unwrap();
            let window = Window::new(l as u64, (l + more) as u64).unwrap();
            let values: Vec<u32> = sparse.finish(None).values.into_iter().map(u32::from).collect();
            prop_assert_eq!(values, dense(window, n as u64));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn any_window_and_threads(
            l in 1_u64..30,
            more in prop_oneof![4 => 0_u64..8, 2 => 0_u64..60, 1 => 240_u64..270, 1 => 0_u64..3000],
            n in 0_u64..6000,
            threads in 1_usize..4,
        ) {
            let window = Window::new(l, l + more).unwrap();
            prop_assert_eq!(values(window, n, threads), dense(window, n));
        }
    }
}
