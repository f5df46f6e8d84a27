//! One processor for the programs of a run and the thread that judges them.
//!
//! Programs that talk wait for each other. With a processor of its own, each would have to be woken from idleness for every
//! line. That takes several times as long as passing the line on, and the system charges the time to the program that
//! wrote the line.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// How long a thread returns to the processor that it has chosen.
const CHOICE_LIFETIME: Duration = Duration::from_secs(1);

static CHOSEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

thread_local! {
    static CHOICE: RefCell<Option<ChosenProcessor>> = const { RefCell::new(None) };
}

struct ChosenProcessor {
    processor: usize,
    made_at: Instant,
}

impl ChosenProcessor {
    /// Chooses one of the `allowed` processors: one that no other thread of the judge has chosen, if there is one.
    fn new(allowed: &CpuSet) -> Self {
        // The system lets a thread wake up on an idle processor if its last one is busy, for example with the programs
        // of another judge.
        thread::sleep(Duration::from_millis(1));
        let present = sched_getcpu();
        let mut chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
        let processor = free_processor(present, allowed, &chosen);
        chosen.push(processor);
        Self { processor, made_at: Instant::now() }
    }
}

/// Returns a processor that nobody has chosen, the present one if possible; the present one if there is none.
fn free_processor(present: usize, allowed: &CpuSet, chosen: &[usize]) -> usize {
    let others = (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor));
    [present].into_iter().chain(others).find(|processor| !chosen.contains(processor)).unwrap_or(present)
}

impl Drop for ChosenProcessor {
    fn drop(&mut self) {
        let mut chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = chosen.iter().position(|&processor| processor == self.processor) {
            chosen.swap_remove(index);
        }
    }
}

/// Keeps this thread, and the programs that it lets wardens start, on one processor while the value lives.
pub struct OneProcessor {
    allowed: CpuSet,
}

impl OneProcessor {
    /// Chooses a processor, or returns to the last one: always if `is_bound` says that a program already runs there, else
    /// for a second. Returns `None` if the system does not let this thread choose.
    pub fn choose(is_bound: bool) -> Option<Self> {
        let allowed = sched_getaffinity(None).ok()?;
        CHOICE.with_borrow_mut(|choice| {
            *choice = choice.take().filter(|last| is_bound || last.made_at.elapsed() < CHOICE_LIFETIME);
            let choice = choice.get_or_insert_with(|| ChosenProcessor::new(&allowed));
            run_on(choice.processor)?;
            Some(Self { allowed })
        })
    }
}

impl Drop for OneProcessor {
    fn drop(&mut self) {
        let _ = sched_setaffinity(None, &self.allowed);
    }
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
