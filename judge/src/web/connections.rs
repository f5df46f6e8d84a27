//! The open connections. If there are too many, the server closes the oldest connection that waits for no answer, so
//! that it can answer a new connection.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::MAX_CONNECTIONS;

/// One connection.
#[derive(Default)]
pub(super) struct Connection {
    /// Notified when the connection must be closed.
    closing: Notify,
    /// Whether the answer to a request of the connection is being computed.
    is_answering: AtomicBool,
    has_answered: AtomicBool,
}

impl Connection {
    /// Waits until the connection must be closed.
    pub(super) async fn closing(&self) {
        self.closing.notified().await;
    }

    pub(super) fn begin_answer(&self) {
        self.is_answering.store(true, Ordering::Relaxed);
    }

    pub(super) fn end_answer(&self) {
        self.is_answering.store(false, Ordering::Relaxed);
        self.has_answered.store(true, Ordering::Relaxed);
    }

    /// Returns whether a request of the connection was answered.
    pub(super) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }
}

/// The open connections, in the order in which they were opened.
#[derive(Default)]
pub(super) struct Connections(Mutex<VecDeque<Arc<Connection>>>);

impl Connections {
    /// Adds a connection. If there are too many, closes the oldest connection that waits for no answer. Returns `None`
    /// if all connections wait for an answer.
    pub(super) fn add(&self) -> Option<Arc<Connection>> {
        let mut open = self.lock();
        if open.len() >= MAX_CONNECTIONS {
            let idle = open.iter().position(|other| !other.is_answering.load(Ordering::Relaxed))?;
            open.remove(idle)?.closing.notify_one();
        }
        let connection = Arc::new(Connection::default());
        open.push_back(connection.clone());
        Some(connection)
    }

    /// Removes a connection that has ended.
    pub(super) fn remove(&self, connection: &Arc<Connection>) {
        self.lock().retain(|other| !Arc::ptr_eq(other, connection));
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_idle_connection_is_closed() {
        let connections = Connections::default();
        let all: Vec<_> = (0..MAX_CONNECTIONS).map(|_| connections.add().unwrap()).collect();
        all[0].begin_answer();
        let new = connections.add().unwrap();
        let open = |connection| connections.lock().iter().any(|other| Arc::ptr_eq(other, connection));
        assert!(open(&all[0]) && !open(&all[1]) && open(&all[2]) && open(&new));
        connections.remove(&new);
        assert!(!open(&new));
    }

    #[test]
    fn connections_that_wait_for_an_answer_stay() {
        let connections = Connections::default();
        for _ in 0..MAX_CONNECTIONS {
            connections.add().unwrap().begin_answer();
        }
        assert!(connections.add().is_none());
    }
}
