//! What is printed of each game: for a person or for a program.

use crate::conversation::Outcome;
use crate::player::opponent::Kind;
use crate::review::{Review, Unreviewed};

pub(crate) mod console;
pub(crate) mod json;

/// A game and what became of it.
pub(crate) struct Record<'a> {
    /// The header as the bot got it.
    pub(crate) game: &'a str,
    pub(crate) opponent: Kind,
    pub(crate) seed: u64,
    pub(crate) outcome: Outcome,
    /// What theory says of it; `None` if the bot never named its side.
    pub(crate) review: Option<Result<Review, Unreviewed>>,
    /// The command that plays exactly this game again.
    pub(crate) again: &'a str,
}

/// Prints games as they end.
pub(crate) trait Reporter {
    /// A game has ended.
    fn game(&mut self, record: &Record<'_>) -> anyhow::Result<()>;

    /// All games have ended.
    fn summary(&mut self) -> anyhow::Result<()>;
}
