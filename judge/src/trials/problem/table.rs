//! `judge run --problem` without a bot: runs each submission of a problem package on all tests, and compares its
//! verdicts with the expected ones.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::ensure;
use console::{Color, style};
use runner::escape::printable;
use runner::interrupt::interrupted;
use runner::limits::Limits;
use runner::message::print_error;
use serde::Serialize;

use crate::SCHEMA;
use crate::cli::LimitOptions;
use crate::conversation::verdict::Verdict;
use crate::json::{self, from_ms, ms};
use crate::report::reporter::{Form, Reporter};
use crate::report::run::RunReport;
use crate::report::summary::VerdictCounts;
use crate::settings::Settings;
use crate::text::counted;
use crate::trials::problem::expected::{Difference, Seen, TestOutcome};
use crate::trials::problem::grading::Graded;
use crate::trials::problem::package::Package;
use crate::trials::problem::run::{LIMITS_OF_PROBLEMS, ProblemRun};
use crate::trials::problem::submissions::{self, Submission};
use crate::trials::problem::trial::TrialResult;
use crate::units::{self, in_ms};

/// The limit on the CPU time of the submissions whose times determine a computed time limit.
const TRIAL_CPU: Duration = Duration::from_secs(30);

pub(crate) struct SubmissionTable<'a> {
    pub(crate) package: &'a Package,
    /// The run of a submission, in which the bot is still to be set.
    pub(crate) run: ProblemRun,
    /// The limits that options or settings give.
    pub(crate) given: LimitOptions,
    /// Whether the time limit was computed from the times of submissions.
    pub(crate) is_computed: bool,
    pub(crate) settings: &'a Settings,
}

/// The result of a submission, which is its JSON line. The line of each run comes before it.
#[derive(Serialize)]
struct SubmissionRow<'a> {
    schema: u32,
    #[serde(rename = "submission")]
    name: &'a str,
    verdicts: VerdictCounts,
    /// The result of all tests, if the package is graded and the validator has not failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<Graded>,
    slowest_ms: Option<f64>,
    time_limit_ms: f64,
    expected: String,
    /// `None` if nothing is expected, or if the tests that were run do not show what is expected.
    is_expected: Option<bool>,
    /// Why the verdicts are not the expected ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    unexpected: Option<String>,
    /// What only other tests can show.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_shown: Option<String>,
    /// The test that shows what is not expected, if there is one.
    #[serde(skip)]
    shown_by: Option<usize>,
    #[serde(skip)]
    seen: Vec<Seen>,
}

