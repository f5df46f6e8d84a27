//! The report of games and runs as they end: text and a summary for a person, or lines of JSON.

use std::collections::HashSet;
use std::io::{self, Write};
use std::process::ExitCode;

use console::{Color, style};
use runner::escape::printable;
use runner::interrupt::interrupted;
use terminal_size::terminal_size_of;

use crate::SCHEMA;
use crate::conversation::interaction::Interaction;
use crate::conversation::verdict::Verdict;
use crate::json;
use crate::referee::game::review::FinishedGame;
use crate::report::conversation_rows::Columns;
use crate::report::run::{RunReport, shown_command};
use crate::report::summary::{BotSummary, GAMES, RUNS, SummaryLine, VerdictCounts, add_game, write_table};
use crate::report::transcript::{RunSetup, parts};
use crate::search::JsonLine;
use crate::text::{counted, shortened};

/// A run against an interactor that was not accepted is reported in full if it is one of the first `MAX_IN_FULL` runs
/// with its verdict, and if its cause is new: the advice, or the reason if there is no advice. Of the other runs that
/// were not accepted, only the reason is reported.
const MAX_IN_FULL: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Console {
        /// Whether to leave out successful runs, the table, and the summary of each bot that always won without excuse.
        quiet: bool,
        /// Whether the bot's stderr is shown for successful runs too.
        show_stderr: bool,
        show_lines: bool,
    },
    Json,
}

impl Form {
    pub(crate) const PLAIN: Self = Self::Console { quiet: false, show_stderr: false, show_lines: false };
}

pub(crate) struct Reporter<W> {
    out: W,
    form: Form,
    /// Whether to show the table of several games, and the figures and the stderr of won games.
    pub(crate) has_figures: bool,
    bots: Vec<BotSummary>,
    verdicts: VerdictCounts,
    pub(crate) failed: u64,
    scores: Vec<f64>,
    /// The score that is accepted, so that a smaller score is a failure.
    pub(crate) full_score: Option<f64>,
    /// The runs that were reported in full, by verdict, and advice or reason.
    in_full: HashSet<(Verdict, Vec<String>)>,
    /// The number of runs of which only the reason was reported.
    shortened: u64,
}

impl<W: Write> Reporter<W> {
    pub(crate) fn new(out: W, form: Form) -> Self {
        let (bots, verdicts, failed, scores, full_score, in_full, shortened) = Default::default();
        let has_figures = true;
        Self { out, form, has_figures, bots, verdicts, failed, scores, full_score, in_full, shortened }
    }

