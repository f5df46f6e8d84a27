//! Games of bots against each other: who plays whom from which starts, the games, and what they show.

pub(crate) mod entrant;
pub(crate) mod games;
pub(crate) mod host;
pub(crate) mod league;
pub(crate) mod pairing;
pub(crate) mod plan;
mod queue;
pub(crate) mod record;
pub(crate) mod results;
mod round_results;
pub(crate) mod run;
pub(crate) mod seat_check;
pub(crate) mod standings;
mod start_class;
pub(crate) mod starts;
pub(crate) mod statistics;
pub(crate) mod stop;
pub(crate) mod tables;
