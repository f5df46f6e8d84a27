//! The run of a sweep: several games at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use anyhow::bail;

use super::plan::SweepPlan;
use super::record::SweepRecord;
use common::interrupt::interrupted;
use common::threads;

/// How often it is looked whether the sweep is interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Looks at the games of a plan with these numbers, `jobs` at a time, and passes each result to `show`, in the order in
/// which they are found. Returns whether all are: after Ctrl-C the games that have begun are left where they are, and
/// their threads end with the process.
///
/// # Errors
///
/// If a thread cannot be started, or ends before its games are looked at, or `show` fails.
pub fn run(
    plan: &Arc<SweepPlan>,
    numbers: Vec<u64>,
    jobs: usize,
    mut show: impl FnMut(SweepRecord) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let (sender, records) = mpsc::channel();
    let (numbers, counter) = (Arc::new(numbers), Arc::new(AtomicUsize::new(0)));
    let mut missing = numbers.len();
    for _ in 0..jobs.min(numbers.len()) {
        let (plan, numbers, counter) = (Arc::clone(plan), Arc::clone(&numbers), Arc::clone(&counter));
        let sender = sender.clone();
        threads::start(move || {
            while let Some(&index) = numbers.get(counter.fetch_add(1, Ordering::SeqCst)) {
                if plan.look_at(index).is_some_and(|record| sender.send(record).is_err()) {
                    break;
                }
            }
        })?;
    }
    drop(sender);
    while missing > 0 {
        match records.recv_timeout(POLL_INTERVAL) {
            _ if interrupted() => return Ok(false),
            Ok(record) => {
                show(record)?;
                missing -= 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                bail!(
                    "{missing} games were not looked at, for a thread of the sweep has failed: please report it"
                )
            }
        }
    }
    Ok(true)
}
