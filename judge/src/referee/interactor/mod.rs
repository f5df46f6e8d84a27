//! Interactors: programs that decide whether a bot solves a problem.

pub(crate) mod explain;
pub(crate) mod passes;
pub(crate) mod relayed;
pub(crate) mod seats;
pub(crate) mod style;
