//! Runs that are divided among several judges.

mod checkpoint;
mod disk;
mod merge;
mod scripts;
mod union;

use std::process::{Command, Output};

use crate::support::{command, text};

/// The arguments of a run of each kind, with its number of results.
const ARENA: &str =
    "arena --family subtract --max-n 40 --pairs 12 --bot greedy --bot random --bot mirror --jobs 2";
const ARENA_GAMES: u64 = 72;
const STRESS: &str = "stress --family nim --max-n 20 --games 40 --keep-going --session --jobs 2";
const STRESS_GAMES: u64 = 40;

/// The judge with these arguments.
fn run(args: &str) -> Output {
    command(args, &[]).output().unwrap()
}

/// The judge with more arguments than are split at blanks.
fn with_options(args: &str, options: &[&str]) -> Command {
    let mut judge = command(args, &[]);
    judge.args(options);
    judge
}

/// What a judge printed that has to end with this code.
#[track_caller]
fn printed(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// What it says on stderr.
#[track_caller]
fn complaint(output: &Output, code: i32) -> String {
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), ""), "{}", text(&output.stderr));
    text(&output.stderr).to_owned()
}
