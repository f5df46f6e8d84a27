//! Foreign interactors: programs that decide whether a bot solves an interactive problem.
//!
//! The judge starts both programs and passes all bytes on between them, so it sees who ended first, who waits for whom,
//! and what is left in a buffer. [`problem`] runs all tests of a problem, and reports and records the runs.

#![allow(missing_docs, missing_debug_implementations, reason = "only programs of this workspace use it")]

mod conversation;
mod decide;
mod facts;
pub mod interaction;
mod last_lines;
pub mod problem;
mod stall;
pub mod style;
pub mod trial;
mod verdict;

pub use facts::{BotEnd, Conditions, Confinement, DEFAULT_OUTPUT, OutputLimit, Turn};
pub use verdict::Verdict;
