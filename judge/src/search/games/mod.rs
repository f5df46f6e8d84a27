//! The search for a game that a bot does not win.

pub(crate) mod plan;
pub(crate) mod search_state;
pub(crate) mod shrink;
pub(crate) mod size;
pub(crate) mod summary;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use runner::config::MatchConfig;
use runner::interrupt::interrupted;
use runner::threads;

use crate::conversation::verdict::Verdict;
use crate::referee::game::setup::GameSetup;
use crate::report::run::RunReport;
use crate::search::games::plan::Plan;
use crate::search::games::search_state::SearchState;
use crate::trials::parallel::ExclusiveRerun;
use crate::trials::worker::{Worker, WorkerOutput, WorkerStderr};

/// Returns an error after Ctrl-C.
pub(crate) fn ensure_uninterrupted() -> anyhow::Result<()> {
    ensure!(!interrupted(), "the search was interrupted");
    Ok(())
}

/// The condition under which a search ends.
pub(crate) struct StopCondition {
    /// The number of games.
    pub(crate) games: Option<u64>,
    /// The time after which no game begins, neither for the search nor for shrinking.
    pub(crate) deadline: Option<Instant>,
    /// Whether the search continues after a game that was not won.
    pub(crate) keep_going: bool,
    /// The time after which a search with a failure begins no further game, to leave time for shrinking.
    pub(crate) shrink_from: Option<Instant>,
}

impl StopCondition {
    /// Returns whether no more games may begin at the time `now`. `has_failed` is whether a game was not won.
    fn is_met(&self, now: Instant, has_failed: bool) -> bool {
        let end = if has_failed { self.shrink_from } else { self.deadline };
        has_failed && !self.keep_going || end.is_some_and(|end| now >= end)
    }
}

/// Plays the games of a plan, `jobs` at a time, adds each to `state`, and passes its report to `show`.
///
/// # Errors
///
/// If a worker cannot be started or fails, a game cannot be judged, `show` fails, or no game was played.
pub(crate) fn search(
    config: &MatchConfig,
    stderr: &WorkerStderr,
    plan: &Plan,
    jobs: usize,
    until: &StopCondition,
    state: &mut SearchState,
    mut show: impl FnMut(u64, &str, &RunReport, &SearchState) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let flags = SearchFlags { failed: AtomicBool::new(false), stop: AtomicBool::new(false) };
    let counter = AtomicU64::new(0);
    let next = || -> Option<(u64, GameSetup)> {
        let is_over = until.is_met(Instant::now(), flags.failed.load(Ordering::SeqCst));
        if is_over || flags.stop.load(Ordering::SeqCst) || interrupted() {
            return None;
        }
        let index = counter.fetch_add(1, Ordering::SeqCst);
        until.games.is_none_or(|games| index < games).then(|| (index, plan.game(index)))
    };
    let rerun = ExclusiveRerun::default();
    thread::scope(|scope| {
        let (sender, reports) = mpsc::channel();
        for _ in 0..jobs {
            let (worker, sender) = (Worker::start(config, WorkerOutput::Report(stderr))?, sender.clone());
            let (next, flags, rerun) = (&next, &flags, &rerun);
            let done = move |report: anyhow::Result<Report>| {
                // Set the flag before this worker asks for another game.
                let has_failed = report.as_ref().is_ok_and(|report| report.game.verdict != Verdict::Won);
                flags.failed.fetch_or(has_failed, Ordering::SeqCst);
                let is_error = report.is_err();
                sender.send(report).is_ok() && !is_error
            };
            let play = move || play_all(worker, rerun, next, done);
            threads::start_scoped(scope, play).inspect_err(|_| flags.stop())?;
        }
        drop(sender);
        // After an error no worker begins another game.
        collect(&reports, &flags, plan, state, &mut show).inspect_err(|_| flags.stop())
    })?;
    let is_known = interrupted() || !state.played.is_empty();
    ensure!(is_known, "no game was played within --time, so the search has no result: allow more time");
    Ok(())
}

/// Flags that a search and its workers share.
struct SearchFlags {
    /// Whether a game was not won.
    failed: AtomicBool,
    /// Whether no more games may begin.
    stop: AtomicBool,
}

impl SearchFlags {
    fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

/// Adds each report to the state when it arrives, until all workers have ended.
fn collect(
    reports: &Receiver<anyhow::Result<Report>>,
    flags: &SearchFlags,
    plan: &Plan,
    state: &mut SearchState,
    show: &mut impl FnMut(u64, &str, &RunReport, &SearchState) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut interrupted_game = None;
    for report in reports {
        // A signal that ends a worker causes an error here. Report the signal instead of that error.
        if report.is_err() {
            ensure_uninterrupted()?;
            if interrupted_game.is_some() {
                break;
            }
        }
        let Report { index, line, game: report } = report?;
        if matches!(report.verdict, Verdict::JudgeError) {
            bail!("game {index}, {}, could not be judged: {}", report.subject.what(), report.reason);
        }
        if report.verdict == Verdict::Interrupted {
            flags.stop();
            interrupted_game.get_or_insert((index, report.subject.what().to_owned()));
            continue;
        }
        state.add(index, &plan.game(index), &report);
        show(index, &line, &report, state)?;
    }
    match interrupted_game {
        // Ctrl-C in a terminal would have reached this process too, so only the worker has received a signal.
        Some((index, game)) if !interrupted() => bail!(
            "game {index}, {game}, was not finished: its worker received a signal to terminate; without \
             --sandbox a bot can send such a signal"
        ),
        _ => Ok(()),
    }
}

/// The report of a game.
pub(crate) struct Report {
    pub(crate) index: u64,
    /// The line of JSON that the worker wrote. `game` is the parsed line.
    pub(crate) line: String,
    pub(crate) game: RunReport,
}

impl Report {
    fn read(index: u64, line: String) -> anyhow::Result<Self> {
        let game = serde_json::from_str(&line).context("a worker sent a report that cannot be read")?;
        Ok(Self { index, line, game })
    }
}

/// Plays the games that `next` returns, until it returns `None`, or until `done` returns `false` because no more
/// reports are needed.
pub(crate) fn play_all(
    mut worker: Worker,
    rerun: &ExclusiveRerun,
    next: impl Fn() -> Option<(u64, GameSetup)>,
    done: impl Fn(anyhow::Result<Report>) -> bool,
) {
    while let Some((index, setup)) = next() {
        let play = |repeat| Report::read(index, worker.play(&GameSetup { repeat, ..setup.clone() })?);
        if !done(rerun.play(play, |report| report.game.is_doubtful())) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_search_ends_at_its_deadline_or_first_failure() {
        let now = Instant::now();
        let at = |seconds: u64| now + Duration::from_secs(seconds);
        let until = |keep_going| StopCondition {
            games: None,
            deadline: Some(at(8)),
            keep_going,
            shrink_from: Some(at(6)),
        };
        for (keep_going, has_failed, seconds, expected) in [
            (false, false, 7, false),
            (false, false, 8, true),
            (false, true, 0, true),
            (true, false, 7, false),
            (true, true, 5, false),
            (true, true, 6, true),
        ] {
            let is_met = until(keep_going).is_met(at(seconds), has_failed);
            assert_eq!(is_met, expected, "{keep_going} {has_failed} {seconds}");
        }
    }
}
