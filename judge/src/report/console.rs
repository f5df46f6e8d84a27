//! The report for a person: a line for each game, and a summary.

use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use itertools::Itertools;

use super::Reporter;
use super::stderr::shown_lines;
use super::verdict_counts::VerdictCounts;
use crate::escape::printable;
use crate::referee::finished_game::FinishedGame;
use crate::referee::result::GameResult;
use crate::referee::transcript::SetupLine;
use crate::referee::verdict::Verdict;

/// A reporter that writes text for a person.
pub(crate) struct Console<W> {
    out: W,
    quiet: bool,
    show_stderr: bool,
    games: u64,
    won: u64,
    bots: BTreeSet<String>,
    /// How many games were won only under the contest profile, by their verdicts under the strict one.
    excused: VerdictCounts,
}

impl<W: Write> Console<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            quiet: false,
            show_stderr: false,
            games: 0,
            won: 0,
            bots: BTreeSet::new(),
            excused: VerdictCounts::default(),
        }
    }

    /// Sets whether games that are won are left out, and a summary that says nothing else.
    pub(crate) fn quiet(self, quiet: bool) -> Self {
        Self { quiet, ..self }
    }

    /// Sets whether the bot's stderr is also shown of games that are won.
    pub(crate) fn show_stderr(self, show_stderr: bool) -> Self {
        Self { show_stderr, ..self }
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
        if game.has_resigned_won() {
            writeln!(self.out, "    review: the bot resigned a position that it could have won")?;
        }
        let bot = counted(review.bot_blunders() as u64, "blunder");
        writeln!(self.out, "    review: {bot} by the bot, {} by its opponent", review.opponent_blunders)?;
        Ok(())
    }
}

impl<W: Write> Reporter for Console<W> {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let FinishedGame { setup, result, .. } = game;
        let won = result.verdict == Verdict::Won;
        self.games += 1;
        self.won += u64::from(won);
        self.bots.insert(setup.config.bot_name());
        self.excused.extend(result.excused);
        if self.quiet && won {
            return Ok(());
        }
        let style =
            Style::new().bold().fg_color(Some(if won { AnsiColor::Green } else { AnsiColor::Red }.into()));
        let side = result.side.map_or_else(String::new, |side| format!(" as {side}"));
        writeln!(
            self.out,
            "{style}{}{style:#} {}{side} against {} (seed {}), {} in {}: {}",
            result.verdict,
            printable(&shortened(setup.game.header.text())),
            setup.game.opponent.name(),
            setup.game.seed,
            counted(result.moves.len() as u64, "move"),
            measurements(setup, result),
            printable(&result.reason)
        )?;
        if result.verdict.is_about_moves() {
            self.write_review(game)?;
        }
        if !won || self.show_stderr {
            for line in shown_lines(&result.stderr) {
                writeln!(self.out, "    stderr: {line}")?;
            }
        }
        if !won {
            match game.command() {
                Some(command) => writeln!(self.out, "    again: {}", printable(&command))?,
                None => writeln!(
                    self.out,
                    "    again: the command cannot be shown, because the bot's command is not UTF-8"
                )?,
            }
        }
        self.out.flush()?;
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        if self.quiet && self.won == self.games && self.excused.is_empty() {
            return Ok(());
        }
        // Of several bots each has its own games, and none has won all that are counted.
        let bot = self
            .bots
            .iter()
            .exactly_one()
            .map_or_else(|_| String::new(), |bot| format!("{}: ", printable(&shortened(bot))));
        write!(self.out, "{bot}{} of {} won", self.won, counted(self.games, "game"))?;
        if !self.excused.is_empty() {
            write!(self.out, "; excused by --profile contest: {}", self.excused)?;
        }
        writeln!(self.out)?;
        self.out.flush()?;
        Ok(())
    }
}

/// The time of a game, what the bot used, its slowest answer, and how its limits were enforced.
fn measurements(setup: &SetupLine, result: &GameResult) -> String {
    let ms = |time: Duration| {
        let ms = time.as_secs_f64() * 1e3;
        if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
    };
    let mut parts = Vec::new();
    parts.extend(result.used.cpu.map(|cpu| format!("CPU {}", ms(cpu))));
    parts.extend(
        result
            .used
            .memory
            .map(|memory| format!("{}.{} MiB", memory >> 20, (memory >> 10) % 1024 * 10 / 1024)),
    );
    parts.extend(result.timing.slowest.map(|(ply, wait)| match ply {
        0 => format!("slowest answer: the side, {}", ms(wait)),
        ply => format!("slowest answer: move {ply}, {}", ms(wait)),
    }));
    parts.extend(setup.held_by.map(|by| format!("limits by {by}")));
    format!("{} ({})", ms(result.wall), parts.join("; "))
}

/// A text, cut off if it is long.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 100;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A number with its noun, which has an "s" unless the number is 1.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
