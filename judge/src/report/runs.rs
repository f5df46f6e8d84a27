//! The report of runs against an interactor: for a person, or as JSON lines.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use runner::escape::printable;

use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::Verdict;
use crate::referee::interactor::trial::TrialResult;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::rows::Columns;
use crate::report::run::{RunReport, SmallestFields};
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

/// The results so far.
pub(crate) struct Report {
    form: Form,
    console: Console<Box<dyn Write>>,
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

    /// Reports a run.
    pub(crate) fn add(&mut self, run: &RunReport) -> anyhow::Result<()> {
        match self.form {
            Form::Json => {
                self.console.count(run.verdict);
                Json::new(self.console.out()).run(run)
            }
            Form::Console { .. } => self.console.run(run),
        }
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
                self.console.count(result.ruling.verdict);
                Ok(())
            }
            Form::Json | Form::Console { show_stderr: true, .. } => {
                self.add(&RunReport::of_trial(&Test::new(None, seed), result, again()))
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
        let run = RunReport::of_trial(&test, result, again);
        if self.form == Form::Json {
            let fields =
                SmallestFields { minimal: true, tried: smallest.tried, complete: smallest.is_complete };
            let run = RunReport { flaky: smallest.flaky.is_some(), smallest: Some(fields), ..run };
            return Json::new(self.console.out()).run(&run);
        }
        let out = self.console.out();
        writeln!(out, "\n{}:\n", smallest.heading(seed, result.ruling.verdict))?;
        for line in smallest.shown_input() {
            writeln!(out, "    {line}")?;
        }
        writeln!(out)?;
        self.console.write(&run)
    }

    /// Writes the summary, and returns the exit code: 0 if all runs were accepted, 2 if the interactor or the judge
    /// failed in a run, and 1 otherwise.
    pub(crate) fn end(&mut self, bot: &str) -> anyhow::Result<ExitCode> {
        if self.form != Form::Json {
            self.console.end_runs(bot)?;
        }
        let verdicts = self.console.verdicts();
        Ok(match (verdicts.count(Verdict::JudgeError), verdicts.all_succeeded()) {
            (1.., _) => ExitCode::from(2),
            (0, true) => ExitCode::SUCCESS,
            (0, false) => ExitCode::FAILURE,
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
