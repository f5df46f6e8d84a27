//! Locks on files that only one judge may write to.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::program::print_error;

/// How often to try to lock a file that another judge has locked.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// How long to wait for another judge's file lock.
pub struct LockWait {
    deadline: Instant,
    /// Whether the wait was announced on stderr.
    is_announced: bool,
}

impl LockWait {
    /// No wait: a locked file is refused at once.
    pub fn none() -> Self {
        Self { deadline: Instant::now(), is_announced: false }
    }

    /// The wait of a run that is started again: a scheduler may restart a task while the task's first judge is still
    /// ending.
    pub fn of_a_new_start() -> Self {
        Self { deadline: Instant::now() + Duration::from_secs(30), is_announced: false }
    }

    /// Locks a file; false if another judge holds the lock until the wait is over.
    ///
    /// # Errors
    ///
    /// If it cannot be locked.
    pub fn lock(&mut self, file: &File, path: &Path) -> io::Result<bool> {
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(true),
                Err(TryLockError::WouldBlock) if Instant::now() >= self.deadline => return Ok(false),
                Err(TryLockError::WouldBlock) => {
                    if !self.is_announced {
                        let path = path.display();
                        print_error(format_args!("waiting for another judge that is writing to {path}"));
                        self.is_announced = true;
                    }
                    thread::sleep(RETRY_INTERVAL);
                }
                // Some file systems of clusters have no locks.
                Err(TryLockError::Error(error)) if has_no_locks(&error) => return Ok(true),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

fn has_no_locks(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(code, Some(Errno::NOSYS | Errno::OPNOTSUPP | Errno::NOLCK))
}
