//! The report of a search: each run, a summary, and the smallest candidate with which the bot failed.

use serde::Serialize;

use crate::conversation::verdict::Verdict;
use crate::progress::GamesProgress;
use crate::search::shrinker::{Candidate, CandidateRun, MAX_RUNS, MAX_TIME, Shrunk, StopReason};
use crate::text::counted;

pub(crate) trait SearchReport<C: Candidate> {
    /// Reports a run of the search. The runs come in the order of their numbers.
    fn add(
        &mut self,
        number: u64,
        candidate: &C,
        run: &C::Run,
        progress: &GamesProgress,
    ) -> anyhow::Result<()>;

    /// Returns the status for the progress bar.
    fn status(&self) -> String;

    fn summary(&mut self) -> anyhow::Result<()>;

    /// Returns the name of a candidate in a sentence, such as "game 3".
    fn name_of(&self, number: u64) -> String;

    /// Reports the smallest candidate that was found by shrinking `original`, the candidate with this number.
    fn smallest(&mut self, number: u64, original: &C, shrunk: &Shrunk<C>) -> anyhow::Result<()>;
}

/// A line of JSON: the fields of the search, and those of the run.
#[derive(Serialize)]
pub(crate) struct JsonLine<F, R> {
    #[serde(flatten)]
    pub(crate) fields: F,
    /// For a game, the options of the bot that differ from the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<Vec<String>>,
    #[serde(flatten)]
    pub(crate) run: R,
}

/// The fields of the search in the line about the smallest candidate.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct SmallestFields {
    minimal: bool,
    /// The number of the candidate that was shrunk.
    from: u64,
    runs: u32,
    /// Whether all smaller candidates were tried within the limits.
    complete: bool,
}

impl<C: Candidate> Shrunk<C> {
    /// Returns the fields for JSON. `from` is the number of the candidate that was shrunk.
    pub(crate) fn fields(&self, from: u64) -> SmallestFields {
        let (runs, complete) = (self.runs, self.stopped.is_none());
        SmallestFields { minimal: true, from, runs, complete }
    }

    /// Returns a sentence about the result, without its end. `name` is the name of the candidate that was shrunk, and
    /// `what` says what the smallest candidate is, such as "game that was not won".
    pub(crate) fn heading(&self, name: &str, what: &str) -> String {
        let verdict = self.run.verdict();
        let runs = counted(self.runs.into(), "run");
        if verdict == Verdict::JudgeError {
            return format!("The run of {name} could not be judged");
        }
        if self.is_flaky() {
            let repeats = counted(self.repeats.into(), "time");
            let different = counted(self.different.len() as u64, "time");
            return format!(
                "FLAKY: {name}, or what it was shrunk to, was repeated {repeats}; {different} it did not end with {verdict}"
            );
        }
        let Some(stopped) = &self.stopped else {
            return format!("The smallest {what}, from {name}, found in {runs}");
        };
        let cause = match stopped {
            StopReason::Limit if self.runs == 0 => {
                return format!("There was no time left to repeat {name}. Allow more time with --time");
            }
            StopReason::Limit => {
                let seconds = MAX_TIME.as_secs();
                format!("stopped at its limit: --time, {seconds} s or {MAX_RUNS} runs")
            }
            StopReason::Interrupted if self.runs == 0 => {
                return format!("The search was interrupted before {name} was repeated");
            }
            StopReason::Interrupted => "was interrupted".to_owned(),
            StopReason::Failed(_) => "could not continue".to_owned(),
        };
        format!(
            "The smallest {what} found so far, from {name}, in {runs}. The search for a smaller one {cause}"
        )
    }
}
