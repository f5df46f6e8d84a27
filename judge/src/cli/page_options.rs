//! The options for the pages of games.

use std::path::PathBuf;

use clap::Args;

use crate::report::replay_page::ReplayPageLog;

/// Which games become pages, and where.
#[derive(Debug, Args)]
pub(crate) struct PageOptions {
    /// Write a page with the replay of each game that was not won, DIR/game-K.html for game K of the run
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    /// With --html, write a page for each game, won or not
    #[arg(long, requires = "html")]
    html_all: bool,
}

impl PageOptions {
    /// The log that writes the pages, if there are to be any.
    ///
    /// # Errors
    ///
    /// If their folder cannot be made, or has other files of their names.
    pub(crate) fn log(&self, force: bool) -> anyhow::Result<Option<ReplayPageLog>> {
        self.html.as_deref().map(|folder| ReplayPageLog::new(folder, self.html_all, force)).transpose()
    }
}
