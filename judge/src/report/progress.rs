//! Progress bars: how far a long computation is, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::process::threads;

/// A bar on stderr that shows how many sizes are computed; where stderr is no terminal, nothing. It is wiped when it
/// is dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar for the sizes up to `n`.
    pub(crate) fn new(n: u64) -> Self {
        let bar = ProgressBar::new(n);
        let style =
            ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len}, {elapsed} (eta {eta})");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        redraw_steadily(&bar);
        Self(bar)
    }

    /// All sizes up to `n` are done.
    pub(crate) fn reach(&self, n: u64) {
        self.0.set_position(n);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Redraws a bar five times a second, if it is drawn at all and there can be a thread for it.
pub(crate) fn redraw_steadily(bar: &ProgressBar) {
    if !bar.is_hidden() && threads::can_start() {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
}
