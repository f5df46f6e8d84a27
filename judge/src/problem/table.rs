//! `judge run --problem` without a bot: runs each submission of a problem package on all tests, and compares its
//! verdicts with the expected ones.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::package::{MAX_TIME, Package};
use super::report::Form;
use super::run::ProblemRun;
use super::run_line::RunLine;
use super::submissions::{self, Outcome, Submission};
use crate::settings::Settings;
use crate::sources::folder;
use common::SCHEMA;
use common::escape::printable;
use common::interrupt::interrupted;
use common::json::ms;
use common::program::print_error;
use common::text::counted;
use common::units::in_ms;
use interactor::Verdict;
use interactor::trial::TrialResult;
use runner::limits::{Limits, default_wall};

/// The time limit of accepted submissions from whose times the limit is computed.
const TRIAL_CPU: Duration = Duration::from_secs(30);

/// All submissions of a package.
pub(crate) struct SubmissionTable<'a> {
    pub(crate) package: &'a Package,
    /// How each submission is run; without the bot.
    pub(crate) run: ProblemRun,
    /// Whether the time limit is computed from the times of the accepted submissions.
    pub(crate) computes_limit: bool,
    /// The wall limit that was typed.
    pub(crate) wall: Option<Duration>,
    pub(crate) settings: &'a Settings,
    pub(crate) is_verbose: bool,
}

/// One test of a submission.
struct Seen {
    test: String,
    verdict: Verdict,
    details: String,
}

/// A row of the table.
struct Row<'a> {
    submission: &'a Submission,
    seen: Vec<Seen>,
    slowest: Option<Duration>,
    /// Why the verdicts are not the expected ones, with the index of the run that shows it.
    unexpected: Option<(Option<usize>, String)>,
}

/// The JSON line of a submission. The line of each run comes before it.
#[derive(Serialize)]
struct SubmissionLine<'a> {
    schema: u32,
    submission: &'a str,
    verdicts: BTreeMap<String, u64>,
    /// The largest CPU time of a test.
    slowest_ms: Option<f64>,
    time_limit_ms: f64,
    expected: String,
    is_expected: bool,
    /// Why the verdicts are not the expected ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    unexpected: Option<&'a str>,
}

