//! Options that several commands share.

use std::path::PathBuf;

use clap::Args;

use crate::matches::family::GameFamily;
use crate::report::replay_page::ReplayPageLog;
use crate::settings::Settings;

/// The families of games from which starts are drawn.
#[derive(Clone, Debug, Args)]
pub(crate) struct FamilyOptions {
    /// The family of games from which starts are drawn; several families, with commas between them, take turns
    /// [default: segment]
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    family: Vec<GameFamily>,
}

impl FamilyOptions {
    /// Returns whether a family was typed.
    pub(super) fn is_given(&self) -> bool {
        !self.family.is_empty()
    }

    /// Returns the families: those of the option, or else those of `judge.toml`.
    pub(super) fn families(&self, settings: &Settings) -> Vec<GameFamily> {
        if self.is_given() {
            return self.family.clone();
        }
        settings.game.families.clone().unwrap_or_else(|| vec![GameFamily::SEGMENT])
    }
}

/// The options for replay pages.
#[derive(Debug, Args)]
pub(crate) struct PageOptions {
    /// Write a page with the replay of each game that was not won, DIR/game-K.html for game K. With an interactor,
    /// write a page of each run that was not accepted, DIR/run-K.html
    #[arg(long, value_name = "DIR")]
    pub(super) html: Option<PathBuf>,

    /// With --html, write a page for each game or run
    #[arg(long, requires = "html")]
    pub(super) html_all: bool,
}

impl PageOptions {
    /// Returns the log that writes the pages; `None` without `--html`.
    pub(crate) fn log(&self) -> anyhow::Result<Option<ReplayPageLog>> {
        self.html.as_deref().map(|folder| ReplayPageLog::new(folder, self.html_all)).transpose()
    }
}

/// The options for a bot's stderr.
#[derive(Debug, Args)]
pub(crate) struct StderrOptions {
    /// Show the bot's stderr for won games too
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_stderr: bool,

    /// Write the bot's stderr in each game to a file seed-S.txt in this folder; further games with the same seed go to
    /// seed-S-2.txt and so on
    #[arg(long, value_name = "DIR")]
    pub(crate) stderr: Option<PathBuf>,
}
