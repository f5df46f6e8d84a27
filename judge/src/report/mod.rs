//! What is reported of games and other results: for a person or for a program.

use crate::referee::finished_game::FinishedGame;

pub(crate) mod console;
pub(crate) mod file;
pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod picture;
pub(crate) mod transcript;

/// Reports games as they end.
pub(crate) trait Reporter {
    /// A game has ended.
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()>;

    /// All games have ended.
    fn summary(&mut self) -> anyhow::Result<()>;
}
