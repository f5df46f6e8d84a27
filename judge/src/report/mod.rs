//! Reports of games and other results, for a person or for a program.

use crate::referee::finished_game::FinishedGame;

pub(crate) mod arena_progress;
pub(crate) mod atomic_file;
pub(crate) mod charts;
pub(crate) mod console;
pub(crate) mod file_kind;
pub(crate) mod file_lock;
pub(crate) mod games_progress;
pub(crate) mod json;
pub(crate) mod number;
pub(crate) mod output;
pub(crate) mod page;
pub(crate) mod picture;
pub(crate) mod progress;
pub(crate) mod record_file;
pub(crate) mod replay_page;
pub(crate) mod results_page;
pub(crate) mod stderr;
pub(crate) mod stderr_files;
pub(crate) mod stdout;
pub(crate) mod summary;
pub(crate) mod text;
pub(crate) mod transcript;
pub(crate) mod verdict_counts;

/// The version of the JSON that the judge writes for programs, the same for all of its objects.
pub(crate) const SCHEMA: u32 = 1;

/// A reporter: it reports games as they end.
pub(crate) trait Reporter {
    /// Reports a game that has ended.
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()>;

    /// Reports the summary, when all games have ended.
    fn summary(&mut self) -> anyhow::Result<()>;
}
