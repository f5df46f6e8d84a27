//! Interactors: programs that decide whether a bot solves a problem.

pub(crate) mod style;
pub(crate) mod trial;
