//! Games for people at the terminal, against each other or against the bot.

pub(crate) mod board;
pub(crate) mod dialogue;
pub(crate) mod game;
pub(crate) mod game_steps;
pub(crate) mod hint;
pub(crate) mod level;
mod row;
pub(crate) mod terminal;
pub(crate) mod terminal_game;
