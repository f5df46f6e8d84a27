//! Work that several threads do at the same time, with the results in the order of the work.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::interrupt::interrupted;
use crate::threads;

/// Maximum number of games that have begun but whose results have not been passed on, for all jobs together. Results
/// that wait for an earlier game are kept in memory.
const MAX_AHEAD: u64 = 256;

/// Calls `play` for each game in `jobs` threads, each with its own state, and passes the results to `take` in the
/// order of the games. Stops after an error, after Ctrl-C, and when `take` returns `false`.
///
/// # Errors
///
/// If a thread cannot be started, or `play` or `take` fails.
pub fn in_order<G: Send, S, R: Send>(
    jobs: usize,
    games: impl Iterator<Item = G> + Send,
    state: impl Fn() -> S + Sync,
    play: impl Fn(&mut S, G) -> anyhow::Result<R> + Sync,
    mut take: impl FnMut(R) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let queue = Queue::new(games);
    thread::scope(|scope| {
        let (sender, played) = mpsc::channel();
        for _ in 0..jobs {
            let (queue, state, play, sender) = (&queue, &state, &play, sender.clone());
            let play_all = move || {
                let mut state = state();
                while let Some((index, game)) = queue.next() {
                    let result = play(&mut state, game);
                    let has_failed = result.is_err();
                    if sender.send((index, result)).is_err() || has_failed {
                        break;
                    }
                }
            };
            threads::start_scoped(scope, play_all).inspect_err(|_| queue.stop())?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in played {
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

/// The games that have not begun yet.
struct Queue<I> {
    state: Mutex<QueueState<I>>,
    changed: Condvar,
}

struct QueueState<I> {
    games: I,
    is_stopped: bool,
    /// The number of games that have begun.
    begun: u64,
    /// The number of games whose results have been passed on.
    passed_on: u64,
}

impl<I: Iterator> Queue<I> {
    fn new(games: I) -> Self {
        let state = QueueState { games, is_stopped: false, begun: 0, passed_on: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the next game may begin, and returns it with its number; `None` if no game is left.
    fn next(&self) -> Option<(u64, I::Item)> {
        let waits =
            |state: &mut QueueState<I>| !state.is_stopped && state.begun - state.passed_on >= MAX_AHEAD;
        let mut state = self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped || interrupted() {
            return None;
        }
        let game = state.games.next()?;
        state.begun += 1;
        Some((state.begun - 1, game))
    }

    fn passed_on(&self) {
        self.lock().passed_on += 1;
        self.changed.notify_all();
    }

    /// Lets no further game begin.
    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}