impl SubmissionTable<'_> {
    /// Runs all submissions, and writes a row for each. Returns the exit code: 0 if all verdicts are the expected ones,
    /// 2 if the validator or the judge failed, else 1.
    pub(crate) fn write(mut self, out: &mut dyn Write, form: Form) -> anyhow::Result<ExitCode> {
        let mut submissions = submissions::find(self.package)?;
        let bounds_below = |submission: &Submission| submission.expected.rules_below().next().is_some();
        if self.has_no_limit() {
            self.run.bot.limits = with_own(self.run.bot.limits, &self.given, (Some(TRIAL_CPU), None));
            submissions.sort_by_key(|submission| !bounds_below(submission));
            ensure!(
                submissions.iter().any(bounds_below),
                "expected a submission whose times bound the time limit from below, found none"
            );
        }
        let width = submissions.iter().map(|submission| submission.name.chars().count()).max().unwrap_or(0);
        let (mut as_expected, mut unexpected, mut not_shown, mut has_failed) = (0_u64, 0, 0_u64, false);
        let mut slowest = Duration::ZERO;
        for submission in &submissions {
            if self.has_no_limit() && !bounds_below(submission) {
                self.is_computed = true;
                let cpu = self.package.limits.time_for(slowest);
                self.run.bot.limits = with_own(self.run.bot.limits, &self.given, (Some(cpu), None));
                write_limit(out, form, width, cpu)?;
            }
            let row = self.row(submission, out, form)?;
            if interrupted() {
                print_error(format_args!("interrupted, so not all submissions were run"));
                return Ok(ExitCode::from(2));
            }
            slowest =
                slowest.max(slowest_below(submission, &row.seen).map_or(Duration::ZERO, |(time, _)| time));
            let failed =
                row.seen.iter().filter(|seen| seen.report.ruling.verdict == Verdict::JudgeError).count();
            has_failed |= failed > 0;
            as_expected += u64::from(row.is_expected == Some(true));
            unexpected += u64::from(row.is_expected == Some(false));
            not_shown += u64::from(row.not_shown.is_some());
            match form {
                Form::Json => json::write_line(out, &row)?,
                Form::Console { quiet: true, .. } if row.is_expected != Some(false) => {}
                Form::Console { show_stderr, .. } => row.write_text(out, width, show_stderr)?,
            }
            out.flush()?;
            if failed > 0 && failed == row.seen.len() && submissions.len() > 1 {
                print_error("the validator failed on every test, so the other submissions were not run");
                return Ok(ExitCode::from(2));
            }
        }
        if self.has_no_limit() {
            write_limit(out, form, width, self.package.limits.time_for(slowest))?;
        }
        let all = submissions.len() as u64;
        if matches!(form, Form::Console { quiet, .. } if !quiet || unexpected > 0) {
            let counted = counted(all, "submission");
            if as_expected == all {
                writeln!(out, "{counted}: all verdicts as expected")?;
            } else {
                write!(out, "{counted}: {as_expected} with the expected verdicts")?;
                if not_shown > 0 {
                    write!(out, ", {not_shown} not shown by these tests")?;
                }
                writeln!(out)?;
            }
        }
        Ok(match (has_failed, unexpected) {
            (true, _) => ExitCode::from(2),
            (false, 0) => ExitCode::SUCCESS,
            (false, _) => ExitCode::FAILURE,
        })
    }

    /// Returns whether the time limit is still to be computed.
    fn has_no_limit(&self) -> bool {
        !self.is_computed && self.given.time_limit.or(self.package.limits.time).is_none()
    }

    fn row<'s>(
        &self,
        submission: &'s Submission,
        out: &mut dyn Write,
        form: Form,
    ) -> anyhow::Result<SubmissionRow<'s>> {
        let builder = self.settings.builder(&self.run.bot.build);
        let built = match self.package.constants.build(&submission.path, builder) {
            Ok(built) => built,
            Err(error) => {
                let difference = Some(Difference::Unexpected(None, format!("{error:#}")));
                return Ok(self.new_row(submission, Vec::new(), None, difference));
            }
        };
        let mut run = self.run.clone();
        let is_in_folder = self.package.folder.is_dir();
        let typed = if is_in_folder { submission.path.clone() } else { submission.name.clone().into() };
        run.bot.bot = vec![typed.into()];
        run.bot.started = Some(built.command.clone());
        run.bot.limits = with_own(run.bot.limits, &self.given, submission.limits);
        let mut seen = Vec::new();
        run.run_tests(0, |test, result| {
            let report = RunReport { bot_name: Some(submission.name.clone()), ..run.report(test, result) };
            if form == Form::Json {
                json::write_line(&mut *out, &report)?;
            }
            let message = if submission.expected.has_message() { &*result.judge_message } else { "" };
            let (test, message) = (test.name.clone(), message.to_owned());
            seen.push(Seen { test, outcome: outcome(result), message, report });
            Ok(true)
        })?;
        let results = seen.iter().map(|seen| (&*seen.test, seen.outcome, seen.report.ruling.score));
        let grade = self.package.graders.as_ref().and_then(|graders| graders.grade(results));
        let has_all = seen.len() == self.package.tests.len();
        let mut difference = match submission.expected.difference(&seen, grade.as_ref()) {
            Some(Difference::Missing(why)) if has_all => Some(Difference::Unexpected(None, why)),
            difference => difference,
        };
        if difference.is_none() {
            // The grade of some tests says nothing about the best score.
            if let Some(grade) = grade
                .filter(|grade| has_all && submission.is_accepted && grade.best.is_some() && !grade.is_best())
            {
                print_error(format_args!(
                    "{}: the grade is {grade}; submissions without the best score belong in partially_accepted",
                    submission.name
                ));
            }
            if self.is_computed {
                let fault = self.too_fast(&run, submission, &seen)?;
                difference = fault.map(|fault| Difference::Unexpected(None, fault));
            } else if self.given.time_limit.is_none() && self.package.limits.binds_given_limit {
                // Only print a note, because the machine for which the limit was chosen may be faster.
                let too_slow = self.too_slow(&run, submission, &seen);
                if let Some(fault) = too_slow.or(self.too_fast(&run, submission, &seen)?) {
                    print_error(format_args!("{}: {fault}", submission.name));
                }
            }
        }
        Ok(self.new_row(submission, seen, grade, difference))
    }

    /// Returns why a submission is not fast enough for the time limit of the package.
    fn too_slow(&self, run: &ProblemRun, submission: &Submission, seen: &[Seen]) -> Option<String> {
        let factor = self.package.limits.from_accepted;
        let limit = run.bot.limits.cpu;
        let (time, test) =
            slowest_below(submission, seen).filter(|(time, _)| time.mul_f64(factor) > limit)?;
        Some(format!(
            "takes {} on {test}: by ac_to_time_limit the time limit, {}, has to be at least {factor} times this time",
            in_ms(time),
            units::time_limit(limit)
        ))
    }

    /// Returns why a submission that has to be too slow is too close to the time limit. To find this out, runs the
    /// submission again on the tests on which it used too much CPU time, until one test takes long enough.
    fn too_fast(
        &self,
        run: &ProblemRun,
        submission: &Submission,
        seen: &[Seen],
    ) -> anyhow::Result<Option<String>> {
        let Some(factor) = self.package.limits.to_too_slow else { return Ok(None) };
        let min_too_slow = run.bot.limits.cpu.mul_f64(factor);
        for rule in submission.expected.rules_above() {
            let of_rule = seen.iter().filter(|seen| rule.applies_to(&seen.test) && is_too_slow(seen));
            // Skip the rule if the bot waited on a test: with a larger limit, the bot would only wait longer.
            if of_rule.clone().any(|seen| seen.report.ruling.verdict != Verdict::TimeCpu) {
                continue;
            }
            let names: BTreeSet<&str> = of_rule.map(|seen| &*seen.test).collect();
            let tests = run.tests.iter().filter(|test| names.contains(&*test.name)).cloned().collect();
            let mut longer = ProblemRun { tests, ..run.clone() };
            longer.bot.limits = with_own(run.bot.limits, &self.given, (Some(min_too_slow), None));
            let (mut slowest, mut is_reached) = (None, false);
            longer.run_tests(0, |test, result| {
                is_reached = TestOutcome::of(result.ruling.verdict) == Some(TestOutcome::TooSlow);
                slowest = slowest.max(longer.report(test, result).used().cpu);
                Ok(!is_reached)
            })?;
            if let Some(slowest) = slowest.filter(|_| !is_reached && !interrupted()) {
                return Ok(Some(format!(
                    "by time_limit_to_tle a test has to take at least {}, {factor} times the time limit; the slowest \
                     takes {}",
                    units::time_limit(min_too_slow),
                    in_ms(slowest)
                )));
            }
        }
        Ok(None)
    }

    fn new_row<'s>(
        &self,
        submission: &'s Submission,
        seen: Vec<Seen>,
        grade: Option<Graded>,
        difference: Option<Difference>,
    ) -> SubmissionRow<'s> {
        let (is_expected, shown_by, unexpected, not_shown) = match difference {
            None => (submission.expected.is_stated().then_some(true), None, None, None),
            Some(Difference::Unexpected(at, why)) => (Some(false), at, Some(why), None),
            Some(Difference::Missing(why)) => (None, None, None, Some(why)),
        };
        let mut verdicts = VerdictCounts::default();
        verdicts.extend(seen.iter().map(|seen| seen.report.ruling.verdict));
        SubmissionRow {
            schema: SCHEMA,
            name: &submission.name,
            verdicts,
            grade,
            slowest_ms: seen.iter().filter_map(|seen| seen.report.used().cpu).max().map(ms),
            time_limit_ms: ms(with_own(self.run.bot.limits, &self.given, submission.limits).cpu),
            expected: submission.expected.text(),
            is_expected,
            unexpected,
            not_shown,
            shown_by,
            seen,
        }
    }
}

