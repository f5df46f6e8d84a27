//! The search for a game or an input with which a bot fails, and for the smallest one.

mod document;
pub(crate) mod games;
pub(crate) mod inputs;
mod shrinker;
mod smaller_game;
mod smaller_input;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use runner::interrupt::interrupted;
use serde::Serialize;

use crate::conversation::verdict::Verdict;
use crate::in_order::in_order;
use crate::progress::GamesProgress;
use crate::report::run::RunReport;
use crate::search::shrinker::{
    CandidateRun, MAX_RUNS, MAX_TIME, Runner, Shrinkable, Shrinker, Shrunk, StopReason,
};
use crate::text::counted;

/// Where the candidates of a search come from, and how the bot is run on them.
pub(crate) trait CandidateSource: Sync {
    type Candidate: Shrinkable<Self::Run> + Send;
    type Run: CandidateRun + Send;

    /// Returns the candidate with this number. The numbers begin at 0.
    fn candidate(&self, number: u64) -> anyhow::Result<Self::Candidate>;

    /// Returns a function that runs the bot on candidates: those of this source in one of several jobs, or with
    /// `is_shrinking` smaller ones, which it checks, while nothing else runs.
    fn runner(&self, is_shrinking: bool) -> anyhow::Result<SourceRunner<'_, Self>>;
}

type SourceRunner<'a, S> = Runner<'a, <S as CandidateSource>::Candidate, <S as CandidateSource>::Run>;

type ShrunkOf<S> = Shrunk<<S as CandidateSource>::Candidate, <S as CandidateSource>::Run>;

pub(crate) trait SearchReport<S: CandidateSource> {
    /// Reports a run of the search, and shows the progress. The runs come in the order of their numbers.
    fn add(&mut self, tried: &Tried<S>, progress: &GamesProgress) -> anyhow::Result<()>;

    fn summary(&mut self) -> anyhow::Result<()>;

    /// Returns the name of a candidate in a sentence, such as "game 3".
    fn name_of(&self, number: u64) -> String;

    /// Reports the smallest candidate that was found by shrinking `original`, the candidate with this number.
    fn smallest(&mut self, number: u64, original: &S::Candidate, shrunk: &ShrunkOf<S>) -> anyhow::Result<()>;
}

/// A line of JSON: the fields of the search, and those of the run.
#[derive(Serialize)]
pub(crate) struct JsonLine<'a> {
    #[serde(flatten)]
    pub(crate) fields: SearchFields,
    /// For a game, the options of the bot that differ from the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<Vec<String>>,
    #[serde(flatten)]
    pub(crate) run: &'a RunReport,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum SearchFields {
    Tried {
        index: u64,
    },
    Smallest {
        minimal: bool,
        /// The number of the candidate that was shrunk.
        from: u64,
        runs: u32,
        /// Whether all smaller candidates were tried within the limits.
        complete: bool,
    },
}

impl<C, R: CandidateRun> Shrunk<C, R> {
    pub(crate) fn fields(&self, from: u64) -> SearchFields {
        let (runs, complete) = (self.runs, self.stopped.is_none());
        SearchFields::Smallest { minimal: true, from, runs, complete }
    }

    /// Returns a sentence without its end. `what` is the smallest candidate, such as "game that was not won".
    pub(crate) fn heading(&self, name: &str, what: &str) -> String {
        let verdict = self.run.ruling().verdict;
        let runs = counted(self.runs.into(), "run");
        let cause = match &self.stopped {
            _ if verdict == Verdict::JudgeError => return format!("The run of {name} could not be judged"),
            _ if self.is_flaky() => {
                let repeats = counted(self.repeats.into(), "time");
                let different = counted(self.different.len() as u64, "time");
                return format!(
                    "FLAKY: {name}, or what it was shrunk to, was repeated {repeats}; {different} it did not end with {verdict}"
                );
            }
            None => return format!("The smallest {what}, from {name}, found in {runs}"),
            Some(StopReason::Limit) if self.runs == 0 => {
                return format!("There was no time left to repeat {name}. Allow more time with --time");
            }
            Some(StopReason::Interrupted) if self.runs == 0 => {
                return format!("The search was interrupted before {name} was repeated");
            }
            Some(StopReason::Limit) => {
                &format!("stopped at its limit: --time, {} s or {MAX_RUNS} runs", MAX_TIME.as_secs())
            }
            Some(StopReason::Interrupted) => "was interrupted",
            Some(StopReason::Failed(_)) => "could not continue",
        };
        format!(
            "The smallest {what} found so far, from {name}, in {runs}. The search for a smaller one {cause}"
        )
    }
}

pub(crate) struct SearchBounds {
    pub(crate) candidates: Option<u64>,
    /// The time after which no run begins, neither for the search nor for shrinking.
    pub(crate) deadline: Option<Instant>,
    pub(crate) keep_going: bool,
    /// The time after which a search with a failure begins no further run, to leave time for shrinking.
    pub(crate) shrink_from: Option<Instant>,
}

