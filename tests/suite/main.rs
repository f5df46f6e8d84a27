//! Tests that compare the library with slow definitions and published terms, and tests of the bot as a program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the test chooses are small")]
#![allow(unreachable_pub, reason = "the modules of one test binary share their helpers")]

mod analysis;
mod core;
mod definition;
mod delaying;
mod euclid;
mod limits;
mod misere_sums;
mod octal;
mod piles;
mod process;
mod proof_by_play;
mod rules;
mod rules_by_definition;
mod segment;
#[cfg(feature = "serde")]
mod serial;
mod submission;
mod wire;
