//! Tests that depend on real time: idleness, limits, and browsers. They run after `suite`, wait for events, and check
//! causes and order, never how long something took. CONTRIBUTING.md says why each of them is here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the test chooses are small")]
#![allow(dead_code, unreachable_pub, unused_imports, reason = "`suite` uses the rest of `support`")]

mod broken_bots;
mod interop;
#[cfg(target_os = "linux")]
mod limits;
mod selftest;
mod stress;
#[path = "../suite/support/mod.rs"]
mod support;
mod verdicts;
