//! Reports of games and other results, for a person or for a program.

use crate::referee::game::review::FinishedGame;
use crate::report::run::RunReport;

pub(crate) mod console;
pub(crate) mod json;
pub(crate) mod page;
pub(crate) mod picture;
pub(crate) mod rows;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod stderr;
pub(crate) mod summary;
pub(crate) mod transcript;
pub(crate) mod verdict_counts;

/// Reports games and runs as they end.
pub(crate) trait Reporter {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()>;

    /// Reports a run against an interactor.
    fn run(&mut self, run: &RunReport) -> anyhow::Result<()>;

    /// Reports the summary, when all games have ended.
    fn summary(&mut self) -> anyhow::Result<()>;
}
