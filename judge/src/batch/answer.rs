//! The lines that `judge batch` writes: the result of each job, and an error for each line that is none.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{bail, ensure};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::batch::output::Output;
use crate::conversation::verdict::{Class, Verdict};
use crate::guards::GuardNames;
use crate::record_file::RecordFile;
use crate::report::run::RunReport;

pub(crate) type LineAnswer = Result<JobResult, LineError>;

#[derive(Serialize)]
pub(crate) struct JobResult {
    schema: u32,
    id: String,
    verdict: Verdict,
    class: Class,
    passed: usize,
    ran: usize,
    pub(crate) total: usize,
    /// The score by the graders of the package, or else the sum of the scores of the runs; `None` if no run has one, or
    /// if a run could not be judged, because its score is not known.
    pub(crate) score: Option<f64>,
    /// `None` if the problem's own programs could not be compiled.
    pub(crate) compile: Option<Compiled>,
    #[serde(flatten)]
    guards: GuardNames,
    pub(crate) runs: Vec<JobRun>,
}

#[derive(Serialize)]
pub(crate) struct JobRun {
    #[serde(flatten)]
    pub(crate) report: RunReport,
    /// What the programs wrote, if the job asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<Output>,
}

#[derive(Serialize)]
pub(crate) struct Compiled {
    pub(crate) ok: bool,
    /// How long it took to compile the source or to find its program.
    pub(crate) ms: f64,
    /// The last lines of a compiler that failed.
    pub(crate) log: String,
}

#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct LineError {
    schema: u32,
    pub(crate) id: Option<String>,
    line: u64,
    pub(crate) error: String,
}

impl LineError {
    pub(crate) fn new(id: Option<String>, line: u64, error: &anyhow::Error) -> Self {
        Self { schema: SCHEMA, id, line, error: format!("{error:#}") }
    }
}

impl JobResult {
    pub(crate) fn new(id: String, guards: GuardNames) -> Self {
        Self {
            schema: SCHEMA,
            id,
            verdict: Verdict::Accepted,
            class: Class::Accepted,
            passed: 0,
            ran: 0,
            total: 0,
            score: None,
            compile: None,
            guards,
            runs: Vec::new(),
        }
    }

    pub(crate) fn ruled(mut self) -> Self {
        let runs = || self.runs.iter().map(|run| &run.report);
        if let Some(failed) = runs().find(|run| run.ruling.class != Class::Accepted) {
            (self.verdict, self.class) = (failed.ruling.verdict, failed.ruling.class);
        }
        self.passed = runs().filter(|run| run.ruling.class == Class::Accepted).count();
        // The report about a source that does not compile has no pass.
        self.ran = runs().filter(|run| run.pass > 0).count();
        let sum = runs().filter_map(|run| run.ruling.score).reduce(|sum, score| sum + score);
        let is_judged = runs().all(|run| run.ruling.verdict != Verdict::JudgeError);
        self.score = self.score.or(sum).filter(|_| is_judged);
        self
    }
}

pub(crate) struct AnswerWriter {
    /// The file to which they are appended; `None` for stdout.
    file: Option<RecordFile>,
    /// The errors that the file has from earlier starts.
    errors: HashSet<LineError>,
}

#[derive(Deserialize)]
struct OldAnswer {
    schema: u32,
    id: Option<String>,
    verdict: Option<IgnoredAny>,
    line: Option<u64>,
    error: Option<String>,
}

impl AnswerWriter {
    /// Opens the file for the answers. Returns also the ids of the jobs whose results it has. An error of an earlier
    /// start is no result: its cause, such as a missing file, may be gone. Fails if the file cannot be read and
    /// written, has other lines, or another process is writing to it.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<(Self, HashSet<String>)> {
        const WHAT: &str = "an answer of judge batch";
        let (mut judged, mut errors) = (HashSet::new(), HashSet::new());
        let add = |OldAnswer { schema, id, verdict, line, error }| {
            ensure!(schema == SCHEMA, "expected schema {SCHEMA}, got {schema}");
            match (id, verdict, line, error) {
                (Some(id), Some(_), ..) => judged.insert(id),
                (id, _, Some(line), Some(error)) => errors.insert(LineError { schema, id, line, error }),
                _ => bail!("expected {WHAT} with id and verdict, or with line and error"),
            };
            Ok(())
        };
        let resume = |path| RecordFile::create_or_resume(path, (WHAT, 1 << 30), add);
        let file = path.map(resume).transpose()?;
        Ok((Self { file, errors }, judged))
    }

    /// Writes a line at once. An error that the file has already is not written again.
    pub(crate) fn write(&mut self, answer: &LineAnswer) -> anyhow::Result<()> {
        let line = match answer {
            Err(error) if self.errors.contains(error) => return Ok(()),
            Err(error) => serde_json::to_string(error)?,
            Ok(result) => serde_json::to_string(result)?,
        };
        match &mut self.file {
            // With the line's end in the same call, a killed judge leaves only whole lines.
            None => Ok(io::stdout().write_all((line + "\n").as_bytes())?),
            Some(file) => file.add(&line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the scores of the other runs are no score of a job with a run that could not be judged.
    #[test]
    fn the_score_of_a_job() {
        let run = |class: Class, score| {
            let mut run = RunReport::uncompiled(class, String::new(), Vec::new());
            run.ruling.score = score;
            run
        };
        for (runs, graded, expected) in [
            (vec![run(Class::Partial, Some(40.0)), run(Class::Partial, Some(2.0))], None, Some(42.0)),
            (vec![run(Class::Partial, Some(40.0)), run(Class::WrongAnswer, None)], None, Some(40.0)),
            (vec![run(Class::Partial, Some(40.0)), run(Class::InteractorCrash, None)], None, None),
            (vec![run(Class::Accepted, None)], Some(100.0), Some(100.0)),
            (vec![run(Class::Accepted, None)], None, None),
        ] {
            let runs = runs.into_iter().map(|report| JobRun { report, output: None }).collect();
            let result =
                JobResult { runs, score: graded, ..JobResult::new(String::new(), GuardNames::default()) };
            assert_eq!(result.ruled().score, expected);
        }
    }
}
