//! One processor for the programs of a run and the thread that judges them.
//!
//! Programs that talk wait for each other. With a processor of its own, each would have to be woken from idleness for every
//! line. That takes several times as long as passing the line on, and the system charges the time to the program that
//! wrote the line.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// How long a thread returns to the processor that it has chosen.
const CHOICE_LIFETIME: Duration = Duration::from_secs(1);

/// The processor of each [`OneProcessor`] that exists.
static IN_USE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

thread_local! {
    /// The processor that this thread has chosen last, and when.
    static CHOICE: Cell<Option<(usize, Instant)>> = const { Cell::new(None) };
}

/// Keeps this thread, and the programs that it lets wardens start, on one processor while the value lives.
pub struct OneProcessor {
    allowed: CpuSet,
    processor: usize,
}

impl OneProcessor {
    /// Chooses a processor, or returns to the last one: always if `is_bound` says that a program already runs there, else
    /// for a second, if no other thread uses it. Returns `None` if the system does not let this thread choose.
    pub fn choose(is_bound: bool) -> Option<Self> {
        let allowed = sched_getaffinity(None).ok()?;
        let last = CHOICE.get().filter(|(_, made_at)| is_bound || made_at.elapsed() < CHOICE_LIFETIME);
        let (preferred, made_at) = last.unwrap_or_else(|| {
            // The system lets a thread wake up on an idle processor if its last one is busy, for example with the
            // programs of another judge.
            thread::sleep(Duration::from_millis(1));
            (sched_getcpu(), Instant::now())
        });
        let mut in_use = in_use();
        let processor = if is_bound { preferred } else { free_processor(preferred, &allowed, &in_use) };
        run_on(processor)?;
        in_use.push(processor);
        CHOICE.set(Some((processor, made_at)));
        Some(Self { allowed, processor })
    }
}

impl Drop for OneProcessor {
    fn drop(&mut self) {
        let mut in_use = in_use();
        if let Some(index) = in_use.iter().position(|&processor| processor == self.processor) {
            in_use.swap_remove(index);
        }
        let _ = sched_setaffinity(None, &self.allowed);
    }
}

fn in_use() -> MutexGuard<'static, Vec<usize>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a processor that nobody uses, the preferred one if possible; the preferred one if there is none.
fn free_processor(preferred: usize, allowed: &CpuSet, in_use: &[usize]) -> usize {
    let others = (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor));
    [preferred].into_iter().chain(others).find(|processor| !in_use.contains(processor)).unwrap_or(preferred)
}

/// Returns the processor to which this thread is restricted.
pub(crate) fn current() -> Option<usize> {
    let only = sched_getaffinity(None).ok().filter(|allowed| allowed.count() == 1)?;
    (0..CpuSet::MAX_CPU).find(|&processor| only.is_set(processor))
}

/// Restricts this thread, and the processes that it starts from now on, to `processor`.
pub(crate) fn run_on(processor: usize) -> Option<()> {
    let mut only = CpuSet::new();
    only.set(processor);
    sched_setaffinity(None, &only).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_takes_a_free_processor() {
        let mut allowed = CpuSet::new();
        for processor in [1, 4, 6] {
            allowed.set(processor);
        }
        let cases: [(&[usize], usize); 4] = [(&[], 4), (&[1, 6], 4), (&[4, 1], 6), (&[1, 4, 4, 6], 4)];
        for (chosen, expected) in cases {
            assert_eq!(free_processor(4, &allowed, chosen), expected, "{chosen:?}");
        }
    }

    #[test]
    fn a_thread_stays_on_one_processor_for_a_run() {
        let allowed = sched_getaffinity(None).unwrap();
        let kept = OneProcessor::choose(false);
        assert_eq!((sched_getaffinity(None).unwrap().count(), current().is_some()), (1, true));
        drop(kept);
        assert_eq!((sched_getaffinity(None).unwrap(), current()), (allowed, None));
    }
}
