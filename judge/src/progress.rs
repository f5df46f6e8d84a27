//! Progress bars on a terminal: for games, and for an arena of bots. If stderr is not a
//! terminal, only the arena shows its progress, by a line each minute.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use itertools::Itertools;
use runner::message::print_error;
use runner::threads;

/// Makes a style in which `{rate}` is the number of units per second.
fn style_with_rate(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // Fractions of a unit are useless.
    let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{:.0}", state.per_sec());
    };
    style.with_key("rate", rate)
}

/// Prints a line on stdout while the bar is hidden.
fn print(bar: &ProgressBar, line: &str) -> anyhow::Result<()> {
    bar.suspend(|| {
        let mut out = anstream::stdout();
        writeln!(out, "{line}").and_then(|()| out.flush())
    })?;
    Ok(())
}

/// Redraws a bar five times per second, if the bar is visible and a thread can be started.
fn redraw_steadily(bar: &ProgressBar) {
    if !bar.is_hidden() && threads::can_start() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
}

/// A bar on stderr with the number of games played and a status. It is shown only if stderr is a terminal. Dropping
/// this value removes the bar.
pub(crate) struct GamesProgress {
    bar: ProgressBar,
}

impl GamesProgress {
    /// Makes a bar for `games` games, or a spinner if `games` is `None`. `done` is the number of games that were
    /// already played before this run was resumed.
    pub(crate) fn new(games: Option<u64>, done: u64) -> Self {
        let bar = games.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let template = match games {
            Some(_) => "{wide_bar} {pos}/{len} {prefix}, {rate} a second{msg}",
            None => "{spinner} {pos} {prefix}, {rate} a second{msg}",
        };
        let bar = bar.with_style(style_with_rate(template)).with_prefix("games").with_position(done);
        redraw_steadily(&bar);
        Self { bar }
    }

    /// Sets the plural noun for the counted things; the default is `games`.
    #[must_use]
    pub(crate) fn counting(self, what: &'static str) -> Self {
        self.bar.set_prefix(what);
        self
    }

    /// Shows how many games have been played, and a status.
    pub(crate) fn update(&self, played: u64, status: impl fmt::Display) {
        self.bar.set_message(format!(", {status}"));
        self.bar.set_position(played);
    }

    /// Runs `print` while the bar is hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Prints a line on stdout while the bar is hidden.
    pub(crate) fn print(&self, line: &str) -> anyhow::Result<()> {
        print(&self.bar, line)
    }
}

impl Drop for GamesProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Maximum number of bots that the progress of an arena shows.
const MAX_BOTS: usize = 8;

/// Minimum time between two lines of progress if stderr is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Shows how many games each bot has won, and how many games are left.
pub(crate) struct ArenaProgress {
    bar: ProgressBar,
    /// The number of games that each bot has played, and the number that it has won.
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

    /// Sets the number of games that were already played before this run was resumed.
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

    /// Returns the bots that have won the most games, at most [`MAX_BOTS`], each with the numbers of games that it has
    /// played and won.
    fn best(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        let bots = self.bots.iter().sorted_by_key(|(_, (_, won))| std::cmp::Reverse(*won));
        bots.take(MAX_BOTS).map(|(name, &(played, won))| (name.as_str(), played, won))
    }

    /// Formats the standings for a terminal, with a line for each of the best bots.
    fn table(&self, status: &str) -> String {
        let width = self.bots.keys().map(String::len).max().unwrap_or(0);
        let line = |(place, (name, played, won)): (usize, (&str, u64, u64))| {
            let per_cent = won.saturating_mul(100).checked_div(played).unwrap_or(0);
            format!("{place:>3}  {name:<width$}  {won:>7} of {played} games won, {per_cent} %")
        };
        let hidden = self.bots.len().saturating_sub(MAX_BOTS);
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
        print(&self.bar, line)
    }
}

impl Drop for ArenaProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
