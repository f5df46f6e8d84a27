//! Progress bars. If stderr is not a terminal, only the arena shows its progress, by a line each minute.

use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use itertools::Itertools;
use runner::message::print_error;
use runner::threads;

use crate::arena::games::Games;

/// A bar on stderr, shown only on a terminal, with the number of games and a status. Dropping it removes the bar.
pub(crate) struct GamesProgress {
    bar: ProgressBar,
}

impl GamesProgress {
    /// Makes a bar for `total` of `what`, a plural noun, or a spinner if `total` is `None`.
    pub(crate) fn new(total: Option<u64>, what: &'static str) -> Self {
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), "{wide_bar} {pos}/{len} {prefix}, {rate} a second{msg}"),
            None => (ProgressBar::new_spinner(), "{spinner} {pos} {prefix}, {rate} a second{msg}"),
        };
        Self::with_template(bar.with_prefix(what), template)
    }

    /// Sets the style of a bar, in which `{rate}` is the number of units per second. Redraws it five times per second.
    fn with_template(bar: ProgressBar, template: &str) -> Self {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        // Fractions of a unit are useless.
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{:.0}", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
        if !bar.is_hidden() && threads::can_start() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar }
    }

    pub(crate) fn update(&self, played: u64, status: impl fmt::Display) {
        self.bar.set_message(format!(", {status}"));
        self.bar.set_position(played);
    }

    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Prints a line on stdout while the bar is hidden.
    pub(crate) fn print(&self, line: &str) -> anyhow::Result<()> {
        self.suspend(|| {
            let mut out = io::stdout();
            writeln!(out, "{line}").and_then(|()| out.flush())
        })?;
        Ok(())
    }
}

impl Drop for GamesProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

const MAX_BOTS: usize = 8;

/// Minimum time between two lines of progress if stderr is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Shows how many games each bot has won, and how many games are left.
pub(crate) struct ArenaProgress {
    pub(crate) games: GamesProgress,
    next_line: Instant,
}

impl ArenaProgress {
    /// `done` is the number of games that were already played before this run was resumed.
    pub(crate) fn new(total: u64, done: u64) -> Self {
        let template = "{msg}\n{wide_bar} {pos}/{len} games, {rate} a second, {eta} left";
        let bar = ProgressBar::new(total).with_position(done);
        let games = GamesProgress::with_template(bar, template);
        games.bar.reset_eta();
        Self { games, next_line: Instant::now() + LINE_INTERVAL }
    }

    /// Counts a game. `games` are all games that have been played.
    pub(crate) fn add(&mut self, games: &Games) {
        let bar = &self.games.bar;
        bar.inc(1);
        if !bar.is_hidden() {
            bar.set_message(table(games));
        } else if Instant::now() >= self.next_line {
            self.next_line = Instant::now() + LINE_INTERVAL;
            let (done, total, seconds) = (bar.position(), bar.length().unwrap_or(0), bar.elapsed().as_secs());
            print_error(format_args!("{done} of {total} games in {seconds} s: {}", message(games)));
        }
    }
}

/// Returns the at most [`MAX_BOTS`] bots that have won most, each with the numbers of games played and won.
fn best(games: &Games) -> impl Iterator<Item = (&str, u64, u64)> {
    let bots = games.bots.iter().sorted_by_key(|(_, (_, won))| Reverse(*won));
    bots.take(MAX_BOTS).map(|(name, &(played, won))| (name.as_str(), played, won))
}

/// Formats the standings for a terminal, with a line for each of the best bots.
fn table(games: &Games) -> String {
    let width = games.bots.keys().map(String::len).max().unwrap_or(0);
    let line = |(place, (name, played, won)): (usize, (&str, u64, u64))| {
        let per_cent = won.saturating_mul(100).checked_div(played).unwrap_or(0);
        format!("{place:>3}  {name:<width$}  {won:>7} of {played} games won, {per_cent} %")
    };
    let hidden = games.bots.len().saturating_sub(MAX_BOTS);
    let more = (hidden > 0).then(|| format!("     and {hidden} more bots"));
    (1..).zip(best(games)).map(line).chain(more).chain(games.status()).join("\n")
}

fn message(games: &Games) -> String {
    let bots = best(games).map(|(name, played, won)| format!("{name} {won}/{played}")).join(", ");
    [bots].into_iter().chain(games.status()).join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::games::tests::record;

    #[test]
    fn all_games_count_once() {
        let mut games = Games::default();
        for index in [0, 1, 1] {
            games.add(record(index, true)).unwrap();
        }
        assert_eq!(message(&games), "a 2/2, b 0/2");
    }
}
