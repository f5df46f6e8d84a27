//! The report of runs against an interactor: for a person, or as JSON lines.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use itertools::Itertools;
use runner::escape::printable;

use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::Verdict;
use crate::referee::interactor::trial::TrialResult;
use crate::report::rows::Columns;
use crate::report::run_line::RunLine;
use crate::report::run_transcript::RunSetup;
use crate::search::report::{JsonLine, SmallestFields};
use crate::text::counted;
use crate::trials::problem::test::Test;

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

/// A run that was not accepted is reported in full if it is one of the first `MAX_IN_FULL` runs with its verdict, and
/// if its cause is new: the advice, or the reason if there is no advice. Of the other runs that were not accepted, only
/// the reason is reported.
const MAX_IN_FULL: u64 = 3;

/// The results so far.
pub(crate) struct Report {
    out: Box<dyn Write>,
    form: Form,
    verdicts: BTreeMap<Verdict, u64>,
    /// The runs that were reported in full: the verdict, and the advice or the reason.
    in_full: BTreeSet<(Verdict, Vec<String>)>,
    /// The number of runs of which only the reason was reported.
    shortened: u64,
}

impl Report {
    pub(crate) fn new(out: Box<dyn Write>, form: Form) -> Self {
        Self { out, form, verdicts: BTreeMap::new(), in_full: BTreeSet::new(), shortened: 0 }
    }

    /// Returns whether the lines of both programs are shown.
    pub(crate) fn shows_lines(&self) -> bool {
        matches!(self.form, Form::Console { show_lines: true, .. })
    }

