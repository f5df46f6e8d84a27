//! Where runs come from, and how they are run: families and files of games, sessions, and problems.

pub(crate) mod family;
pub(crate) mod parallel;
pub(crate) mod problem;
pub(crate) mod referee_again;
pub(crate) mod replay_against;
pub(crate) mod session;
pub(crate) mod start_files;