impl SearchBounds {
    /// Returns whether no more runs may begin at the time `now`. `has_failed` is whether a run failed.
    fn is_met(&self, now: Instant, has_failed: bool) -> bool {
        let end = if has_failed { self.shrink_from } else { self.deadline };
        has_failed && !self.keep_going || end.is_some_and(|end| now >= end)
    }
}

pub(crate) struct Tried<S: CandidateSource> {
    number: u64,
    candidate: S::Candidate,
    run: S::Run,
}

/// Searches for a candidate with which the bot fails, `jobs` runs at a time. Then shrinks the first one. The result
/// does not depend on `jobs`. Fails if a program cannot be started, a candidate cannot be made, the report cannot be
/// written, or the search is interrupted.
pub(crate) fn run<S: CandidateSource>(
    source: &S,
    jobs: usize,
    bounds: &SearchBounds,
    report: &mut impl SearchReport<S>,
) -> anyhow::Result<ExitCode> {
    let first = search(source, jobs, bounds, report)?;
    report.summary()?;
    let Some(Tried { number, candidate, run }) = first else {
        ensure!(!interrupted(), "the search was interrupted");
        return Ok(ExitCode::SUCCESS);
    };
    let original = candidate.clone();
    if run.ruling().verdict == Verdict::JudgeError {
        report.smallest(number, &original, &Shrunk::unchanged(candidate, run))?;
        return Ok(ExitCode::from(2));
    }
    let (name, runner) = (report.name_of(number), source.runner(true)?);
    let shrunk = Shrinker::new(&name, (candidate, run), runner, bounds.deadline).shrink();
    report.smallest(number, &original, &shrunk)?;
    match shrunk.stopped {
        Some(StopReason::Failed(error)) => Err(error),
        Some(StopReason::Interrupted) => bail!("the search was interrupted"),
        Some(StopReason::Limit) | None => Ok(ExitCode::FAILURE),
    }
}

fn search<'a, S: CandidateSource>(
    source: &'a S,
    jobs: usize,
    bounds: &SearchBounds,
    report: &mut impl SearchReport<S>,
) -> anyhow::Result<Option<Tried<S>>> {
    let has_failed = AtomicBool::new(false);
    let may_begin = |_: &u64| !bounds.is_met(Instant::now(), has_failed.load(Ordering::SeqCst));
    let numbers = (0..bounds.candidates.unwrap_or(u64::MAX)).take_while(may_begin);
    let work = |runner: &mut SourceRunner<'a, S>, number| -> anyhow::Result<Tried<S>> {
        let candidate = source.candidate(number)?;
        let run = runner(&candidate)?.context("the search cannot use this candidate: it is not valid")?;
        // Set the flag before this job asks for another number.
        has_failed.fetch_or(run.has_failed(), Ordering::SeqCst);
        Ok(Tried { number, candidate, run })
    };
    let progress = GamesProgress::new(bounds.candidates, "runs");
    let mut first = None;
    let mut runs = 0;
    let take = |tried: Tried<S>| -> anyhow::Result<bool> {
        let verdict = tried.run.ruling().verdict;
        if verdict == Verdict::Interrupted {
            return Ok(false);
        }
        runs += 1;
        report.add(&tried, &progress)?;
        let has_failed = tried.run.has_failed();
        let is_judge_error = verdict == Verdict::JudgeError;
        if has_failed && (first.is_none() || is_judge_error) {
            first = Some(tried);
        }
        Ok(!is_judge_error && (!has_failed || bounds.keep_going))
    };
    // A signal that ends a program may cause an error. The signal is reported instead of that error.
    in_order(jobs, numbers, || source.runner(false), work, take)
        .or_else(|error| if interrupted() { Ok(()) } else { Err(error) })?;
    ensure!(
        runs > 0 || interrupted(),
        "no run ended within --time, so the search has no result: allow more time"
    );
    Ok(first)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::MatchConfig;
    use crate::report::reporter::Form;
    use crate::trials::family::GameFamily;
    use crate::trials::parallel::ExclusiveRerun;

    #[test]
    fn a_search_ends_at_its_deadline_or_first_failure() {
        let now = Instant::now();
        let at = |seconds: u64| now + Duration::from_secs(seconds);
        let bounds = |keep_going| SearchBounds {
            candidates: None,
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
            let is_met = bounds(keep_going).is_met(at(seconds), has_failed);
            assert_eq!(is_met, expected, "{keep_going} {has_failed} {seconds}");
        }
    }

    #[test]
    fn no_run_is_no_success() {
        let plan = games::SearchPlan::new(&[GameFamily::SEGMENT], 1, 1);
        let (config, rerun) = (MatchConfig::default(), ExclusiveRerun::default());
        let games = games::GameSearch { plan, config, stderr: None, rerun };
        let mut report = games::GamesReport::new(&games, (Form::Json, 0), None).unwrap();
        let now = Some(Instant::now());
        let bounds = SearchBounds { candidates: Some(1), deadline: now, keep_going: false, shrink_from: now };
        let error = run(&games, 1, &bounds, &mut report).unwrap_err().to_string();
        assert_eq!(error, "no run ended within --time, so the search has no result: allow more time");
    }
}
