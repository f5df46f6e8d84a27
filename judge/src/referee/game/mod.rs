//! A game as a pure function of its events: the state, the verdict, the explanation and the review. Only `game_runner` talks
//! to a [`bot`].

pub(crate) mod answer_times;
pub(crate) mod bot;
pub(crate) mod exchange;
pub(crate) mod explain;
pub(crate) mod game_runner;
pub(crate) mod game_state;
pub(crate) mod opponent;
pub(crate) mod review;
pub(crate) mod setup;
