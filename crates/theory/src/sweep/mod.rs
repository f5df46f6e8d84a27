//! Sweeps: the search for the period of every game of a family, with one record for each class of equal games.

mod family;
mod findings;
mod period_search;
mod record;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use anyhow::bail;

use common::interrupt::interrupted;
use common::shards::RunLabel;
use common::threads;
use family::GameClass;
pub(crate) use family::cousins_of;
pub use family::{Family, SweepGame};
pub use findings::{Bounds, Findings, Status};
use period_search::search;
pub use record::SweepRecord;

/// The games of a sweep.
#[derive(Debug)]
pub struct SweepPlan {
    family: Family,
    bounds: Bounds,
    classes: Vec<GameClass>,
    /// The fields of each line that identify the sweep.
    pub label: RunLabel,
}

impl SweepPlan {
    pub fn new(family: Family, bounds: Bounds) -> Self {
        let classes = family.classes();
        let Bounds { to, dense_to, few_rares_to, steps, memory } = bounds;
        let mut text = format!("{family} {to} {steps} {memory}");
        for (name, to) in [("dense", dense_to), ("few rares", few_rares_to)] {
            text.extend(to.map(|to| format!(" {name} {to}")));
        }
        Self { family, bounds, classes, label: RunLabel::of_text(&text) }
    }

    /// Returns the identifier of the sweep. The same family with the same bounds is the same sweep.
    pub fn id(&self) -> &str {
        &self.label.run
    }

    /// Returns the number of games. Games with equal values count once.
    pub fn games(&self) -> u64 {
        self.classes.len() as u64
    }

    /// Returns the class of games with this number.
    pub fn class(&self, index: u64) -> Option<&GameClass> {
        self.classes.get(usize::try_from(index).ok()?)
    }

    /// Searches for the period of the game with this number; `None` if there is no such game.
    fn search(&self, index: u64) -> Option<SweepRecord> {
        let class = self.class(index)?;
        let found = search(&class.game, &self.bounds);
        Some(SweepRecord::new(&self.family, &self.label, (index, self.games()), class, found))
    }
}

/// How often to check for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Searches for the periods of the games of a plan with the given numbers, `jobs` games at a time, and passes each
/// result to `show` as soon as it is found. Returns whether all games are done. An interrupt ends the sweep early; the
/// threads of unfinished games end with the process.
///
/// # Errors
///
/// If a thread cannot be started or panics, or `show` fails.
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
                if plan.search(index).is_some_and(|record| sender.send(record).is_err()) {
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
                bail!("{missing} games were skipped: a worker thread panicked; please report it")
            }
        }
    }
    Ok(true)
}
