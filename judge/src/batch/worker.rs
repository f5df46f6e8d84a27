//! How a job is judged.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use itertools::Itertools;
use runner::interrupt::interrupted;
use runner::sandbox::Sandbox;
use runner::sources::{self, BuildOptions};

use crate::batch::answer::{Compiled, JobResult, JobRun};
use crate::batch::job::{Job, JobSource, ProblemSource, Stop, Task};
use crate::batch::output::{MAX_KEPT, Output};
use crate::batch::problems::{Problem, Problems};
use crate::cli::{BotOptions, uncompiled};
use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::Class;
use crate::guards::GuardNames;
use crate::json::ms;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::referee::interactor::style::TestCase;
use crate::report::run::RunReport;
use crate::settings::Settings;
use crate::text::{did_you_mean, shortened};
use crate::trials::parallel::ExclusiveRerun;
use crate::trials::problem::expected::TestOutcome;
use crate::trials::problem::grading::Graders;
use crate::trials::problem::run::ProblemRun;
use crate::trials::problem::trial::Programs;
use crate::trials::session::BotSession;

pub(crate) struct Judging<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) sandbox: Sandbox,
    /// The sandbox of interactors and checkers.
    pub(crate) interactor_sandbox: Sandbox,
    pub(crate) fresh: bool,
    pub(crate) guards: GuardNames,
    pub(crate) problems: Problems,
    pub(crate) rerun: ExclusiveRerun,
}

/// A worker's last problem with its wardens, which also serve for the next job if it has the same problem.
pub(crate) type LastPrograms = (Arc<Problem>, Programs);

impl Judging<'_> {
    /// Judges a job. After an interrupt the result is not complete.
    pub(crate) fn judge(&self, last: &mut Option<LastPrograms>, job: &Job) -> anyhow::Result<JobResult> {
        let mut result = JobResult::new(job.id.clone(), self.guards.clone());
        match &job.task {
            Task::Game { header, opponent } => self.game(job, header, *opponent, &mut result)?,
            Task::Problem(problem) => self.problem(job, problem, last, &mut result)?,
        }
        Ok(result.ruled())
    }

    fn game(
        &self,
        job: &Job,
        header: &GameHeader,
        opponent: OpponentKind,
        result: &mut JobResult,
    ) -> anyhow::Result<()> {
        result.total = 1;
        let options = self.options(job);
        let start = |bot: &[OsString]| options.start_config(bot, self.settings);
        let Some(config) = self.compile(&job.source, result, start)? else { return Ok(()) };
        let mut session = BotSession::new("the bot", config, u64::MAX)?;
        let setup = GameSetup::new(header.clone(), opponent, job.seed);
        run_tests(job, result, |_, left| {
            let mut record = None;
            let play = |repeat| {
                let record = record.insert(Interaction::of_game(left));
                record.has_all_stderr = true;
                session.play(GameSetup { repeat, ..setup.clone() }, record)
            };
            let report = RunReport::from(&self.rerun.play(play, |game| game.result.doubtful)?);
            let record = record.filter(|_| job.keeps_output);
            Ok(JobRun { report, output: record.map(|record| Output::new(&[record])) })
        })
    }

    fn problem(
        &self,
        job: &Job,
        source: &ProblemSource,
        last: &mut Option<LastPrograms>,
        result: &mut JobResult,
    ) -> anyhow::Result<()> {
        let options = self.options(job);
        let of_problem = BotOptions { build: confined(self.interactor_sandbox), ..options.clone() };
        let mut source = source.clone();
        source.programs.interactor_sandbox = self.interactor_sandbox;
        let problem = match self.problems.get(&source, &of_problem, self.settings) {
            Ok(problem) => problem,
            Err(error) => {
                let report = uncompiled(&error).ok_or_else(|| anyhow!("{error:#}"))?;
                result.runs.push(JobRun { report, output: None });
                return Ok(());
            }
        };
        result.total = problem.run.tests.len();
        let start = |bot: &[OsString]| problem.settings.problem_bot(&options, bot, &source.programs);
        let Some((bot, _built)) = self.compile(&job.source, result, start)? else { return Ok(()) };
        let run = ProblemRun { bot, full_score: job.full_score, ..problem.run.clone() };
        let kept = last.take().filter(|(of, _)| Arc::ptr_eq(of, &problem)).map(|(_, programs)| programs);
        let mut programs = kept.map_or_else(|| Programs::new(run.clone(), 0), Ok)?;
        programs.records_stderr = job.keeps_output;
        programs.problem = run;
        run_tests(job, result, |test, left| {
            programs.max_recorded = left;
            let test = TestCase { seed: job.seed, ..programs.problem.tests[test].clone() };
            let result = self.rerun.play(|repeat| programs.run(&test, repeat), |result| result.doubtful)?;
            let output = job.keeps_output.then(|| Output::new(&result.interactions));
            Ok(JobRun { report: programs.problem.report(&test, &result), output })
        })?;
        let graders = problem.run.package.as_ref().and_then(|package| package.graders.as_ref());
        if let Some(graders) = graders.filter(|_| source.tests.is_empty()) {
            result.score = score(graders, &programs.problem.tests, &result.runs);
        }
        // After an error the programs are started anew.
        *last = Some((problem, programs));
        Ok(())
    }

    fn options(&self, job: &Job) -> BotOptions {
        let (limits, build) = (job.limits.clone(), confined(self.sandbox));
        BotOptions { limits, profile: None, session: false, sandbox: self.sandbox, fresh: self.fresh, build }
    }

    /// Makes the bot ready by `start`, which gets its command. Returns `None` if its source does not compile.
    fn compile<T>(
        &self,
        source: &JobSource,
        result: &mut JobResult,
        start: impl FnOnce(&[OsString]) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<T>> {
        let begun = Instant::now();
        let started = self.command(source).and_then(|bot| start(&bot));
        let compiled = Compiled { ok: started.is_ok(), ms: ms(begun.elapsed()), log: String::new() };
        let compiled = result.compile.insert(compiled);
        match started {
            Ok(bot) => Ok(Some(bot)),
            Err(error) => {
                let Some(report) = uncompiled(&error) else { return Err(error) };
                compiled.log = report.ruling.why.join("\n");
                result.runs.push(JobRun { report, output: None });
                Ok(None)
            }
        }
    }

    fn command(&self, source: &JobSource) -> anyhow::Result<Vec<OsString>> {
        let (language, code) = match source {
            JobSource::Command(words) => return Ok(words.clone()),
            JobSource::Code { language, code } => (language, code),
        };
        let languages = &self.settings.languages;
        let found = languages.iter().find(|known| known.name == *language);
        let found = found.with_context(|| {
            let names = || languages.iter().map(|known| known.name.as_str());
            let (names, meant) = (names().join(", "), did_you_mean(language, names()));
            let got = shortened(language);
            format!("invalid value {got:?} for \"source.language\": expected {names}{meant}")
        })?;
        Ok(vec![sources::keep(code, found)?.into()])
    }
}

