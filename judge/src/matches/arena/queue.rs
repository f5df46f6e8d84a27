//! The games that are still to be begun.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use common::interrupt::interrupted;

/// The games of a run in the order of their numbers, for several tables.
pub(super) struct GameQueue<W> {
    is_wanted: W,
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    next: u64,
    /// The number below which it is known who plays a game.
    ready: u64,
    /// The number of games after which the run ends.
    end: u64,
}

impl<W: Fn(u64) -> bool> GameQueue<W> {
    /// The games below `end` that are wanted; those from `ready` on have to wait.
    pub(super) fn new(is_wanted: W, ready: u64, end: u64) -> Self {
        let state = Mutex::new(QueueState { next: 0, ready, end });
        Self { is_wanted, state, changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next game, as soon as it is known who plays it; `None` if there are no more, and after Ctrl-C.
    pub(super) fn next(&self) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if interrupted() || state.next >= state.end {
                return None;
            }
            if state.next < state.ready {
                let game = state.next;
                state.next += 1;
                if (self.is_wanted)(game) {
                    return Some(game);
                }
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Games below `ready` may be begun, and the run ends after `end` games.
    pub(super) fn extend(&self, ready: u64, end: u64) {
        let mut state = self.lock();
        (state.ready, state.end) = (ready, end);
        self.changed.notify_all();
    }

    /// No more games are begun.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.end = 0;
        self.changed.notify_all();
    }
}
