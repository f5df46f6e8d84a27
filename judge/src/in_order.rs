//! Processes items in several threads, and passes on the results in the order of the items.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use runner::interrupt::interrupted;
use runner::threads;

/// Maximum number of items that have begun but whose results, kept in memory, have not been passed on.
const MAX_AHEAD: u64 = 256;

/// Calls `work` for each item in `jobs` threads, each with its own state, and passes the results to `take` in the
/// order of the items. Stops after an error, after Ctrl-C, and when `take` returns `false`.
pub(crate) fn in_order<T: Send, S, R: Send>(
    jobs: usize,
    items: impl Iterator<Item = T> + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> anyhow::Result<R> + Sync,
    mut take: impl FnMut(R) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let queue = Queue::new(items);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs {
            let (queue, state, work, sender) = (&queue, &state, &work, sender.clone());
            let work_on_all = move || {
                let mut state = state();
                while let Some((index, item)) = queue.next() {
                    let result = work(&mut state, item);
                    let has_failed = result.is_err();
                    if sender.send((index, result)).is_err() || has_failed {
                        break;
                    }
                }
            };
            threads::start_scoped(scope, work_on_all).inspect_err(|_| queue.stop())?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in results {
            waiting.insert(index, result.inspect_err(|_| queue.stop())?);
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                queue.passed_on();
                if !take(result).inspect_err(|_| queue.stop())? {
                    queue.stop();
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

struct Queue<I> {
    state: Mutex<QueueState<I>>,
    changed: Condvar,
}

struct QueueState<I> {
    items: I,
    is_stopped: bool,
    begun: u64,
    /// The number of items whose results have been passed on.
    passed_on: u64,
}

impl<I: Iterator> Queue<I> {
    fn new(items: I) -> Self {
        let state = QueueState { items, is_stopped: false, begun: 0, passed_on: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the next item may begin; `None` at the end, after [`stop`](Self::stop), and when interrupted.
    fn next(&self) -> Option<(u64, I::Item)> {
        let waits =
            |state: &mut QueueState<I>| !state.is_stopped && state.begun - state.passed_on >= MAX_AHEAD;
        let mut state = self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped || interrupted() {
            return None;
        }
        let item = state.items.next()?;
        state.begun += 1;
        Some((state.begun - 1, item))
    }

    fn passed_on(&self) {
        self.lock().passed_on += 1;
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}
