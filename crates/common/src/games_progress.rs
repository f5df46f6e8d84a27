//! The progress of games that are played, on a terminal.

use std::fmt;
use std::io::Write;

use indicatif::ProgressBar;

use super::progress::{redraw_steadily, style_with_rate};

/// A bar on stderr with the number of games played and a status, shown only if stderr is a terminal. It is removed
/// when it is dropped.
pub struct GamesProgress {
    bar: ProgressBar,
}

impl GamesProgress {
    /// A bar for this number of games, or a spinner if the number is not known. `done` of them have been played
    /// before.
    pub fn new(games: Option<u64>, done: u64) -> Self {
        let bar = games.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let template = match games {
            Some(_) => "{wide_bar} {pos}/{len} games, {rate} a second{msg}",
            None => "{spinner} {pos} games, {rate} a second{msg}",
        };
        let bar = bar.with_style(style_with_rate(template)).with_position(done);
        redraw_steadily(&bar);
        Self { bar }
    }

    /// Shows how many games have been played, and a status.
    pub fn update(&self, played: u64, status: impl fmt::Display) {
        self.bar.set_message(format!(", {status}"));
        self.bar.set_position(played);
    }

    /// Prints something while the bar is hidden.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Prints a line on stdout while the bar is hidden.
    pub fn print(&self, line: &str) -> anyhow::Result<()> {
        self.suspend(|| {
            let mut out = anstream::stdout();
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
