//! Foreign interactors: programs that decide whether a bot solves an interactive problem.
//!
//! The judge starts both programs and passes all bytes on between them, so it sees who ended first, who waits for whom,
//! and what is left in a buffer. [`problem`] runs all tests of a problem, and reports and records the runs.

mod conversation;
mod decide;
mod facts;
pub(crate) mod interaction;
mod last_lines;
pub(crate) mod problem;
mod stall;
pub(crate) mod style;
pub(crate) mod trial;
mod verdict;

pub(crate) use facts::{BotEnd, Conditions, Confinement, DEFAULT_OUTPUT, OutputLimit, Turn};
pub(crate) use verdict::Verdict;
