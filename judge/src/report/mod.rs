//! What is printed of each game: for a person or for a program.

use zeroxor::wire::protocol::Header;

use crate::matches::game::Outcome;
use crate::referee::review::{Review, Unreviewed};
use crate::referee::transcript::Opening;
use crate::referee::verdict::Verdict;

pub(crate) mod console;
pub(crate) mod file;
pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod picture;
pub(crate) mod progress;
pub(crate) mod transcript;

/// The version of the JSON that the judge writes for programs: one for all of its objects.
pub(crate) const SCHEMA: u32 = 1;

/// A game and what became of it.
pub(crate) struct Record {
    pub(crate) opening: Opening,
    pub(crate) outcome: Outcome,
    /// What theory says of it; `None` if the bot never named its side.
    pub(crate) review: Option<Result<Review, Unreviewed>>,
}

impl Record {
    /// A game and its outcome, held against the theory.
    pub(crate) fn new(opening: Opening, header: &Header, outcome: Outcome) -> Self {
        let review = outcome.side.map(|side| Review::of(header, side, &outcome.moves));
        Self { opening, outcome, review }
    }

    /// Whether the bot gave up a position that it could have won.
    fn resigned_won(&self) -> bool {
        let review = self.review.as_ref().and_then(|review| review.as_ref().ok());
        self.outcome.verdict == Verdict::Resigned
            && review.is_some_and(|review| review.last == zeroxor::Outcome::N)
    }
}

/// Prints games as they end.
pub(crate) trait Reporter {
    /// A game has ended.
    fn game(&mut self, record: &Record) -> anyhow::Result<()>;

    /// All games have ended.
    fn summary(&mut self) -> anyhow::Result<()>;
}
