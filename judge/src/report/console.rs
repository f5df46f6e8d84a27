//! The report for a person: a line for each game, more lines for a game that was not won, and a summary.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use runner::escape::printable;
use runner::stderr_excerpt::shown_lines;
use terminal_size::terminal_size_of;

use crate::conversation::verdict::Verdict;
use crate::referee::game::result::GameResult;
use crate::referee::game::review::FinishedGame;
use crate::report::Reporter;
use crate::report::summary::{BotSummary, Summary, write_table};
use crate::report::transcript::SetupLine;
use crate::text::{counted, shortened};
use crate::units::{in_mib, in_ms};

/// A reporter that writes text for a person.
pub(crate) struct Console<W> {
    out: W,
    quiet: bool,
    show_stderr: bool,
    has_figures: bool,
    summary: Summary,
}

impl<W: Write> Console<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, quiet: false, show_stderr: false, has_figures: true, summary: Summary::default() }
    }

    /// Sets whether to leave out won games, the table, and the summary of each bot that won all its games without an
    /// excuse.
    pub(crate) fn quiet(self, quiet: bool) -> Self {
        Self { quiet, ..self }
    }

    /// Leaves out the table of several games, and the figures and the stderr of won games.
    pub(crate) fn without_figures(self) -> Self {
        Self { has_figures: false, ..self }
    }

    /// Sets whether the bot's stderr is shown for won games too.
    pub(crate) fn show_stderr(self, show_stderr: bool) -> Self {
        Self { show_stderr, ..self }
    }

    /// Writes the lines below the verdict of a game that was not won, such as the cause and the command that plays the
    /// game again.
    fn write_why(&mut self, game: &FinishedGame, statistics: &str) -> anyhow::Result<()> {
        let FinishedGame { result, .. } = game;
        for why in &result.explanation.why {
            writeln!(self.out, "    why: {}", printable(why))?;
        }
        for advice in &result.explanation.advice {
            writeln!(self.out, "    what to do: {}", printable(advice))?;
        }
        if result.verdict.is_about_moves() {
            self.write_review(game)?;
        }
        self.write_stderr(result)?;
        match game.command() {
            Some(command) => writeln!(self.out, "    again: {}", printable(&command))?,
            None => writeln!(self.out, "    again: the command is not valid UTF-8 and cannot be shown")?,
        }
        let dimmed = Style::new().dimmed();
        writeln!(self.out, "    {dimmed}({statistics}){dimmed:#}")?;
        self.out.flush()?;
        Ok(())
    }

    fn write_stderr(&mut self, result: &GameResult) -> anyhow::Result<()> {
        for line in shown_lines(&result.stderr) {
            writeln!(self.out, "    stderr: {line}")?;
        }
        Ok(())
    }

    /// Writes the review of a game.
    fn write_review(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let review = match &game.review {
            None => return Ok(()),
            Some(Err(reason)) => {
                writeln!(self.out, "    review: not available: {reason}")?;
                return Ok(());
            }
            Some(Ok(review)) => review,
        };
        if let Some(wrong) = &review.wrong_side {
            writeln!(self.out, "    review: {wrong}")?;
        } else {
            let side = game.result.side.map_or_else(String::new, |side| format!("; the bot was {side}"));
            writeln!(self.out, "    review: with perfect play {} wins{side}", review.winner)?;
        }
        if let Some(first) = review.blunders.first() {
            writeln!(self.out, "    review: {first}")?;
        }
        if game.has_resigned_a_won_position() {
            writeln!(self.out, "    review: the bot resigned a position that it could have won")?;
        }
        let (bot, opponent) = (review.bot_blunders() as u64, review.opponent_blunders);
        if bot > 0 || opponent > 0 {
            let bot = counted(bot, "blunder");
            writeln!(self.out, "    review: {bot} by the bot, {opponent} by its opponent")?;
        }
        Ok(())
    }
}

impl<W: Write> Reporter for Console<W> {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let FinishedGame { setup, result, .. } = game;
        let won = result.verdict == Verdict::Won;
        self.summary.add(game);
        if self.quiet && won {
            return Ok(());
        }
        let style =
            Style::new().bold().fg_color(Some(if won { AnsiColor::Green } else { AnsiColor::Red }.into()));
        let name =
            setup.config.name.as_ref().map_or_else(String::new, |name| format!("{}: ", printable(name)));
        let side = result.side.map_or_else(String::new, |side| format!(" as {side}"));
        let decision = format!(
            "{name}{}{side} against {} (seed {}): {}",
            printable(&shortened(setup.game.header.text())),
            setup.game.opponent.name(),
            setup.game.seed,
            printable(&result.reason)
        );
        let statistics = statistics(setup, result);
        if !won {
            writeln!(self.out, "{style}{}{style:#} {decision}", result.verdict)?;
            return self.write_why(game, &statistics);
        }
        if !self.has_figures {
            writeln!(self.out, "{style}{}{style:#} {decision}", result.verdict)?;
            return Ok(self.out.flush()?);
        }
        let statistics = format!("({statistics})");
        let length =
            [&result.verdict.to_string(), &decision, &statistics].map(|part| part.chars().count() + 1);
        // In a narrow terminal, print the figures on a line of their own, so that the reason stays easy to find.
        let is_narrow = terminal_width().is_some_and(|width| length.iter().sum::<usize>() > width + 1);
        let separator = if is_narrow { "\n    " } else { " " };
        let dimmed = Style::new().dimmed();
        writeln!(
            self.out,
            "{style}{}{style:#} {decision}{separator}{dimmed}{statistics}{dimmed:#}",
            result.verdict
        )?;
        if self.show_stderr {
            self.write_stderr(result)?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        for BotSummary { bot, all, .. } in &self.summary.bots {
            let (won, games) = (all.won(), all.games());
            if self.quiet && won == games && all.excused.is_empty() {
                continue;
            }
            let bot = printable(&shortened(bot));
            write!(self.out, "{bot}: {won} of {} won", counted(games, "game"))?;
            if !self.quiet && games > 1 && won < games {
                write!(self.out, "; not won: {}", all.verdicts.not_won())?;
            }
            if !all.excused.is_empty() {
                write!(self.out, "; excused by --profile contest: {}", all.excused)?;
            }
            writeln!(self.out)?;
        }
        if self.has_figures && !self.quiet && self.summary.games() > 1 {
            write_table(&mut self.out, &self.summary)?;
        }
        self.out.flush()?;
        Ok(())
    }
}

/// Returns the figures of a game: its moves and time, the bot's resources and slowest answer, and how the limits were
/// enforced.
fn statistics(setup: &SetupLine, result: &GameResult) -> String {
    let moves = counted(result.moves.len() as u64, "move");
    let mut parts = vec![format!("{moves} in {}", in_ms(result.wall))];
    parts.extend(result.used.cpu.map(|cpu| format!("CPU {}", in_ms(cpu))));
    parts.extend(result.used.memory.map(in_mib));
    parts.extend(result.timing.slowest.map(|(ply, wait)| match ply {
        0 => format!("slowest answer: the side, {}", in_ms(wait)),
        ply => format!("slowest answer: move {ply}, {}", in_ms(wait)),
    }));
    parts.extend(setup.held_by.map(|by| format!("limits by {by}")));
    parts.join("; ")
}

/// Returns the width of the terminal of stdout; `None` if stdout is not a terminal.
fn terminal_width() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(width, _)| width.0.into())
}