/// Returns how the compilers of programs that will run in `sandbox` are confined.
fn confined(sandbox: Sandbox) -> BuildOptions {
    BuildOptions { confined: Some(sandbox), ..BuildOptions::default() }
}

/// Returns the score of a bot on all tests of a package; `None` if not all were run, or if the validator failed.
fn score(graders: &Graders, tests: &[TestCase], runs: &[JobRun]) -> Option<f64> {
    let results = tests.iter().zip(runs.iter().map(|run| &run.report.ruling));
    let results = results.map(|(test, ruling)| (&*test.name, TestOutcome::of(ruling.verdict), ruling.score));
    graders.grade(results).filter(|_| runs.len() == tests.len()).map(|grade| grade.score)
}

/// Runs the tests of a job, until one is not accepted if the job stops there, or until an interrupt. `run` gets the number
/// of a test, and how many bytes of output may be kept.
fn run_tests(
    job: &Job,
    result: &mut JobResult,
    mut run: impl FnMut(usize, usize) -> anyhow::Result<JobRun>,
) -> anyhow::Result<()> {
    let mut left = if job.keeps_output { MAX_KEPT } else { 0 };
    for test in 0..result.total {
        let run = repeated(job.repeat, || run(test, left))?;
        // A run that is repeated and not kept uses up nothing.
        left = run.output.as_ref().and_then(|output| output.left).unwrap_or(0);
        let is_last = run.report.ruling.class != Class::Accepted && job.stop == Stop::FirstFailure;
        result.runs.push(run);
        if is_last || interrupted() {
            break;
        }
    }
    Ok(())
}

/// Returns the first run that is not accepted, or else the first one, with the classes of all runs if they differ.
fn repeated(times: u64, mut run: impl FnMut() -> anyhow::Result<JobRun>) -> anyhow::Result<JobRun> {
    let mut kept = run()?;
    let mut classes = vec![kept.report.ruling.class];
    for _ in 1..times {
        let next = run()?;
        classes.push(next.report.ruling.class);
        if kept.report.ruling.class == Class::Accepted && next.report.ruling.class != Class::Accepted {
            kept = next;
        }
    }
    classes.retain(|&class| class != kept.report.ruling.class);
    kept.report.repeated(classes);
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kept_runs_use_up_the_room_for_output() {
        let job = r#"{"id": "a", "game": "1 1 1", "source": {"path": "b"}, "repeat": 3, "output": "full"}"#;
        let job = Job::read(1, job.as_bytes()).unwrap();
        let mut result = JobResult::new(String::new(), GuardNames::default());
        result.total = 2;
        let mut rooms = Vec::new();
        let run = |_, left| {
            rooms.push(left);
            let class = if rooms.len() % 3 == 0 { Class::WrongAnswer } else { Class::Accepted };
            let report = RunReport::uncompiled(class, String::new(), Vec::new());
            Ok(JobRun { report, output: Some(Output::new(&[Interaction::of_game(left - 7)])) })
        };
        run_tests(&job, &mut result, run).unwrap();
        assert_eq!(rooms, [[MAX_KEPT; 3], [MAX_KEPT - 7; 3]].concat());
    }
}
