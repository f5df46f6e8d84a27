//! Processes items in several threads, and passes on the results in the order of the items.

use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use runner::interrupt::interrupted;
use runner::threads;

/// Maximum number of items that have begun while the result of an earlier item is awaited. Their results are in memory.
const MAX_AHEAD: usize = 256;

/// Calls `work` for each item in `jobs` threads, each with its own state, which is made for its first item, and passes the
/// results to `take` in the order of the items. Stops after an error, which comes in the order too, after Ctrl-C, and when `take` returns `false`.
pub(crate) fn in_order<T: Send, S, R: Send>(
    jobs: usize,
    items: impl Iterator<Item = T> + Send,
    state: impl Fn() -> anyhow::Result<S> + Sync,
    work: impl Fn(&mut S, T) -> anyhow::Result<R> + Sync,
    mut take: impl FnMut(R) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let items = Mutex::new(Some(items));
    thread::scope(|scope| {
        // The worker of each item that has begun, in the order of the items. Each worker sends its results in this order.
        let (begin, begun) = mpsc::sync_channel(MAX_AHEAD);
        let mut results = Vec::new();
        for worker in 0..jobs {
            let (sender, receiver) = mpsc::channel();
            results.push(receiver);
            let (items, new_state, work, begin) = (&items, &state, &work, begin.clone());
            let work_on_all = move || {
                let mut state = None;
                let lock = || items.lock().unwrap_or_else(PoisonError::into_inner);
                let next = || {
                    let mut items = lock();
                    let next = items.as_mut()?.next().filter(|_| !interrupted())?;
                    // Fails if the results are not wanted any more.
                    begin.send(worker).ok().map(|()| next)
                };
                while let Some(item) = next() {
                    let result = match &mut state {
                        Some(state) => work(state, item),
                        none => new_state().and_then(|new| work(none.insert(new), item)),
                    };
                    let has_failed = result.is_err();
                    if sender.send(result).is_err() {
                        break;
                    }
                    if has_failed {
                        *lock() = None;
                    }
                }
            };
            threads::start_scoped(scope, work_on_all)?;
        }
        drop(begin);
        for worker in begun {
            if !take(results[worker].recv()??)? {
                break;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anyhow::ensure;

    use super::*;

    /// Runs 300 items in this number of threads, with an error at one of them. Returns the results before the error.
    fn taken(jobs: usize, wrong: u64) -> (Vec<u64>, bool) {
        let work = |(): &mut (), item: u64| {
            // Later items are ready first.
            thread::sleep(Duration::from_millis(5 - item % 5));
            ensure!(item != wrong, "item {item}");
            Ok(item)
        };
        let mut taken = Vec::new();
        let take = |item| {
            taken.push(item);
            Ok(true)
        };
        let result = in_order(jobs, 0..300, || Ok(()), work, take);
        (taken, result.is_err())
    }

    #[test]
    fn results_and_errors_come_in_the_order_of_the_items() {
        // More threads than results may wait end too.
        for jobs in [1, 4, MAX_AHEAD + 10] {
            assert_eq!(taken(jobs, u64::MAX), ((0..300).collect(), false));
            assert_eq!(taken(jobs, 7), ((0..7).collect(), true));
        }
    }
}
