//! The search for a game that a bot does not win.

use std::sync::RwLock;
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
pub(crate) mod search_state;
pub(crate) mod shrink;
pub(crate) mod summary;
mod worker;

use plan::Plan;
use search_state::SearchState;
use worker::Worker;

/// Fails after Ctrl-C.
///
/// # Errors
///
/// If the judge was interrupted.
pub(crate) fn ensure_uninterrupted() -> anyhow::Result<()> {
    ensure!(!interrupted(), "the search was interrupted");
    Ok(())
}

/// The condition under which a search ends.
pub(crate) struct StopCondition {
    /// The number of games, including those of an earlier search that is resumed.
    pub(crate) games: Option<u64>,
    /// The time after which no game is begun.
    pub(crate) deadline: Option<Instant>,
    /// Whether the search continues when a game was not won.
    pub(crate) keep_going: bool,
}

/// Plays the games of a plan that are not in the state yet, `jobs` at a time, and passes each report to `show`.
///
/// # Errors
///
/// If a worker cannot be started or fails, a game cannot be judged, `show` fails, or no game was played.
pub(crate) fn search(
    config: &MatchConfig,
    plan: &Plan,
    jobs: usize,
    until: &StopCondition,
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
    let turns = RwLock::new(());
    thread::scope(|scope| {
        let (sender, reports) = mpsc::channel();
        for _ in 0..jobs {
            let (worker, sender, next, turns) = (Worker::start(config)?, sender.clone(), &next, &turns);
            let play = move || worker.play_all(next, turns, &sender);
            threads::start_scoped(scope, play).inspect_err(|_| stop.store(true, Ordering::SeqCst))?;
        }
        drop(sender);
        let collected = collect(&reports, &stop, until.keep_going, state, &mut show);
        // After an error no worker begins another game.
        stop.store(stop.load(Ordering::SeqCst) || collected.is_err(), Ordering::SeqCst);
        collected
    })?;
    let is_known = interrupted() || !state.played.is_empty();
    ensure!(is_known, "no game was played within --time, so nothing is known about the bot: allow more time");
    Ok(())
}

/// Adds the reports to the state as they are received, until all workers have ended.
fn collect(
    reports: &Receiver<anyhow::Result<(u64, String)>>,
    stop: &AtomicBool,
    keep_going: bool,
    state: &mut SearchState,
    show: &mut impl FnMut(u64, &str, &GameLine, &SearchState) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut interrupted_game = None;
    for report in reports {
        // After Ctrl-C a worker may have ended before this process noticed it.
        if report.is_err() {
            ensure_uninterrupted()?;
            if interrupted_game.is_some() {
                break;
            }
        }
        let (index, line) = report?;
        let report: GameLine =
            serde_json::from_str(&line).context("a worker sent a report that cannot be read")?;
        if matches!(report.verdict, Verdict::JudgeError) {
            bail!("game {index}, {}, could not be judged: {}", report.game, report.reason);
        }
        if report.verdict == Verdict::Interrupted {
            stop.store(true, Ordering::SeqCst);
            interrupted_game.get_or_insert((index, report.game));
            continue;
        }
        state.add(index, &report);
        if report.verdict != Verdict::Won && !keep_going {
            stop.store(true, Ordering::SeqCst);
        }
        show(index, &line, &report, state)?;
    }
    match interrupted_game {
        // Ctrl-C in a terminal is sent to all workers and to this process.
        Some((index, game)) if !interrupted() => bail!(
            "game {index}, {game}, was not finished: the worker that played it received a signal to end; \
             without --sandbox a bot can send one"
        ),
        _ => Ok(()),
    }
}
