//! Who plays whom: one game, several, searches for a game that a bot does not win, and checks of a bot.

pub(crate) mod game_runner;
pub(crate) mod lint;
pub(crate) mod match_runner;
mod opponent;
pub(crate) mod replay_against;
pub(crate) mod selftest;
pub(crate) mod session;
pub(crate) mod stress;
