//! Tests that depend on real time: browsers, idleness, and limits. They run after `suite`, one at a time, wait for
//! events, and check causes and order, never how long something took.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the test chooses are small")]
#![allow(dead_code, unreachable_pub, unused_imports, reason = "`suite` uses the rest of `support`")]

mod budget;
#[path = "../suite/support/mod.rs"]
mod support;
