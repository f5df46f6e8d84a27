//! The cause that ended a game, and how the process of the bot ended.

use std::time::Duration;

use zeroxor::wire::protocol::SyntaxError;
use zeroxor::{IllegalMove, Move};

use runner::event::{Exit, LimitReport};

/// The cause that ended a game. The verdict is decided from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// The opponent has no move.
    Won,
    /// The bot printed `0 0`, and it has no move left.
    Lost,
    /// The bot printed `0 0`, but it has a move, for instance this one.
    Resigned(Move),
    /// The bot's move breaks the rules.
    Illegal(IllegalMove),
    /// The bot's line is not what was expected.
    Malformed(SyntaxError),
    /// The judge's rules and the library's rules disagree on a move, which is a mistake in one of them.
    Disputed(Move),
    /// The judge's rules and the library's rules disagree on whether a move is left, which is a mistake in one of them.
    DisputedEnd,
    /// The bot ended or closed its stdout before the expected line was received.
    NoMoreOutput,
    /// The bot reached a limit before the expected line was received.
    Limit(Box<LimitReport>),
    /// The expected line was received when the wall time was already used up.
    Late { waited: Duration },
    /// The wall time was used up, but perhaps only because the judge itself did not run.
    Unknown { waited: Duration, delayed: Duration },
    /// The bot's line is too long.
    LongLine,
    /// The bot has printed more than the output limit.
    TooMuchOutput,
    /// Ctrl-C.
    Interrupted,
    /// The judge could not continue, for this reason.
    JudgeError(String),
}

impl EndCause {
    /// Whether the bot knows that the game is over, so that it can play another one in the same conversation.
    pub fn is_known_to_bot(&self) -> bool {
        matches!(self, Self::Won | Self::Lost | Self::Resigned(_) | Self::Illegal(_))
    }

    /// Whether the bot is given time to exit by itself.
    pub fn lets_bot_end(&self) -> bool {
        matches!(
            self,
            Self::Won
                | Self::Lost
                | Self::Resigned(_)
                | Self::Illegal(_)
                | Self::Malformed(_)
                | Self::Disputed(_)
                | Self::DisputedEnd
                | Self::NoMoreOutput
                | Self::JudgeError(_)
        )
    }
}

/// How the bot's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BotEnd {
    /// By itself.
    Exited(Exit),
    /// The judge ended it.
    Killed,
    /// It has not ended, and plays the next game.
    PlaysOn,
}
