//! Options that several commands share.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use common::program::print_error;
use common::text::counted;
use referee::setup::GameSetup;

use crate::matches::corpus::Corpus;
use crate::matches::family::GameFamily;
use crate::report::replay_page::ReplayPageLog;

/// The families of games from which starts are drawn.
#[derive(Clone, Debug, Args)]
pub(crate) struct FamilyOptions {
    /// The family of games from which starts are drawn; several families, with commas between them, take turns
    #[arg(long, value_enum, default_value = "segment", value_name = "NAME", value_delimiter = ',')]
    pub(crate) family: Vec<GameFamily>,
}

/// The options for the corpus.
#[derive(Clone, Debug, Args)]
pub(crate) struct CorpusOptions {
    /// The directory of the corpus, which keeps games that were not won. With an empty name, no games are kept
    #[arg(long, env = "JUDGE_CORPUS", hide_env_values = true, default_value = DEFAULT_CORPUS, value_name = "DIR")]
    corpus: OsString,

    /// Keep no games, and play no games of the corpus
    #[arg(long)]
    no_corpus: bool,
}

/// The default directory of the corpus.
pub(super) const DEFAULT_CORPUS: &str = ".judge/corpus";

impl CorpusOptions {
    /// Returns the corpus; `None` if no games are kept.
    pub(crate) fn corpus(&self) -> Option<Corpus> {
        let is_used = !self.no_corpus && !self.corpus.is_empty();
        is_used.then(|| Corpus::of_directory(Path::new(&self.corpus)))
    }

    /// Returns the games of the corpus to be played first: the games that one of `bots` did not win, and games without
    /// a bot's name. `bots` are names as in reports. If there are such games, prints their number on stderr.
    pub(crate) fn games_to_play_first(&self, bots: &[String]) -> anyhow::Result<Vec<GameSetup>> {
        let Some(corpus) = self.corpus() else { return Ok(Vec::new()) };
        let kept = corpus.games()?.into_iter().filter(|kept| kept.is_for(bots));
        let games: Vec<GameSetup> = kept.map(|kept| kept.setup).collect();
        if !games.is_empty() {
            let (count, file) = (counted(games.len() as u64, "game"), corpus.file().display());
            print_error(format_args!(
                "first playing {count} of {file}, which keeps games that were not won; --no-corpus skips them"
            ));
        }
        Ok(games)
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
    pub(crate) fn log(&self, force: bool) -> anyhow::Result<Option<ReplayPageLog>> {
        self.html.as_deref().map(|folder| ReplayPageLog::new(folder, self.html_all, force)).transpose()
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
