//! A search for a game that a bot does not win.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail, ensure};

use crate::process::interrupt::interrupted;
use crate::process::threads;
use crate::referee::config::MatchConfig;
use crate::referee::setup::GameSetup;
use crate::referee::verdict::Verdict;
use crate::report::json::GameLine;

pub(crate) mod family;
pub(crate) mod plan;
pub(crate) mod pool;
pub(crate) mod search_state;
pub(crate) mod shrink;
pub(crate) mod summary;

use plan::Plan;
use pool::Worker;
use search_state::SearchState;

/// After Ctrl-C a search says that much and no more.
pub(crate) fn ensure_uninterrupted() -> anyhow::Result<()> {
    ensure!(!interrupted(), "the search was interrupted");
    Ok(())
}

/// When a search is over.
pub(crate) struct Until {
    /// The number of games, those of a search that is resumed included.
    pub(crate) games: Option<u64>,
    pub(crate) deadline: Option<Instant>,
    /// Whether it goes on when a game was not won.
    pub(crate) keep_going: bool,
}

/// Plays the games of a plan that are not in the state yet, `jobs` at a time, and shows each report as it
/// comes.
pub(crate) fn search(
    config: &MatchConfig,
    plan: &Plan,
    jobs: usize,
    until: &Until,
    state: &mut SearchState,
    mut show: impl FnMut(u64, &str, &GameLine, &SearchState) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let stop = AtomicBool::new(!until.keep_going && state.first.is_some());
    let counter = AtomicU64::new(0);
    let played = state.played.clone();
    let next = || -> Option<(u64, GameSetup)> {
        loop {
            let late = until.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || stop.load(Ordering::SeqCst) || interrupted() {
                return None;
            }
            let index = counter.fetch_add(1, Ordering::SeqCst);
            if until.games.is_some_and(|games| index >= games) {
                return None;
            }
            if !played.contains(&index) {
                return Some((index, plan.game(index)));
            }
        }
    };
    thread::scope(|scope| {
        let (sender, reports) = mpsc::channel();
        for _ in 0..jobs {
            let (worker, sender, next) = (Worker::start(config)?, sender.clone(), &next);
            let work = move || worker.work(next, &sender);
            threads::start_scoped(scope, work).inspect_err(|_| stop.store(true, Ordering::SeqCst))?;
        }
        drop(sender);
        let collected = collect(&reports, &stop, until.keep_going, state, &mut show);
        // Whatever went wrong, nobody starts another game.
        stop.store(stop.load(Ordering::SeqCst) || collected.is_err(), Ordering::SeqCst);
        collected
    })?;
    let is_known = interrupted() || !state.played.is_empty();
    ensure!(is_known, "no game was played within the time of --time, so nothing is known of the bot");
    Ok(())
}

/// Takes the reports as they come, until all workers are done.
fn collect(
    reports: &Receiver<anyhow::Result<(u64, String)>>,
    stop: &AtomicBool,
    keep_going: bool,
    state: &mut SearchState,
    show: &mut impl FnMut(u64, &str, &GameLine, &SearchState) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut broken_off = None;
    for report in reports {
        // A judge at work may have been interrupted first, and be gone.
        if report.is_err() {
            ensure_uninterrupted()?;
            if broken_off.is_some() {
                break;
            }
        }
        let (index, line) = report?;
        let report: GameLine =
            serde_json::from_str(&line).context("a judge at work sent a report that cannot be read")?;
        if matches!(report.verdict, Verdict::JudgeError) {
            bail!("game {index}, {}, could not be judged: {}", report.game, report.reason);
        }
        if report.verdict == Verdict::Interrupted {
            stop.store(true, Ordering::SeqCst);
            broken_off.get_or_insert((index, report.game));
            continue;
        }
        state.note(index, &report);
        if report.verdict != Verdict::Won && !keep_going {
            stop.store(true, Ordering::SeqCst);
        }
        show(index, &line, &report, state)?;
    }
    match broken_off {
        // Ctrl-C in a terminal reaches all judges.
        Some((index, game)) if !interrupted() => bail!(
            "game {index}, {game}, was broken off: the judge that played it got a signal to end, and this one did \
             not; without --sandbox a bot can send one"
        ),
        _ => Ok(()),
    }
}
