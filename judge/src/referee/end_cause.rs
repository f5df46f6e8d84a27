//! What ends a game: the evidence that a verdict is made of.

use std::time::Duration;

use zeroxor::wire::protocol::SyntaxError;
use zeroxor::{IllegalMove, Move};

use super::event::LimitReport;

/// What ended a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndCause {
    /// The opponent has no move.
    Won,
    /// The bot has no move left and said so.
    Lost,
    /// The bot said that it has no move, but has, for instance this one.
    Resigned(Move),
    /// The bot's move breaks the rules.
    Illegal(IllegalMove),
    /// The bot's line is not what was expected.
    Malformed(SyntaxError),
    /// The judge's rules and the library's disagree on a move: the judge's fault.
    Disputed(Move),
    /// The bot's line cannot come any more.
    NoMoreOutput,
    /// The bot's line did not come within a limit.
    Limit(Box<LimitReport>),
    /// The bot's line came when the judge had waited for longer than the wall time.
    Late { waited: Duration },
    /// The wait was longer than the wall time, but may not have been without the judge's own delays.
    Unknown { waited: Duration, delayed: Duration },
    /// The bot's line is too long.
    LongLine,
    /// The bot has printed too much.
    TooMuchOutput,
    /// Ctrl-C.
    Interrupted,
    /// The judge could not do its part.
    JudgeError(String),
}

impl EndCause {
    /// Whether the bot knows as well as the judge that the game is over, and how.
    pub(crate) fn is_known_to_bot(&self) -> bool {
        matches!(self, Self::Won | Self::Lost | Self::Resigned(_) | Self::Illegal(_))
    }

    /// Whether the bot may end by itself once it is told.
    pub(crate) fn lets_bot_end(&self) -> bool {
        matches!(
            self,
            Self::Won
                | Self::Lost
                | Self::Resigned(_)
                | Self::Illegal(_)
                | Self::Malformed(_)
                | Self::Disputed(_)
                | Self::NoMoreOutput
                | Self::JudgeError(_)
        )
    }
}