    pub(crate) fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        add_game(&mut self.bots, game);
        self.count(game.result.ruling.verdict, None);
        self.write(&RunReport::from(game))
    }

    pub(crate) fn reported(&self) -> u64 {
        self.verdicts.total()
    }

    /// Returns whether no further game should be played: the judge could not continue, or was interrupted.
    pub(crate) fn is_stopped(&self) -> bool {
        interrupted() || self.verdicts.count(Verdict::JudgeError) > 0
    }

    /// Reports a run against an interactor.
    pub(crate) fn run(&mut self, run: &RunReport) -> anyhow::Result<()> {
        self.count(run.ruling.verdict, run.ruling.score);
        if self.is_like_earlier(run) {
            self.shortened += 1;
            return self.write_reason(run, "\n");
        }
        self.write(run)
    }

    /// Reports a run on a generated input; for a person, the run is only counted, unless `show_stderr` is set.
    pub(crate) fn generated_run(&mut self, run: &RunReport) -> anyhow::Result<()> {
        if matches!(self.form, Form::Console { show_stderr: false, .. }) {
            self.count(run.ruling.verdict, run.ruling.score);
            return Ok(());
        }
        self.run(run)
    }

    /// Reports the run on the smallest game or input of `judge stress`, after a heading and the lines of the input.
    pub(crate) fn smallest_run(
        &mut self,
        line: &JsonLine<'_>,
        heading: &str,
        shown: &[String],
    ) -> anyhow::Result<()> {
        if self.form == Form::Json {
            return Ok(json::write_line(&mut self.out, line)?);
        }
        writeln!(self.out, "\n{heading}:\n")?;
        shown.iter().try_for_each(|shown| writeln!(self.out, "    {shown}"))?;
        if !shown.is_empty() {
            writeln!(self.out)?;
        }
        self.write(line.run)
    }

    pub(crate) fn shows_lines(&self) -> bool {
        matches!(self.form, Form::Console { show_lines: true, .. })
    }

    /// Shows the conversation of a run in two columns, if the form has `show_lines`.
    pub(crate) fn show(&mut self, setup: &RunSetup, passes: &[Interaction]) -> anyhow::Result<()> {
        if self.shows_lines() {
            let mut columns = Columns::new(&mut self.out);
            columns.heading(setup)?;
            parts(passes).try_for_each(|part| columns.add(part))?;
            columns.end()?;
        }
        Ok(())
    }

    fn count(&mut self, verdict: Verdict, score: Option<f64>) {
        self.verdicts.extend([verdict]);
        self.scores.extend(score);
        self.failed += u64::from(verdict.is_failure(score, self.full_score));
    }

    fn is_failure(&self, run: &RunReport) -> bool {
        run.ruling.verdict.is_failure(run.ruling.score, self.full_score)
    }

    fn is_like_earlier(&mut self, run: &RunReport) -> bool {
        let is_shortened = matches!(self.form, Form::Console { show_stderr: false, show_lines: false, .. });
        if !is_shortened || !self.is_failure(run) {
            return false;
        }
        let cause = if run.ruling.advice.is_empty() {
            vec![run.ruling.reason.clone()]
        } else {
            run.ruling.advice.clone()
        };
        self.verdicts.count(run.ruling.verdict) > MAX_IN_FULL
            || !self.in_full.insert((run.ruling.verdict, cause))
    }

    /// Reports a run without counting it.
    fn write(&mut self, run: &RunReport) -> anyhow::Result<()> {
        let Form::Console { quiet, show_stderr, .. } = self.form else {
            return Ok(json::write_line(&mut self.out, run)?);
        };
        let is_success = !self.is_failure(run);
        if quiet && is_success {
            return Ok(());
        }
        let statistics = format!("({})", run.statistics());
        let dimmed = style(&statistics).dim();
        if is_success && self.has_figures {
            // In a narrow terminal, print the figures on a line of their own, so that the reason stays easy to find.
            let length = [&run.ruling.verdict.to_string(), &headline(run), &statistics];
            let length = length.map(|part| part.chars().count() + 1).iter().sum::<usize>();
            let width = terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
            let is_narrow = width.is_some_and(|width| length > width + 1);
            self.write_reason(run, if is_narrow { "\n    " } else { " " })?;
            writeln!(self.out, "{dimmed}")?;
        } else {
            self.write_reason(run, "\n")?;
        }
        if !is_success || self.has_figures && run.referee.is_some() {
            self.write_lines("why", &run.ruling.why)?;
        }
        self.write_lines("note", run.ruling.notes.iter().map(|note| &note.reason))?;
        if !is_success {
            self.write_advice(run)?;
            writeln!(self.out, "    {dimmed}")?;
        } else if self.has_figures && show_stderr {
            self.write_lines("stderr", &run.stderr())?;
        }
        Ok(self.out.flush()?)
    }

    fn write_reason(&mut self, run: &RunReport, end: &str) -> anyhow::Result<()> {
        let color = match run.ruling.verdict {
            Verdict::Accepted | Verdict::Won => Color::Green,
            Verdict::Partial => Color::Yellow,
            _ => Color::Red,
        };
        let verdict = style(run.ruling.verdict).fg(color).bold();
        write!(self.out, "{verdict} {}{end}", headline(run))?;
        Ok(())
    }

    /// Writes what helps to repair a bot whose run failed, such as the command that repeats the run.
    pub(crate) fn write_advice(&mut self, run: &RunReport) -> anyhow::Result<()> {
        self.write_lines("what to do", &run.ruling.advice)?;
        if let Some(review) = run.review.as_ref().filter(|_| run.ruling.verdict.is_about_moves()) {
            self.write_lines("review", &review.text)?;
        }
        self.write_lines("stderr", &run.stderr())?;
        if let Some(referee) = &run.referee {
            let label = format!("stderr of {}", referee.role.with_article());
            self.write_lines(&label, &referee.program.stderr)?;
            for (role, command) in referee.shell_commands() {
                self.write_lines(role.name(), [&command])?;
            }
        }
        writeln!(self.out, "    again: {}", shown_command(run.command.as_deref()))?;
        Ok(())
    }

    pub(crate) fn write_lines<'a>(
        &mut self,
        name: &str,
        lines: impl IntoIterator<Item = &'a String>,
    ) -> anyhow::Result<()> {
        for line in lines {
            writeln!(self.out, "    {name}: {}", printable(line))?;
        }
        Ok(())
    }

    pub(crate) fn end_games(&mut self) -> anyhow::Result<ExitCode> {
        let Self { out, bots, .. } = self;
        let is_several = bots.iter().map(|bot| bot.all.verdicts.total()).sum::<u64>() > 1;
        if let Form::Console { quiet, .. } = self.form {
            for BotSummary { bot, all, .. } in &*bots {
                if quiet && all.verdicts.all_succeeded() && all.excused.is_empty() {
                    continue;
                }
                write!(out, "{}", all.verdicts.summary(bot, GAMES, !quiet))?;
                if !all.excused.is_empty() {
                    write!(out, "; excused by --profile contest: {}", all.excused)?;
                }
                writeln!(out)?;
            }
            if self.has_figures && !quiet && is_several {
                write_table(out, bots)?;
            }
            out.flush()?;
        } else if is_several {
            json::write_line(out, &SummaryLine { schema: SCHEMA, summary: bots })?;
        }
        Ok(self.exit_code())
    }

    pub(crate) fn end_runs(&mut self, bot: &str) -> anyhow::Result<ExitCode> {
        if let Form::Console { quiet, .. } = self.form
            && (!quiet || self.failed > 0 || !self.scores.is_empty())
        {
            self.write_runs(bot)?;
        }
        Ok(self.exit_code())
    }

    fn exit_code(&self) -> ExitCode {
        match self.failed {
            _ if self.is_stopped() => ExitCode::from(2),
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    }

    fn write_runs(&mut self, bot: &str) -> anyhow::Result<()> {
        let Self { out, verdicts, scores, .. } = self;
        if self.failed == 0 && verdicts.count(Verdict::Partial) > 0 {
            let runs = counted(verdicts.total(), "run");
            writeln!(out, "{}: {runs}, none failed", printable(&shortened(bot)))?;
        } else {
            writeln!(out, "{}", verdicts.summary(bot, RUNS, true))?;
        }
        if scores.len() > 1 {
            let sum: f64 = scores.iter().sum();
            let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
            let count = u32::try_from(scores.len()).unwrap_or(u32::MAX);
            let mean = (sum / f64::from(count) * 1000.0).round() / 1000.0;
            let of =
                self.full_score.map_or_else(String::new, |full| format!(" of {}", full * f64::from(count)));
            writeln!(out, "{count} scores: sum {sum}{of}, mean {mean}, least {least}")?;
        }
        if self.shortened > 0 {
            let shortened = counted(self.shortened, "run");
            writeln!(
                out,
                "For {shortened} that failed like earlier ones, only the reason is shown; -v shows all"
            )?;
        }
        Ok(out.flush()?)
    }
}

fn headline(run: &RunReport) -> String {
    let is_game = run.referee.is_none();
    let bot = run.bot_name.as_ref().filter(|_| is_game);
    let bot = bot.map_or_else(String::new, |name| format!("{}: ", printable(name)));
    format!("{bot}{}: {}", printable(&run.name()), printable(&run.ruling.reason))
}
