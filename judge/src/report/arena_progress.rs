//! The state of a run of bots against each other, on a terminal; elsewhere a line each minute.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use itertools::Itertools;

use common::program::print_error;
use common::progress::{redraw_steadily, style_with_rate};

/// How many bots are shown.
const SHOWN: usize = 8;

/// How long it takes from line to line where stderr is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Shows how many games each bot has won, and how many are left.
pub(crate) struct ArenaProgress {
    bar: ProgressBar,
    /// For each bot the games that it has played and won.
    bots: BTreeMap<String, (u64, u64)>,
    done: u64,
    total: u64,
    started: Instant,
    next_line: Instant,
}

impl ArenaProgress {
    pub(crate) fn new(total: u64, names: Vec<String>) -> Self {
        let bar = ProgressBar::new(total);
        bar.set_style(style_with_rate("{msg}\n{wide_bar} {pos}/{len} games, {rate} a second, {eta} left"));
        redraw_steadily(&bar);
        let bots = names.into_iter().map(|name| (name, (0, 0))).collect();
        let started = Instant::now();
        Self { bar, bots, done: 0, total, started, next_line: started + LINE_INTERVAL }
    }

    /// Counts games that were played before.
    pub(crate) fn resume(&mut self, games: u64) {
        self.done = games;
        self.bar.set_position(games);
        self.bar.reset_eta();
    }

    /// Counts a game.
    pub(crate) fn add(&mut self, bots: [&str; 2], winner: &str, status: impl FnOnce() -> String) {
        for bot in bots {
            if let Some((played, won)) = self.bots.get_mut(bot) {
                *played += 1;
                *won += u64::from(bot == winner);
            }
        }
        self.done += 1;
        self.bar.set_position(self.done);
        if !self.bar.is_hidden() {
            self.bar.set_message(self.table(&status()));
        } else if Instant::now() >= self.next_line {
            self.next_line = Instant::now() + LINE_INTERVAL;
            let seconds = self.started.elapsed().as_secs();
            let message = self.message(&status());
            print_error(format_args!("{} of {} games in {seconds} s: {message}", self.done, self.total));
        }
    }

    /// The bots that have won the most games.
    fn best(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        let bots = self.bots.iter().sorted_by_key(|(_, (_, won))| std::cmp::Reverse(*won));
        bots.take(SHOWN).map(|(name, &(played, won))| (name.as_str(), played, won))
    }

    /// The standings for a terminal, with a line for each bot.
    fn table(&self, status: &str) -> String {
        let width = self.bots.keys().map(String::len).max().unwrap_or(0);
        let line = |(place, (name, played, won)): (usize, (&str, u64, u64))| {
            let per_cent = won.saturating_mul(100).checked_div(played).unwrap_or(0);
            format!("{place:>3}  {name:<width$}  {won:>7} of {played} games won, {per_cent} %")
        };
        let hidden = self.bots.len().saturating_sub(SHOWN);
        let more = (hidden > 0).then(|| format!("     and {hidden} more bots"));
        let status = Some(status.to_owned()).filter(|status| !status.is_empty());
        (1..).zip(self.best()).map(line).chain(more).chain(status).join("\n")
    }

    fn message(&self, status: &str) -> String {
        let bots = self.best().map(|(name, played, won)| format!("{name} {won}/{played}")).join(", ");
        if status.is_empty() { bots } else { format!("{bots}; {status}") }
    }

    /// Prints a line to stdout while the bar is hidden.
    pub(crate) fn print(&self, line: &str) -> anyhow::Result<()> {
        self.bar.suspend(|| {
            let mut out = anstream::stdout();
            writeln!(out, "{line}").and_then(|()| out.flush())
        })?;
        Ok(())
    }
}

impl Drop for ArenaProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
