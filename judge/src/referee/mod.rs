//! The referee: how a game is set up, its state, and its verdict. It uses no clock, no process and no file.

pub(crate) mod answer_times;
pub(crate) mod bot_end;
pub(crate) mod config;
pub(crate) mod conversation;
pub(crate) mod decide;
mod divisors;
pub(crate) mod end_cause;
pub(crate) mod event;
pub(crate) mod explain;
pub(crate) mod explanation;
pub(crate) mod finished_game;
pub(crate) mod game_state;
pub(crate) mod io_stats;
pub(crate) mod limits;
mod nanos;
#[cfg(test)]
mod played_out;
pub(crate) mod result;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod setup;
pub(crate) mod spectator;
pub(crate) mod stall;
pub(crate) mod start_line;
pub(crate) mod stderr_excerpt;
pub(crate) mod transcript;
pub(crate) mod verdict;
