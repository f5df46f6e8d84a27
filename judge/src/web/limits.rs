//! The limits of the server. They are far above the needs of the pages.

use std::time::Duration;

/// Maximum size of the body of a request, in bytes.
pub(super) const MAX_BODY: usize = 1 << 20;

/// Maximum number of bytes that are read from the body of a refused request and ignored, so that its sender reads the
/// answer.
pub(super) const MAX_IGNORED: usize = 64 << 20;

/// Maximum size of the head of a request, in bytes.
pub(super) const MAX_HEAD: usize = 16 << 10;

/// Maximum time to receive the head of a request, and again for its body. The sender is on the same machine.
pub(super) const READ_TIME: Duration = Duration::from_secs(5);

/// Maximum number of open connections. Each uses two file descriptors, and some systems allow only 256.
pub(super) const MAX_CONNECTIONS: usize = 100;

/// Maximum number of answers that are computed at a time.
pub(super) const MAX_JOBS: usize = 4;

/// Maximum number of requests that wait for their computation.
pub(super) const MAX_WAITING: usize = 32;

/// Maximum time that a request waits for its computation, and maximum time of the computation: the solver's time for a
/// game, and some seconds more.
pub(super) const JOB_TIME: Duration = Duration::from_secs(15);

/// Maximum address space of a process that computes an answer, in bytes.
#[cfg(target_os = "linux")]
pub(super) const JOB_MEMORY: u64 = 2 << 30;

/// Maximum size of an answer, in bytes.
pub(super) const MAX_ANSWER: u64 = 32 << 20;
