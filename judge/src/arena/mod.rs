//! Games of bots against each other: the plan and its starts, the games, and the standings and statistics.

pub(crate) mod entrant;
pub(crate) mod games;
pub(crate) mod plan;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod standings;
pub(crate) mod starts;
pub(crate) mod statistics;
