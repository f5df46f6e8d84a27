//! Progress bars on a terminal: of a long computation, and of games that are played.

use std::fmt;
use std::io::Write;
use std::sync::Once;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::threads;

/// A bar on stderr with the number of sizes that have been computed. It appears with the first of them, only if stderr
/// is a terminal, and is removed when it is dropped.
pub struct Progress {
    bar: ProgressBar,
    is_shown: Once,
}

impl Progress {
    /// A bar for the sizes up to `n`.
    pub fn new(n: u64) -> Self {
        let bar = ProgressBar::new(n);
        let style =
            ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len}, {elapsed} (eta {eta})");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { bar, is_shown: Once::new() }
    }

    /// Shows that all sizes up to `n` are done.
    pub fn reach(&self, n: u64) {
        self.is_shown.call_once(|| redraw_steadily(&self.bar));
        self.bar.set_position(n);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A style in which `{rate}` is the number of units a second.
pub fn style_with_rate(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // Fractions of a unit are of no use.
    let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{:.0}", state.per_sec());
    };
    style.with_key("rate", rate)
}

/// Redraws a bar five times a second, if it is shown and a thread can be started.
pub fn redraw_steadily(bar: &ProgressBar) {
    if !bar.is_hidden() && threads::can_start() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
}

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
    ///
    /// # Errors
    ///
    /// If stdout cannot be written.
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
