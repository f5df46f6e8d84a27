//! Games of bots: single games and several, games between bots, the search for a game that a bot does not win, the
//! checks of a bot, and the self-test with hostile bots.

pub(crate) mod arena;
pub(crate) mod family;
pub(crate) mod game_runner;
pub(crate) mod lint;
pub(crate) mod match_runner;
pub(crate) mod opponent;
pub(crate) mod parallel;
pub(crate) mod replay_against;
pub(crate) mod session;
pub(crate) mod start_files;
pub(crate) mod stress;
pub(crate) mod worker;