impl SubmissionTable<'_> {
    /// Runs all submissions, and writes a row for each. Returns the exit code: 0 if all verdicts are the expected ones,
    /// 2 if the validator or the judge failed, else 1.
    ///
    /// # Errors
    ///
    /// If the submissions cannot be read, or the judge cannot continue.
    pub(crate) fn write(mut self, out: &mut dyn Write, form: Form) -> anyhow::Result<ExitCode> {
        let submissions = submissions::find(self.package)?;
        let width = submissions.iter().map(|submission| submission.name.chars().count()).max().unwrap_or(0);
        let final_limits = self.run.bot.limits;
        let (mut as_expected, mut has_failed) = (0, false);
        let mut slowest = Duration::ZERO;
        if self.computes_limit {
            self.run.bot.limits = self.with_cpu(final_limits, TRIAL_CPU);
        }
        for submission in &submissions {
            if self.computes_limit && !submission.bounds_time() {
                self.computes_limit = false;
                let cpu = self.computed_limit(slowest);
                self.run.bot.limits = self.with_cpu(final_limits, cpu);
                if matches!(form, Form::Console { quiet: false, .. }) {
                    writeln!(out, "{:<width$}  time limit {} s", "", cpu.as_secs_f64())?;
                }
            }
            let row = self.row(submission, out, form)?;
            if interrupted() {
                break;
            }
            slowest = slowest.max(row.slowest.unwrap_or_default());
            has_failed |= row.seen.iter().any(|seen| seen.verdict == Verdict::JudgeError);
            as_expected += usize::from(row.unexpected.is_none());
            match form {
                Form::Json => self.write_json(out, &row)?,
                Form::Console { quiet: true, .. } if row.unexpected.is_none() => {}
                Form::Console { .. } => write_text(out, &row, width)?,
            }
            out.flush()?;
        }
        if interrupted() {
            print_error(format_args!("interrupted, so not all submissions were run"));
            return Ok(ExitCode::from(2));
        }
        let all = submissions.len();
        if matches!(form, Form::Console { quiet, .. } if !quiet || as_expected < all) {
            let counted = counted(all as u64, "submission");
            if as_expected == all {
                writeln!(out, "{counted}: all verdicts as expected")?;
            } else {
                writeln!(out, "{counted}: {as_expected} with the expected verdicts")?;
            }
        }
        Ok(match (has_failed, as_expected == all) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::SUCCESS,
            (false, false) => ExitCode::FAILURE,
        })
    }

    /// Returns the limits with another CPU time, and the wall time that follows from it.
    fn with_cpu(&self, limits: Limits, cpu: Duration) -> Limits {
        Limits { cpu, wall: self.wall.unwrap_or_else(|| default_wall(cpu)), ..limits }
    }

    /// Returns the time limit that the format computes from the time of the slowest accepted submission.
    fn computed_limit(&self, slowest: Duration) -> Duration {
        let limits = &self.package.limits;
        let steps = slowest.as_secs_f64() * limits.time_multiplier / limits.time_resolution.as_secs_f64();
        // The largest resolution is a day, so this cannot overflow.
        limits.time_resolution.mul_f64(steps.ceil().clamp(1.0, 1e6)).min(MAX_TIME)
    }

    /// Runs a submission on all tests.
    fn row<'s>(
        &self,
        submission: &'s Submission,
        out: &mut dyn Write,
        form: Form,
    ) -> anyhow::Result<Row<'s>> {
        let build = &self.run.bot.build;
        let built = match folder::build(&submission.path, &self.settings.languages, build, self.is_verbose) {
            Ok(built) => built,
            Err(error) => {
                let unexpected = Some((None, format!("{error:#}")));
                return Ok(Row { submission, seen: Vec::new(), slowest: None, unexpected });
            }
        };
        let mut run = self.run.clone();
        run.bot.bot = vec![submission.path.clone().into()];
        run.bot.started = Some(built.command.clone());
        let style = run.style()?;
        let mut seen = Vec::new();
        let mut slowest: Option<Duration> = None;
        run.run_tests(|test, result| {
            slowest = slowest.max(result.bot.used.cpu);
            let again = run.again(style, test);
            if form == Form::Json {
                let line = RunLine::of(test, result, again.clone()).of_submission(&submission.name);
                serde_json::to_writer(&mut *out, &line)?;
                writeln!(out)?;
            }
            seen.push(Seen {
                test: test.name.clone(),
                verdict: result.verdict,
                details: details(result, again),
            });
            Ok(())
        })?;
        let verdicts: Vec<(&str, Verdict)> = seen.iter().map(|seen| (&*seen.test, seen.verdict)).collect();
        let unexpected = submission.unexpected(&verdicts);
        Ok(Row { submission, seen, slowest, unexpected })
    }

    fn write_json(&self, out: &mut dyn Write, row: &Row<'_>) -> anyhow::Result<()> {
        let mut verdicts: BTreeMap<String, u64> = BTreeMap::new();
        for seen in &row.seen {
            *verdicts.entry(seen.verdict.to_string()).or_default() += 1;
        }
        let line = SubmissionLine {
            schema: SCHEMA,
            submission: &row.submission.name,
            verdicts,
            slowest_ms: row.slowest.map(ms),
            time_limit_ms: ms(self.run.bot.limits.cpu),
            expected: row.submission.expected(),
            is_expected: row.unexpected.is_none(),
            unexpected: row.unexpected.as_ref().map(|(_, why)| why.as_str()),
        };
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)?;
        Ok(())
    }
}

fn write_text(out: &mut dyn Write, row: &Row<'_>, width: usize) -> anyhow::Result<()> {
    let Row { submission, seen, slowest, unexpected } = row;
    let first = seen.iter().find(|seen| Outcome::of(seen.verdict) != Some(Outcome::Accepted));
    let verdict = match (first, seen.is_empty()) {
        (Some(seen), _) => format!("{} on {}", seen.verdict, seen.test),
        (None, false) => Verdict::Accepted.to_string(),
        (None, true) => "not built".to_owned(),
    };
    let slowest = slowest.map_or_else(String::new, |time| format!("CPU {}", in_ms(time)));
    let (color, judgement) = match unexpected {
        None => (AnsiColor::Green, "expected"),
        Some(_) => (AnsiColor::Red, "UNEXPECTED"),
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    writeln!(
        out,
        "{:<width$}  {style}{judgement:<10}{style:#}  {:<30}  {slowest}",
        printable(&submission.name),
        printable(&verdict)
    )?;
    let Some((at, why)) = unexpected else { return Ok(()) };
    writeln!(out, "    why: {}", printable(why))?;
    writeln!(out, "    expected: {}", printable(&submission.expected()))?;
    if let Some(seen) = at.map_or(first, |at| seen.get(at)) {
        write!(out, "{}", seen.details)?;
    }
    Ok(())
}

/// Returns lines about a run: its reason, and the command that repeats it.
fn details(result: &TrialResult, again: Option<String>) -> String {
    let again = again.map(|again| format!("    again: {}\n", printable(&again)));
    format!("    {}: {}\n{}", result.verdict, printable(&result.reason), again.unwrap_or_default())
}
