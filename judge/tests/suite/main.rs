//! The judge as a program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(unreachable_pub, reason = "the modules of one test binary share their helpers")]

mod judge;
mod opponents;
mod play;
mod post_mortem;
mod readme;
mod solve;
mod table;
mod table_piles;
mod usage;
mod verdicts;
