//! The report for a person: a line for each run, more lines for a run that was not won or accepted, and a summary.

use std::collections::BTreeSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use runner::escape::printable;
use terminal_size::terminal_size_of;

use crate::conversation::verdict::Verdict;
use crate::referee::game::review::FinishedGame;
use crate::report::Reporter;
use crate::report::run::RunReport;
use crate::report::summary::{BotSummary, Summary, write_table};
use crate::report::verdict_counts::{Counted, VerdictCounts};
use crate::text::shortened;

/// A run against an interactor that was not accepted is reported in full if it is one of the first `MAX_IN_FULL` runs
/// with its verdict, and if its cause is new: the advice, or the reason if there is no advice. Of the other runs that
/// were not accepted, only the reason is reported.
const MAX_IN_FULL: u64 = 3;

/// A reporter that writes text for a person.
pub(crate) struct Console<W> {
    out: W,
    quiet: bool,
    show_stderr: bool,
    has_figures: bool,
    summary: Summary,
    /// The verdicts of the runs against an interactor.
    verdicts: VerdictCounts,
    /// The number of runs against an interactor in which the bot failed.
    failed: u64,
    /// The scores of the runs that have one.
    scores: Vec<f64>,
    full_score: Option<f64>,
    /// The runs that were reported in full, by verdict, and advice or reason; `None` if all runs are.
    in_full: Option<BTreeSet<(Verdict, Vec<String>)>>,
    /// The number of runs of which only the reason was reported.
    shortened: u64,
}

impl<W: Write> Console<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            quiet: false,
            show_stderr: false,
            has_figures: true,
            summary: Summary::default(),
            verdicts: VerdictCounts::default(),
            failed: 0,
            scores: Vec::new(),
            full_score: None,
            in_full: None,
            shortened: 0,
        }
    }

    /// Sets whether to leave out successful runs, the table, and the summary of each bot that won all its games without
    /// an excuse.
    pub(crate) fn quiet(self, quiet: bool) -> Self {
        Self { quiet, ..self }
    }

    /// Leaves out the table of several games, and the figures and the stderr of won games.
    pub(crate) fn without_figures(self) -> Self {
        Self { has_figures: false, ..self }
    }

    /// Sets whether the bot's stderr is shown for successful runs too.
    pub(crate) fn show_stderr(self, show_stderr: bool) -> Self {
        Self { show_stderr, ..self }
    }

    /// Sets whether only the reason is reported of a run that failed like earlier ones.
    pub(crate) fn shortens(self, shortens: bool) -> Self {
        Self { in_full: shortens.then(BTreeSet::new), ..self }
    }

    /// Sets the score that is accepted.
    pub(crate) fn full_score(self, full_score: Option<f64>) -> Self {
        Self { full_score, ..self }
    }

    pub(crate) fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// Counts a run against an interactor.
    pub(crate) fn count(&mut self, verdict: Verdict, score: Option<f64>) {
        self.verdicts.extend([verdict]);
        self.scores.extend(score);
        self.failed += u64::from(verdict.is_failure(score, self.full_score));
    }

    pub(crate) fn failed_runs(&self) -> u64 {
        self.failed
    }

    /// Returns the verdicts of the runs against an interactor.
    pub(crate) fn verdicts(&self) -> &VerdictCounts {
        &self.verdicts
    }

    fn is_like_earlier(&mut self, run: &RunReport) -> bool {
        let is_failure = run.verdict.is_failure(run.score, self.full_score);
        let Some(in_full) = &mut self.in_full else { return false };
        let cause = if run.advice.is_empty() { vec![run.reason.clone()] } else { run.advice.clone() };
        is_failure
            && (self.verdicts.count(run.verdict) > MAX_IN_FULL || !in_full.insert((run.verdict, cause)))
    }

    /// Reports a run without counting it.
    pub(crate) fn write(&mut self, run: &RunReport) -> anyhow::Result<()> {
        let is_success = !run.verdict.is_failure(run.score, self.full_score);
        if self.quiet && is_success {
            return Ok(());
        }
        let statistics = format!("({})", run.statistics());
        let dimmed = Style::new().dimmed();
        if !is_success {
            self.write_reason(run, "\n")?;
            self.write_why(run)?;
            writeln!(self.out, "    {dimmed}{statistics}{dimmed:#}")?;
        } else if self.has_figures {
            // In a narrow terminal, print the figures on a line of their own, so that the reason stays easy to find.
            let length = [&run.verdict.to_string(), &headline(run), &statistics];
            let length = length.map(|part| part.chars().count() + 1).iter().sum::<usize>();
            let is_narrow = terminal_width().is_some_and(|width| length > width + 1);
            self.write_reason(run, if is_narrow { "\n    " } else { " " })?;
            writeln!(self.out, "{dimmed}{statistics}{dimmed:#}")?;
            if run.referee.is_some() {
                self.write_lines("why", &run.why)?;
            }
            self.write_notes(run)?;
            if self.show_stderr {
                self.write_lines("stderr", &run.stderr())?;
            }
        } else {
            self.write_reason(run, "\n")?;
            self.write_notes(run)?;
        }
        Ok(self.out.flush()?)
    }

    fn write_reason(&mut self, run: &RunReport, end: &str) -> anyhow::Result<()> {
        let color = match run.verdict {
            Verdict::Accepted | Verdict::Won => AnsiColor::Green,
            Verdict::Partial => AnsiColor::Yellow,
            _ => AnsiColor::Red,
        };
        let style = Style::new().bold().fg_color(Some(color.into()));
        write!(self.out, "{style}{}{style:#} {}{end}", run.verdict, headline(run))?;
        Ok(())
    }

    /// Writes the lines below the verdict of a run that was not won or accepted, such as the cause and the command that
    /// repeats the run.
    fn write_why(&mut self, run: &RunReport) -> anyhow::Result<()> {
        self.write_lines("why", &run.why)?;
        self.write_notes(run)?;
        self.write_lines("what to do", &run.advice)?;
        if let Some(review) = run.review.as_ref().filter(|_| run.verdict.is_about_moves()) {
            self.write_lines("review", &review.text)?;
        }
        self.write_lines("stderr", &run.stderr())?;
        if let Some(referee) = &run.referee {
            let label = format!("stderr of {}", referee.role.with_article());
            self.write_lines(&label, &referee.program.stderr)?;
            for (role, command) in referee.shell_commands() {
                writeln!(self.out, "    {}: {}", role.name(), printable(&command))?;
            }
        }
        writeln!(self.out, "    again: {}", run.again())?;
        Ok(())
    }

    /// Writes what the bot did after the decision, without changing it.
    fn write_notes(&mut self, run: &RunReport) -> anyhow::Result<()> {
        for note in &run.notes {
            writeln!(self.out, "    note: {}", printable(&note.reason))?;
        }
        Ok(())
    }

    fn write_lines(&mut self, name: &str, lines: &[String]) -> anyhow::Result<()> {
        for line in lines {
            writeln!(self.out, "    {name}: {}", printable(line))?;
        }
        Ok(())
    }

    /// Writes the summary of the runs against an interactor.
    pub(crate) fn end_runs(&mut self, bot: &str) -> anyhow::Result<()> {
        if self.quiet && self.failed == 0 && self.scores.is_empty() {
            return Ok(());
        }
        if self.failed == 0 && self.verdicts.count(Verdict::Partial) > 0 {
            let runs = Counted::Runs.counted(self.verdicts.total());
            writeln!(self.out, "{}: {runs}, none failed", printable(&shortened(bot)))?;
        } else {
            writeln!(self.out, "{}", self.verdicts.summary(bot, Counted::Runs, true))?;
        }
        if let [_, _, ..] = self.scores[..] {
            let sum: f64 = self.scores.iter().sum();
            let least = self.scores.iter().copied().fold(f64::INFINITY, f64::min);
            let count = u32::try_from(self.scores.len()).unwrap_or(u32::MAX);
            let mean = (sum / f64::from(count) * 1000.0).round() / 1000.0;
            let of =
                self.full_score.map_or_else(String::new, |full| format!(" of {}", full * f64::from(count)));
            writeln!(self.out, "{count} scores: sum {sum}{of}, mean {mean}, least {least}")?;
        }
        if self.shortened > 0 {
            let shortened = Counted::Runs.counted(self.shortened);
            writeln!(
                self.out,
                "For {shortened} that failed like earlier ones, only the reason is shown; -v shows all"
            )?;
        }
        Ok(self.out.flush()?)
    }
}

