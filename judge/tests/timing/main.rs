//! Tests that depend on real time: idleness, limits, and browsers. These tests run after `suite`. They wait for events,
//! and check causes and order, never a duration. CONTRIBUTING.md gives the reason why each test is here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the test chooses are small")]
#![allow(unreachable_pub, reason = "the modules of one test binary share their helpers")]

mod batch;
mod broken_bots;
mod browser;
mod generated_inputs;
#[cfg(target_os = "linux")]
mod hostile;
mod interactor_lint;
mod interactors;
mod interop;
#[cfg(target_os = "linux")]
mod interrupts;
#[cfg(target_os = "linux")]
#[path = "../suite/kernel.rs"]
mod kernel;
#[cfg(target_os = "linux")]
mod limits;
mod package_files;
mod package_formats;
mod packages;
mod problem_section;
#[cfg(target_os = "linux")]
mod promises;
mod saved_pages;
mod stress;
#[allow(dead_code, unused_imports, reason = "`suite` uses the rest of `support`")]
#[path = "../suite/support/mod.rs"]
mod support;
#[cfg(target_os = "linux")]
mod time;
mod twice;
