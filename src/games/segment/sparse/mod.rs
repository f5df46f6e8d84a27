//! The sparse-space engine: Grundy values of long rows.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::Window;

mod commons;
mod rares;
mod seen;
mod split;

use commons::Commons;
use rares::Rares;
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

/// So many segments go from one thread to the other together.
const BLOCK: usize = 2048;

/// So many segments in a row must have been common before it is taken for granted that the next are too.
const CALM: usize = 4096;

/// A split pays if no more than one in so many segments is rare.
const MIN_COMMON: i64 = 9;

/// It does not pay if so many sums are in a window.
const MAX_SUMS: usize = 256;

/// The Grundy values of a window, one after the other.
///
/// # How
///
/// A [`Split`] calls nimbers rare or common, such that common = rare xor common, and such that few segments are
/// rare (E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways", chapter 4, "sparse spaces"; A.
/// Flammenkamp, pages on octal games). The least common nimber that is no option of a segment then comes from the
/// few pairs with a rare segment. The value is that nimber, unless a rare one below it is no option either: the
/// pairs of two common segments are looked at until all rare ones below have been seen, which mostly are a few
/// hundred of them.
///
/// What is seen is kept for each XOR value by the latest sum it was seen at: a window of R-L+1 sums costs one new sum
/// for each segment.
///
/// # Two threads
///
/// Once no rare segment has come for long, the two parts go on separately: one takes every value to be the least
/// common nimber, the other confirms it behind, and where it was wrong, the first goes back. Values are confirmed
/// before they are given out.
pub(super) struct Sparse {
    n: usize,
    split: Split,
    commons: Commons,
    rares: Rares,
    /// How often each nimber has come; the length is a power of two.
    histogram: Vec<u32>,
    /// Where the split is next reconsidered.
    next_split: usize,
}

impl Sparse {
    /// The values up to `n`; `None` if one is 2^15 or more, or there are 2^31 of them.
    pub(super) fn values(
        window: Window,
        n: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Option<(Vec<u16>, Option<SparseSpace>)> {
        let n = usize::try_from(n).ok().filter(|&n| n < i32::MAX as usize)?;
        let [l, r] = [window.l, window.r].map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
        let (l, r) = (l.min(n + 1), r.min(n));
        let mut sparse = Self {
            n,
            split: Split::ALL_RARE,
            commons: Commons::new(l, r, n),
            rares: Rares::new(l, r, n),
            histogram: vec![0],
            next_split: 32,
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        while sparse.commons.len() <= n {
            let i = sparse.commons.len();
            if i >= sparse.next_split && r.saturating_sub(l) < MAX_SUMS {
                sparse.next_split = i + i / 8 + 16;
                sparse.resplit();
            }
            if threads > 1 && sparse.split.has_common() && i > sparse.commons.last_rare() + CALM {
                sparse.run_ahead()?;
            }
            if sparse.commons.len() == i {
                sparse.step()?;
            }
            if i.is_multiple_of(BLOCK) || sparse.commons.len() > i + 1 {
                progress(sparse.commons.len() as u64);
            }
        }
        Some(sparse.finish())
    }

    fn finish(self) -> (Vec<u16>, Option<SparseSpace>) {
        let split = self.split;
        let mut codes = self.rares.into_codes();
        let rares = || (0..).zip(&codes).filter(|&(_, &code)| code < COMMON);
        let space = split.has_common().then(|| SparseSpace {
            mask: split.mask().into(),
            rares: rares().count() as u64,
            last: rares().map(|(n, _)| n).last().unwrap_or(0),
        });
        for code in &mut codes {
            *code = split.nimber(*code);
        }
        (codes, space)
    }

    /// Finds the next value.
    fn step(&mut self) -> Option<()> {
        let code = if self.split.has_common() {
            self.rares.settle(self.commons.least()?)
        } else {
            self.rares.settle_all()?
        };
        self.push(code);
        Some(())
    }

    fn push(&mut self, code: u16) {
        self.commons.push(code);
        self.count(code);
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
            self.split = best;
            self.commons.resplit(best);
            self.rares.resplit(best);
        }
    }

    /// Goes on in two threads until the split is due to be reconsidered, or a rare segment has come.
    fn run_ahead(&mut self) -> Option<()> {
        let start = self.commons.len();
        let end = self.next_split.min(self.n + 1);
        let (commons, rares) = (&mut self.commons, &mut self.rares);
        let (ahead, wrong) = thread::scope(|scope| {
            let (send, receive) = sync_channel(4);
            let confirming = thread::Builder::new().spawn_scoped(scope, move || confirm(rares, &receive));
            // Without a second thread nothing is done here.
            let Ok(confirming) = confirming else { return (Some(()), Ok(None)) };
            let ahead = run(commons, end, &send);
            drop(send);
            (ahead, confirming.join())
        });
        // A panic over there is one here.
        let wrong = wrong.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if let Some((place, code)) = wrong {
            self.commons.rewind(place, code);
        }
        for code in self.commons.codes(start) {
            self.count(code);
        }
        ahead.or(wrong.map(|_| ()))
    }
}

/// Appends the least common nimbers up to `end`, and sends them on as long as they are taken.
fn run(commons: &mut Commons, end: usize, send: &SyncSender<Vec<u16>>) -> Option<()> {
    while commons.len() < end {
        let from = commons.len();
        let mut whole = Some(());
        while commons.len() < end.min(from + BLOCK) && whole.is_some() {
            whole = commons.least().map(|code| commons.push(code));
        }
        if send.send(commons.codes(from)).is_err() {
            break;
        }
        whole?;
    }
    Some(())
}

/// Confirms the nimbers that come; returns the first that is wrong, by its place, and the right one.
fn confirm(rares: &mut Rares, receive: &Receiver<Vec<u16>>) -> Option<(usize, u16)> {
    for common in receive.iter().flatten() {
        let code = rares.settle(common);
        if code < COMMON {
            return Some((rares.len() - 1, code));
        }
    }
    None
}
