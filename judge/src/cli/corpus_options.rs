//! The options of the commands that keep the games that a bot does not win.

use std::ffi::OsString;
use std::path::Path;

use clap::Args;

use crate::matches::corpus::Corpus;
use common::program::print_error;
use common::text::counted;
use referee::setup::GameSetup;

/// The options for the corpus.
#[derive(Clone, Debug, Args)]
pub(crate) struct CorpusOptions {
    /// The directory where games that were not won are kept. An empty name keeps none
    #[arg(long, env = "JUDGE_CORPUS", hide_env_values = true, default_value = DEFAULT_CORPUS, value_name = "DIR")]
    corpus: OsString,

    /// Keep no games, and play none that were kept
    #[arg(long)]
    no_corpus: bool,
}

/// The corpus without an option.
pub(super) const DEFAULT_CORPUS: &str = ".judge/corpus";

impl CorpusOptions {
    /// The corpus; `None` if no games are kept.
    pub(crate) fn corpus(&self) -> Option<Corpus> {
        let is_used = !self.no_corpus && !self.corpus.is_empty();
        is_used.then(|| Corpus::of_directory(Path::new(&self.corpus)))
    }

    /// The games of the corpus that one of these bots, by their names in reports, did not win, and which are to be played
    /// first. Prints on stderr how many there are, if there are any.
    ///
    /// # Errors
    ///
    /// If the corpus cannot be read or is damaged.
    pub(crate) fn games_to_play_first(&self, bots: &[String]) -> anyhow::Result<Vec<GameSetup>> {
        let Some(corpus) = self.corpus() else { return Ok(Vec::new()) };
        let kept = corpus.games()?.into_iter().filter(|kept| kept.is_for(bots));
        let games: Vec<GameSetup> = kept.map(|kept| kept.setup).collect();
        if !games.is_empty() {
            let (count, file) = (counted(games.len() as u64, "game"), corpus.file().display());
            print_error(format_args!(
                "playing first {count} of {file} that this bot did not win before; --no-corpus leaves them out"
            ));
        }
        Ok(games)
    }
}
