//! `grundy` as a program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the test chooses are small")]

mod comparisons;
mod misere;
mod pages;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn command(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(args.split(' '));
    command
}

/// What a successful command prints.
#[track_caller]
fn printed(args: &str) -> String {
    let Output { status, stdout, stderr } = command(args).output().unwrap();
    assert_eq!((status.code(), String::from_utf8(stderr).unwrap().as_str()), (Some(0), ""), "{args}");
    String::from_utf8(stdout).unwrap()
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}