/// Returns the limits with this CPU time and this memory, unless they are given.
fn with_own(limits: Limits, given: &LimitOptions, (cpu, memory): (Option<Duration>, Option<u64>)) -> Limits {
    let default = Limits {
        cpu: cpu.unwrap_or(limits.cpu),
        memory: memory.unwrap_or(limits.memory),
        ..LIMITS_OF_PROBLEMS
    };
    given.limits(&default)
}

fn is_too_slow(seen: &Seen) -> bool {
    seen.outcome == Some(TestOutcome::TooSlow)
}

/// Returns the largest CPU time that bounds the time limit from below, with the test. Tests that are too slow are left
/// out, because the judge ended them at the limit.
fn slowest_below<'s>(submission: &Submission, seen: &'s [Seen]) -> Option<(Duration, &'s str)> {
    let bounds = |seen: &&Seen| {
        !is_too_slow(seen) && submission.expected.rules_below().any(|rule| rule.applies_to(&seen.test))
    };
    let times = seen.iter().filter(bounds).filter_map(|seen| Some((seen.report.used().cpu?, &*seen.test)));
    times.max_by_key(|(time, _)| *time)
}

impl SubmissionRow<'_> {
    fn write_text(&self, out: &mut dyn Write, width: usize, shows_stderr: bool) -> anyhow::Result<()> {
        let Self { name, grade, seen, expected, unexpected, not_shown, .. } = self;
        let first = seen.iter().find(|seen| seen.outcome != Some(TestOutcome::Accepted));
        let verdict = match (grade, first) {
            (Some(grade), _) => grade.to_string(),
            (None, Some(seen)) => format!("{} on {}", seen.report.ruling.verdict, seen.test),
            (None, None) if seen.is_empty() => "not built".to_owned(),
            (None, None) => Verdict::Accepted.to_string(),
        };
        let slowest = self.slowest_ms.map_or_else(String::new, |ms| format!("CPU {}", in_ms(from_ms(ms))));
        let (color, judgement) = match self.is_expected {
            Some(true) => (Color::Green, "expected"),
            Some(false) => (Color::Red, "UNEXPECTED"),
            None if not_shown.is_some() => (Color::Yellow, "not shown"),
            None => (Color::Yellow, "-"),
        };
        let judgement = style(format!("{judgement:<10}")).fg(color).bold();
        let (name, verdict) = (printable(name), printable(&verdict));
        writeln!(out, "{name:<width$}  {judgement}  {verdict:<30}  {slowest}")?;
        for seen in seen.iter().filter(|_| shows_stderr) {
            for line in seen.report.stderr() {
                writeln!(out, "    stderr on {}: {line}", printable(&seen.test))?;
            }
        }
        if let Some(why) = not_shown {
            writeln!(out, "    why: {}; the tests that were not run may show it", printable(why))?;
        }
        if let Some(why) = unexpected {
            writeln!(out, "    why: {}", printable(why))?;
            writeln!(out, "    expected: {}", printable(expected))?;
            if let Some(Seen { report, .. }) = self.shown_by.map_or(first, |at| seen.get(at)) {
                writeln!(out, "    {}: {}", report.ruling.verdict, printable(&report.ruling.reason))?;
                let mut reporter = Reporter::new(out, Form::PLAIN);
                reporter.write_lines("why", &report.ruling.why)?;
                reporter.write_advice(report)?;
            }
        }
        Ok(())
    }
}

