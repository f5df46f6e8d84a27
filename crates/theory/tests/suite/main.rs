//! `grundy` as a program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the test chooses are small")]
#![allow(unreachable_pub, reason = "the modules of one test binary share their helpers")]

mod checkpoints;
mod comparisons;
mod misere;
mod pages;
mod plots;
mod stopped;
#[path = "../../../../judge/tests/suite/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the suites of the judge use the rest")]
mod support;
mod sweep;
mod table;
