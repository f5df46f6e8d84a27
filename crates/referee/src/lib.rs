//! The referee: the set-up of a game, its state, its verdict and its transcript. It uses no clock, process or file.

#![allow(missing_docs, missing_debug_implementations, reason = "only programs of this workspace use it")]

pub mod answer_times;
pub mod conversation;
pub mod decide;
pub mod end_cause;
pub mod explain;
pub mod game_state;
pub mod result;
pub mod review;
pub mod setup;
pub(crate) mod stall;
pub mod start_line;
pub mod transcript;
pub mod verdict;
