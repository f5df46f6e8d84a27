//! The report of runs against an interactor: for a person, or as JSON lines.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use itertools::Itertools;
use runner::escape::printable;

use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::Verdict;
use crate::referee::interactor::trial::TrialResult;
use crate::report::rows::Columns;
use crate::report::run_line::{RunLine, SmallestFields};
use crate::report::transcript::RunSetup;
use crate::search::shrink_input::{MAX_TIME, MAX_TRIES};
use crate::text::counted;
use crate::trials::problem::inputs::Input;
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

/// The smallest failing input that `judge stress` found by shrinking `original`.
pub(crate) struct Smallest<'a> {
    pub(crate) original: &'a [u8],
    pub(crate) input: &'a [u8],
    pub(crate) tried: u32,
    pub(crate) is_complete: bool,
    /// Whether a validator has accepted the smaller input.
    pub(crate) is_validated: bool,
    /// If repetitions with the same input ended in another way: the number of these repetitions, and whether one of
    /// them passed.
    pub(crate) flaky: Option<(u32, bool)>,
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
                *self.verdicts.entry(result.verdict).or_default() += 1;
                Ok(())
            }
            Form::Json | Form::Console { show_stderr: true, .. } => {
                self.add(&RunLine::of(&Test::new(None, seed), result, again()))
            }
        }
    }

    /// Reports the run on the smallest input of `judge stress`, which is kept in the file `kept`.
    pub(crate) fn add_smallest(
        &mut self,
        kept: &Path,
        seed: u64,
        result: &TrialResult,
        again: Option<String>,
        smallest: &Smallest<'_>,
    ) -> anyhow::Result<()> {
        let test = Test::new(Some(Input { path: kept.to_owned(), answer: None }), seed);
        if self.form == Form::Json {
            let fields = SmallestFields {
                minimal: true,
                tried: smallest.tried,
                flaky: smallest.flaky.is_some(),
                complete: smallest.is_complete,
            };
            let mut line = RunLine::of(&test, result, again);
            line.smallest = Some(fields);
            self.write_json(&line)?;
        } else {
            writeln!(self.out, "\n{}:\n", smallest.heading(seed, result.verdict))?;
            for line in smallest.shown_input() {
                writeln!(self.out, "    {line}")?;
            }
            writeln!(self.out)?;
            self.write_text(&RunLine::of(&test, result, again), false)?;
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
            if show_stderr {
                self.write_stderr("stderr", &line.stderr)?;
            }
            return Ok(());
        }
        writeln!(self.out)?;
        for why in why {
            writeln!(self.out, "    why: {}", printable(why))?;
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

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n')
}

impl Smallest<'_> {
    fn heading(&self, seed: u64, verdict: Verdict) -> String {
        let Self { original, input, tried, is_complete, is_validated, flaky } = *self;
        let size = |input: &[u8]| {
            let lines = lines(input).filter(|_| !input.is_empty()).count();
            format!("{} ({})", counted(lines as u64, "line"), counted(input.len() as u64, "byte"))
        };
        if verdict == Verdict::JudgeError && flaky.is_none() {
            return format!("The interactor failed with the input of seed {seed}");
        }
        let new_size = size(input);
        let old_size = size(original);
        let mut result = if input == original {
            format!("The input of seed {seed}, {new_size}, was not shrunk")
        } else if old_size == new_size {
            format!("The input of seed {seed} was simplified, and still has {new_size}")
        } else {
            format!("The input of seed {seed} was shrunk from {old_size} to {new_size}")
        };
        if tried > 0 {
            result += &format!("; {} tried", counted(tried.into(), "smaller input"));
        }
        if input != original && !is_validated {
            result += ". Without --validator it may break the rules of the problem";
        }
        match flaky {
            Some((others, has_passed)) => {
                let what = if has_passed { "passed and failed" } else { "failed in different ways" };
                let others = counted(others.into(), "repetition");
                format!(
                    "FLAKY: the same input {what}: the bot or the interactor is not deterministic ({others} ended in \
                     another way). {result}"
                )
            }
            None if is_complete => result,
            None => format!(
                "{result}. The search for a smaller one stopped at its limit: --time, {} s or {MAX_TRIES} inputs",
                MAX_TIME.as_secs()
            ),
        }
    }

    /// Returns the lines of the input as they are shown.
    fn shown_input(&self) -> Vec<String> {
        /// Maximum number of lines that are shown, and of bytes of each line.
        const MAX_LINES: usize = 10;
        const MAX_BYTES: usize = 120;
        let shown = |line: &[u8]| {
            let end = if line.len() > MAX_BYTES { "..." } else { "" };
            printable(&String::from_utf8_lossy(&line[..line.len().min(MAX_BYTES)])) + end
        };
        let mut lines = lines(self.input);
        let mut result: Vec<String> = lines.by_ref().take(MAX_LINES).map(shown).collect();
        let left = lines.count();
        result.extend((left > 0).then(|| format!("... and {}", counted(left as u64, "more line"))));
        result
    }
}
