//! The limits of the server. They are far above what the pages need.

use std::time::Duration;

/// The largest body of a request, in bytes.
pub(super) const MAX_BODY: usize = 1 << 20;

/// How much of the body of a refused request is read and forgotten, so that its sender reads the answer.
pub(super) const MAX_IGNORED: usize = 64 << 20;

/// The largest head of a request, in bytes.
pub(super) const MAX_HEAD: usize = 16 << 10;

/// How long the head of a request, and then its body, may take. The sender is on the same machine.
pub(super) const READ_TIME: Duration = Duration::from_secs(5);

/// The most connections at a time. Each takes two file descriptors, and some systems allow 256 in all.
pub(super) const MAX_CONNECTIONS: usize = 100;

/// How many answers are computed at a time.
pub(super) const MAX_JOBS: usize = 4;

/// How many requests may wait for that.
pub(super) const MAX_WAITING: usize = 32;

/// How long a request waits at most until its answer is begun, and how long that may take: what the solver spends on
/// a game, and some seconds more.
pub(super) const JOB_TIME: Duration = Duration::from_secs(15);

/// The most memory of a process that computes an answer, in bytes of address space.
#[cfg(target_os = "linux")]
pub(super) const JOB_MEMORY: u64 = 2 << 30;

/// The largest answer, in bytes.
pub(super) const MAX_ANSWER: u64 = 32 << 20;
