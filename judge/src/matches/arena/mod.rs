//! Games of bots against each other: who plays whom from which starts, the games, and what they show.

mod built_in_bot;
pub(crate) mod entrant;
pub(crate) mod entrant_check;
mod game;
pub(crate) mod games;
pub(crate) mod league;
pub(crate) mod pairing;
mod peer;
pub(crate) mod plan;
mod queue;
pub(crate) mod record;
pub(crate) mod results;
mod round;
mod round_results;
pub(crate) mod run;
mod seat_result;
pub(crate) mod standings;
mod start_class;
pub(crate) mod starts;
pub(crate) mod statistics;
pub(crate) mod stop;
mod table_bot;
pub(crate) mod tables;
