//! The report of runs against an interactor: for a person, or as JSON lines.

use std::io::Write;
use std::process::ExitCode;

use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::Verdict;
use crate::referee::interactor::trial::TrialResult;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::rows::Columns;
use crate::report::run::RunReport;
use crate::report::transcript::RunSetup;
use crate::search::{JsonLine, SmallestFields};

/// How results are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For a person. `quiet` leaves out accepted runs, `show_stderr` also shows the bot's stderr of accepted runs, and
    /// `show_lines` the lines of both programs.
    Console {
        quiet: bool,
        show_stderr: bool,
        show_lines: bool,
    },
    Json,
}

/// The results so far.
pub(crate) struct Report {
    form: Form,
    console: Console<Box<dyn Write>>,
}

impl Report {
    pub(crate) fn new(out: Box<dyn Write>, form: Form) -> Self {
        let mut console = Console::new(out);
        if let Form::Console { quiet, show_stderr, show_lines } = form {
            let shortens = !show_stderr && !show_lines;
            console = console.quiet(quiet).show_stderr(show_stderr).shortens(shortens);
        }
        Self { form, console }
    }

    /// Returns whether the lines of both programs are shown.
    pub(crate) fn shows_lines(&self) -> bool {
        matches!(self.form, Form::Console { show_lines: true, .. })
    }

    /// Shows the conversation of a run in two columns, if the form has `show_lines`.
    pub(crate) fn show(&mut self, setup: &RunSetup, passes: &[Interaction]) -> anyhow::Result<()> {
        if self.shows_lines() {
            let mut columns = Columns::new(self.console.out());
            columns.heading(setup)?;
            for (pass, interaction) in (1..).zip(passes) {
                if pass > 1 {
                    columns.begin_pass(pass)?;
                }
                interaction.steps().iter().try_for_each(|step| columns.add(step))?;
            }
            columns.end()?;
        }
        Ok(())
    }

    /// Sets the score that is accepted, so that a smaller score is a failure.
    pub(crate) fn full_score(self, full_score: Option<f64>) -> Self {
        Self { console: self.console.full_score(full_score), ..self }
    }

    pub(crate) fn add(&mut self, run: &RunReport) -> anyhow::Result<()> {
        match self.form {
            Form::Json => {
                self.console.count(run.verdict, run.score);
                Json::new(self.console.out()).run(run)
            }
            Form::Console { .. } => self.console.run(run),
        }
    }

    /// Reports a run on a generated input. In the form for a person, the run is only counted, unless `show_stderr` is
    /// set. `report` returns the report of the run.
    pub(crate) fn add_generated(
        &mut self,
        result: &TrialResult,
        report: impl FnOnce() -> RunReport,
    ) -> anyhow::Result<()> {
        match self.form {
            Form::Console { show_stderr: false, .. } => {
                self.console.count(result.ruling.verdict, result.ruling.score);
                Ok(())
            }
            Form::Json | Form::Console { show_stderr: true, .. } => self.add(&report()),
        }
    }

    /// Reports the run on the smallest input of `judge stress`. `heading` is a sentence about it without its end, and
    /// `shown` has the lines of the input.
    pub(crate) fn add_smallest(
        &mut self,
        run: &RunReport,
        fields: SmallestFields,
        heading: &str,
        shown: &[String],
    ) -> anyhow::Result<()> {
        let out = self.console.out();
        if self.form == Form::Json {
            return Json::new(out).write(&JsonLine { fields, options: None, run });
        }
        writeln!(out, "\n{heading}:\n")?;
        shown.iter().try_for_each(|shown| writeln!(out, "    {shown}"))?;
        writeln!(out)?;
        self.console.write(run)
    }

    /// Writes the summary, and returns the exit code: 2 if the interactor or the judge failed in a run, 1 if the bot
    /// failed in a run, and 0 otherwise.
    pub(crate) fn end(&mut self, bot: &str) -> anyhow::Result<ExitCode> {
        if self.form != Form::Json {
            self.console.end_runs(bot)?;
        }
        Ok(match (self.console.verdicts().count(Verdict::JudgeError), self.console.failed_runs()) {
            (1.., _) => ExitCode::from(2),
            (0, 0) => ExitCode::SUCCESS,
            (0, _) => ExitCode::FAILURE,
        })
    }
}
