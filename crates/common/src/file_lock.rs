//! Locks on files that one judge alone writes to.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::program::print_error;

/// How often a file is looked at that another judge has locked.
const INTERVAL: Duration = Duration::from_millis(50);

/// How long another judge is waited for that has locked a file.
pub struct LockWait {
    deadline: Instant,
    /// Whether it was said that it is waited for.
    is_told: bool,
}

impl LockWait {
    /// A file that is locked is not waited for.
    pub fn none() -> Self {
        Self { deadline: Instant::now(), is_told: false }
    }

    /// For a run that is begun again. An engine may start a task again while its first judge is still ending.
    pub fn of_a_new_start() -> Self {
        Self { deadline: Instant::now() + Duration::from_secs(30), is_told: false }
    }

    /// Locks a file; false if another judge has locked it and does not end in time.
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
                    if !self.is_told {
                        let path = path.display();
                        print_error(format_args!("waiting for another judge that is writing to {path}"));
                        self.is_told = true;
                    }
                    thread::sleep(INTERVAL);
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
