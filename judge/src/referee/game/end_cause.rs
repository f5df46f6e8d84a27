//! The cause that ended a game, and the end of the bot's process.

use std::time::Duration;

use zeroxor::wire::protocol::SyntaxError;
use zeroxor::{IllegalMove, Move};

use runner::event::{Exit, LimitReport};

/// The cause that ended a game. The verdict is derived from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndCause {
    /// Normal play: the opponent has no move left. Misère play: the bot printed `0 0` and has no move left. Both: the
    /// opponent is another bot and forfeited the game.
    Won,
    /// Normal play: the bot printed `0 0` and has no move left. Misère play: the opponent has no move left.
    Lost,
    /// The bot printed `0 0` although it had a legal move. The value is such a move.
    Resigned(Move),
    /// The bot's move breaks the rules.
    Illegal(IllegalMove),
    /// The bot's line has the wrong form.
    Malformed(SyntaxError),
    /// The bot ended or closed its stdout before the expected line was received.
    NoMoreOutput,
    /// The bot reached a limit before the expected line was received.
    Limit(Box<LimitReport>),
    /// The expected line was received after the wall time was used up.
    Late { waited: Duration },
    /// The bot's line is too long.
    LongLine,
    /// The bot has printed more than the output limit.
    TooMuchOutput,
    /// Ctrl-C interrupted the judge.
    Interrupted,
    /// The judge could not continue, for this reason.
    JudgeError(String),
}

impl EndCause {
    /// Checks whether the bot knows that the game is over. Only such a bot can play another game in the same
    /// conversation.
    pub(crate) fn is_known_to_bot(&self) -> bool {
        matches!(self, Self::Won | Self::Lost | Self::Resigned(_) | Self::Illegal(_))
    }

    /// Checks whether the bot gets its grace time to exit by itself.
    pub(crate) fn lets_bot_end(&self) -> bool {
        matches!(
            self,
            Self::Won
                | Self::Lost
                | Self::Resigned(_)
                | Self::Illegal(_)
                | Self::Malformed(_)
                | Self::NoMoreOutput
                | Self::JudgeError(_)
        )
    }
}

/// How the bot's process ended, if it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BotEnd {
    /// The process ended by itself.
    Exited(Exit),
    /// The judge ended the process.
    Killed,
    /// The process still runs, and can play on.
    PlaysOn,
}
