//! `testbot NAME`: one of the hostile bots of the tests.

#![allow(dead_code, unreachable_pub, reason = "`timing` shares the bots and has the expected verdicts")]

use std::process::ExitCode;

use anyhow::Context;

mod action;
mod bots;

fn main() -> anyhow::Result<ExitCode> {
    let name = std::env::args().nth(1).context("expected the name of a hostile bot")?;
    let actions = bots::actions(&name).with_context(|| format!("there is no hostile bot {name:?}"))?;
    action::perform(&actions)
}
