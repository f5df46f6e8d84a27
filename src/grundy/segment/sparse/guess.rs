//! Guessing: values that are taken to be common, and confirmed behind.

use std::sync::mpsc::sync_channel;
use std::thread;

use super::common_scan::CommonScan;
use super::engine::Sparse;
use super::rows::CHUNK;
use super::seen::Epoch;
use super::witnesses::Doubt;

/// So many segments at most are sent to be confirmed together.
const BLOCK: usize = 16 * CHUNK;

/// So many blocks may wait to be confirmed.
const WAITING: usize = 4;

/// A block is no longer than one in so many of the segments guessed before it: should it not be needed, not much
/// is lost.
const GROWTH: usize = 8;

/// To confirm a segment may take so many times the steps of guessing it; mostly it takes less than these.
const MAX_CONFIRMING: u64 = 16;

/// How far a guess went: whether there always was a common nimber that is no option, and what is in doubt.
type Ran = (Option<()>, Option<Doubt>);

impl<A: Epoch + Send> Sparse<A> {
    /// Takes all nimbers to be the least common ones until the split is due to be reconsidered, or one is
    /// not, or it takes too long to confirm.
    pub(super) fn run_ahead(&mut self, progress: &mut dyn FnMut(u64)) -> Option<()> {
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
