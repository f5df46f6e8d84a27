//! Games for people at the terminal, against each other or against the bot.

pub(crate) mod board;
pub(crate) mod classic;
pub(crate) mod dialogue;
pub(crate) mod game_steps;
mod stretch;
pub(crate) mod terminal;
pub(crate) mod terminal_game;
mod typed_command;
