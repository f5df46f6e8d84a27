//! The sparse-space engine: Grundy values of long rows.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::{Period, Window};

mod ahead;
mod commons;
mod rares;
mod seen;
mod split;

use commons::Commons;
use rares::Rares;
use seen::Age;
use split::{COMMON, Split};

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

/// So many segments go from one thread to the other together. In tests few, here and below, for all that can
/// happen to happen in short rows.
const BLOCK: usize = if cfg!(test) { 16 } else { 512 };

/// So many blocks may wait for the other thread.
const WAITING: usize = 6;

/// So few may wait without that anything is taken over.
const FEW: usize = if cfg!(test) { 0 } else { 2 };

/// So many segments in a row must have been common before it is taken for granted that the next are too.
const CALM: usize = if cfg!(test) { 64 } else { 4096 };

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
/// # Two threads
///
/// Once no rare segment has come for long, the two parts go on separately: one takes every value to be the
/// least common nimber, the other confirms it behind, and where it was wrong, the first goes back. Values are
/// confirmed before they are given out. If the first is the faster one, it takes over pairs of the other.
/// Until then, and where rare segments keep coming, the threads share the pairs of 64 sums.
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
    /// Where the split is next reconsidered.
    next_split: usize,
    /// Where a proof of a period is next tried.
    next_proof: usize,
}

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
            next_split: 32,
            next_proof: 1024,
        }
    }

    fn values(mut self, window: Window, progress: &mut dyn FnMut(u64)) -> Option<Found> {
        while self.commons.len() <= self.n {
            let i = self.commons.len();
            if i >= self.next_proof {
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
            if self.threads > 1 && self.split.has_common() && i > self.commons.last_rare() + CALM {
                self.run_ahead()?;
            }
            if self.commons.len() == i {
                self.step()?;
            }
            if i.is_multiple_of(BLOCK) || self.commons.len() > i + 1 {
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

    /// Goes on in two threads until the split is due to be reconsidered, or a rare segment has come.
    fn run_ahead(&mut self) -> Option<()> {
        let start = self.commons.len();
        let end = (start * 2).min(self.n + 1);
        let (commons, rares) = (&mut self.commons, &mut self.rares);
        let balance = Balance { waiting: AtomicUsize::new(0), wanted: AtomicUsize::new(rares.share(0)) };
        let (ahead, wrong) = thread::scope(|scope| {
            let (send, receive) = sync_channel(WAITING);
            let confirming = thread::Builder::new().spawn_scoped(scope, || confirm(rares, receive, &balance));
            // Without a second thread nothing is done here.
            let Ok(confirming) = confirming else { return (Some(()), Ok(None)) };
            let ahead = run(commons, end, &send, &balance);
            drop(send);
            (ahead, confirming.join())
        });
        self.commons.share(0);
        self.rares.share(0);
        // A panic over there is one here.
        let wrong = wrong.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if let Some((place, code)) = wrong {
            self.commons.rewind(place, code);
        }
        for code in self.commons.codes(start).to_vec() {
            self.count(code);
        }
        ahead.or(wrong.map(|_| ()))
    }
}

/// Segments that are taken to have their least common nimbers.
struct Guess {
    codes: Vec<u16>,
    /// For each, which rare codes were seen of its latest sum; nothing where no pairs were entered for that.
    given: Vec<u8>,
    /// How many bytes that is for each.
    width: usize,
    /// How many pairs of a sum were entered for that.
    shared: usize,
}

/// What the two threads tell each other of how much they have to do.
struct Balance {
    /// How many guesses have not been taken up.
    waiting: AtomicUsize,
    /// How many pairs of a sum who confirms would enter.
    wanted: AtomicUsize,
}

/// Appends the least common nimbers up to `end`, and sends them on as long as they are taken.
fn run<A: Age>(
    commons: &mut Commons<A>,
    end: usize,
    send: &SyncSender<Guess>,
    balance: &Balance,
) -> Option<()> {
    while commons.len() < end {
        // The more has piled up for the other thread, the more is taken over.
        let [waiting, wanted] = [&balance.waiting, &balance.wanted].map(|of| of.load(Ordering::Relaxed));
        let shared = wanted * waiting.saturating_sub(FEW).min(WAITING - FEW) / (WAITING - FEW);
        commons.share(shared);
        let (from, width) = (commons.len(), commons.width());
        let mut given = Vec::with_capacity(if shared > 0 { BLOCK * width } else { 0 });
        let mut whole = Some(());
        while commons.len() < end.min(from + BLOCK) && commons.width() == width && whole.is_some() {
            let rares = (shared > 0).then_some(&mut given);
            whole = commons.least(rares).map(|code| commons.push(code));
        }
        let guess = Guess { codes: commons.codes(from).to_vec(), given, width, shared };
        balance.waiting.fetch_add(1, Ordering::Relaxed);
        if send.send(guess).is_err() {
            break;
        }
        whole?;
    }
    Some(())
}

/// Confirms the nimbers that come; returns the first that is wrong, by its place, and the right one.
fn confirm<A: Age>(
    rares: &mut Rares<A>,
    receive: Receiver<Guess>,
    balance: &Balance,
) -> Option<(usize, u16)> {
    for guess in receive {
        balance.waiting.fetch_sub(1, Ordering::Relaxed);
        balance.wanted.store(rares.share(guess.shared), Ordering::Relaxed);
        let mut given = &guess.given[..];
        for common in guess.codes {
            let (this, rest) = given.split_at(guess.width.min(given.len()));
            given = rest;
            let code = rares.settle(common, this);
            if code < COMMON {
                return Some((rares.len() - 1, code));
            }
        }
    }
    None
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
            shared in 0_usize..20,
            masks in prop::collection::vec((any::<u16>(), 0_usize..120), 1..12),
        ) {
            let n = masks.iter().map(|&(_, run)| run).sum::<usize>();
            let mut sparse = Sparse::<u8>::new(l, l + more, n, threads);
            sparse.rares.share(shared);
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
