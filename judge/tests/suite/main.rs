//! Tests of the judge as a program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the test chooses are small")]
#![allow(unreachable_pub, reason = "the modules of one test binary share their helpers")]

mod arena;
mod docs;
#[cfg(target_os = "linux")]
mod kernel;
mod limits;
mod many_games;
mod new;
mod pages;
mod play;
#[cfg(target_os = "linux")]
mod processes;
mod replaced_files;
#[cfg(target_os = "linux")]
mod sandbox;
mod stress;
mod support;
mod transcripts;
mod usage {
    mod again;
    mod completions;
    mod refused;
    mod settings;
    mod sources;
    mod stdout;
}
