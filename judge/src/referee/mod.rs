//! The referee: the set-up of a game, its state, its verdict and its transcript. It uses no clock, process or file.

pub(crate) mod answer_times;
pub(crate) mod conversation;
pub(crate) mod decide;
pub(crate) mod end_cause;
pub(crate) mod explain;
pub(crate) mod game_state;
pub(crate) mod result;
pub(crate) mod review;
pub(crate) mod setup;
pub(crate) mod stall;
pub(crate) mod start_line;
pub(crate) mod transcript;
pub(crate) mod verdict;