/// Returns what the run is about, and the reason of its verdict.
fn headline(run: &RunReport) -> String {
    let is_game = run.referee.is_none();
    let bot = run.bot_name.as_ref().filter(|_| is_game);
    let bot = bot.map_or_else(String::new, |name| format!("{}: ", printable(name)));
    format!("{bot}{}: {}", printable(&run.name()), printable(&run.reason))
}

impl<W: Write> Reporter for Console<W> {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        self.summary.add(game);
        self.write(&RunReport::from(game))
    }

    fn run(&mut self, run: &RunReport) -> anyhow::Result<()> {
        self.count(run.verdict, run.score);
        if self.is_like_earlier(run) {
            self.shortened += 1;
            return self.write_reason(run, "\n");
        }
        self.write(run)
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        for BotSummary { bot, all, .. } in &self.summary.bots {
            if self.quiet && all.verdicts.all_succeeded() && all.excused.is_empty() {
                continue;
            }
            write!(self.out, "{}", all.verdicts.summary(bot, Counted::Games, !self.quiet))?;
            if !all.excused.is_empty() {
                write!(self.out, "; excused by --profile contest: {}", all.excused)?;
            }
            writeln!(self.out)?;
        }
        if self.has_figures && !self.quiet && self.summary.games() > 1 {
            write_table(&mut self.out, &self.summary)?;
        }
        Ok(self.out.flush()?)
    }
}

/// Returns the width of the terminal of stdout; `None` if stdout is not a terminal.
fn terminal_width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(width, _)| width.0.into())
}
