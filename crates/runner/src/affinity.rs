//! The processors on which a process may run.

use anyhow::{Context, bail};

/// Returns the numbers of the processors on which this process may run, in ascending order.
///
/// # Errors
///
/// If the system does not report the processors, or is not Linux.
#[cfg(target_os = "linux")]
pub fn allowed_processors() -> anyhow::Result<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let allowed =
        sched_getaffinity(None).context("--affinity: the processors of this process are unknown")?;
    Ok((0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect())
}

/// Restricts this thread, and the threads and processes that it starts from now on, to `processor`.
///
/// # Errors
///
/// If the system refuses the restriction.
#[cfg(target_os = "linux")]
pub fn run_on(processor: usize) -> anyhow::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};

    if processor >= CpuSet::MAX_CPU {
        bail!("expected a processor below {}, got {processor}", CpuSet::MAX_CPU);
    }
    let mut set = CpuSet::new();
    set.set(processor);
    sched_setaffinity(None, &set)
        .with_context(|| format!("a thread of the judge cannot be restricted to processor {processor}"))
}

#[cfg(not(target_os = "linux"))]
pub fn allowed_processors() -> anyhow::Result<Vec<usize>> {
    bail!("--affinity works only on Linux: leave it out")
}

#[cfg(not(target_os = "linux"))]
pub fn run_on(_processor: usize) -> anyhow::Result<()> {
    allowed_processors().map(drop).context("a process cannot be restricted to a processor")
}
