//! The end of a bot's process.

use runner::event::Exit;

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