    /// Shows the conversation of a run in two columns, if the form has `show_lines`.
    pub(crate) fn show(&mut self, setup: &RunSetup, passes: &[Interaction]) -> anyhow::Result<()> {
        if self.shows_lines() {
            let mut columns = Columns::new(&mut self.out);
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

    /// Reports a run.
    pub(crate) fn add(&mut self, line: &RunLine) -> anyhow::Result<()> {
        let count = self.verdicts.entry(line.verdict).or_default();
        *count += 1;
        let is_short = line.verdict != Verdict::Accepted && {
            let cause = if line.advice.is_empty() { vec![line.reason.clone()] } else { line.advice.clone() };
            *count > MAX_IN_FULL || !self.in_full.insert((line.verdict, cause))
        };
        match self.form {
            Form::Json => self.write_json(line)?,
            Form::Console { quiet: true, .. } if line.verdict == Verdict::Accepted => {}
            Form::Console { show_stderr: false, show_lines: false, .. } if is_short => {
                self.write_reason(line)?;
                writeln!(self.out)?;
                self.shortened += 1;
            }
            Form::Console { show_stderr, .. } => self.write_text(line, show_stderr)?,
        }
        self.out.flush()?;
        Ok(())
    }

    /// Reports a run on a generated input. In the form for a person, the run is only counted, unless `show_stderr` is
    /// set. `again` returns the command that repeats the run.
    pub(crate) fn add_generated(
        &mut self,
        seed: u64,
        result: &TrialResult,
        again: impl FnOnce() -> Option<String>,
    ) -> anyhow::Result<()> {
        match self.form {
            Form::Console { show_stderr: false, .. } => {
                *self.verdicts.entry(result.ruling.verdict).or_default() += 1;
                Ok(())
            }
            Form::Json | Form::Console { show_stderr: true, .. } => {
                self.add(&RunLine::of(&Test::new(None, seed), result, again()))
            }
        }
    }

    /// Reports the run on the smallest input of `judge stress`. `heading` is a sentence about it without its end, and
    /// `shown` has the lines of the input.
    pub(crate) fn add_smallest(
        &mut self,
        line: &RunLine,
        fields: SmallestFields,
        heading: &str,
        shown: &[String],
    ) -> anyhow::Result<()> {
        if self.form == Form::Json {
            serde_json::to_writer(&mut self.out, &JsonLine { fields, options: None, run: line })?;
            writeln!(self.out)?;
        } else {
            writeln!(self.out, "\n{heading}:\n")?;
            shown.iter().try_for_each(|shown| writeln!(self.out, "    {shown}"))?;
            writeln!(self.out)?;
            self.write_text(line, false)?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn write_json(&mut self, line: &RunLine) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        Ok(())
    }

    /// Writes the verdict and its reason, without the end of the line.
    fn write_reason(&mut self, line: &RunLine) -> anyhow::Result<()> {
        let verdict = line.verdict;
        let color = match verdict {
            Verdict::Accepted => AnsiColor::Green,
            Verdict::Partial => AnsiColor::Yellow,
            _ => AnsiColor::Red,
        };
        let style = Style::new().bold().fg_color(Some(color.into()));
        let (name, reason) = (printable(&line.name()), printable(&line.reason));
        write!(self.out, "{style}{verdict}{style:#} {name}: {reason}")?;
        Ok(())
    }

    fn write_text(&mut self, line: &RunLine, show_stderr: bool) -> anyhow::Result<()> {
        let RunLine { verdict, why, advice, interactor, .. } = line;
        let is_accepted = *verdict == Verdict::Accepted;
        let dimmed = Style::new().dimmed();
        self.write_reason(line)?;
        let statistics = line.statistics();
        if is_accepted {
            writeln!(self.out, " {dimmed}({statistics}){dimmed:#}")?;
            for why in why {
                writeln!(self.out, "    why: {}", printable(why))?;
            }
            for note in &line.notes {
                writeln!(self.out, "    note: {}", printable(&note.reason))?;
            }
            if show_stderr {
                self.write_stderr("stderr", &line.stderr)?;
            }
            return Ok(());
        }
        writeln!(self.out)?;
        for why in why {
            writeln!(self.out, "    why: {}", printable(why))?;
        }
        for note in &line.notes {
            writeln!(self.out, "    note: {}", printable(&note.reason))?;
        }
        for advice in advice {
            writeln!(self.out, "    what to do: {}", printable(advice))?;
        }
        self.write_stderr("stderr", &line.stderr)?;
        self.write_stderr("stderr of the interactor", &interactor.stderr)?;
        writeln!(self.out, "    interactor: {}", printable(&interactor.shell_command()))?;
        match &line.command {
            Some(command) => writeln!(self.out, "    again: {}", printable(command))?,
            None => writeln!(self.out, "    again: the command is not valid UTF-8 and cannot be shown")?,
        }
        writeln!(self.out, "    {dimmed}({statistics}){dimmed:#}")?;
        Ok(())
    }

    fn write_stderr(&mut self, name: &str, stderr: &[String]) -> anyhow::Result<()> {
        for line in stderr {
            writeln!(self.out, "    {name}: {}", printable(line))?;
        }
        Ok(())
    }

    /// Writes the summary, and returns the exit code: 0 if all runs were accepted, 2 if the interactor or the judge
    /// failed in a run, and 1 otherwise.
    pub(crate) fn end(&mut self, bot: &str) -> anyhow::Result<ExitCode> {
        let count = |verdict| self.verdicts.get(&verdict).copied().unwrap_or(0);
        let (accepted, failed) = (count(Verdict::Accepted), count(Verdict::JudgeError));
        let total: u64 = self.verdicts.values().sum();
        if let Form::Console { quiet, .. } = self.form
            && !(quiet && accepted == total)
        {
            write!(self.out, "{}: {} of {} accepted", printable(bot), accepted, counted(total, "run"))?;
            let others = self.verdicts.iter().filter(|(verdict, _)| **verdict != Verdict::Accepted);
            let others = others.map(|(verdict, count)| format!("{count} {verdict}")).join(", ");
            if total > 1 && !others.is_empty() {
                write!(self.out, "; not accepted: {others}")?;
            }
            writeln!(self.out)?;
            if self.shortened > 0 {
                let shortened = counted(self.shortened, "run");
                writeln!(
                    self.out,
                    "For {shortened} that failed like earlier ones, only the reason is shown; -v shows all"
                )?;
            }
            self.out.flush()?;
        }
        Ok(if failed > 0 {
            ExitCode::from(2)
        } else if accepted == total {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}