/// Writes the computed time limit, unless the form is JSON or quiet.
fn write_limit(out: &mut dyn Write, form: Form, width: usize, cpu: Duration) -> anyhow::Result<()> {
    if matches!(form, Form::Console { quiet: false, .. }) {
        writeln!(out, "{:<width$}  time limit {} s", "", cpu.as_secs_f64())?;
    }
    Ok(())
}

/// Returns the outcome of a run. A bot that closed its output and went on running is too slow on other judges, which wait
/// for its end.
fn outcome(result: &TrialResult) -> Option<TestOutcome> {
    let went_on = result.bots.last().is_some_and(|bots| bots.iter().any(|bot| bot.exit.is_none()));
    match result.ruling.verdict {
        Verdict::ExitedEarly if went_on => Some(TestOutcome::TooSlow),
        verdict => TestOutcome::of(verdict),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A given limit counts even if it is the same as the package's.
    #[test]
    fn limits_of_a_submission() {
        let seconds = Duration::from_secs;
        let (package, own) =
            (Limits { cpu: seconds(5), memory: 256, ..LIMITS_OF_PROBLEMS }, (Some(seconds(2)), Some(64)));
        for (time_limit, memory_limit, own, expected) in [
            (None, None, own, (seconds(2), 64)),
            (None, None, (None, None), (seconds(5), 256)),
            (Some(seconds(5)), None, own, (seconds(5), 64)),
            (None, Some(256), own, (seconds(2), 256)),
        ] {
            let given = LimitOptions { time_limit, memory_limit, ..LimitOptions::default() };
            let limits = with_own(package, &given, own);
            assert_eq!((limits.cpu, limits.memory), expected, "{given:?}");
        }
    }
}
