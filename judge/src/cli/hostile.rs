//! `judge hostile`: the hidden command that is a hostile bot of the self-test.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use crate::matches::selftest::{action, bots};

/// One of the hostile bots of the self-test
#[derive(Debug, Args)]
pub(crate) struct HostileArgs {
    name: String,
}

pub(crate) fn hostile(HostileArgs { name }: &HostileArgs) -> anyhow::Result<ExitCode> {
    let actions =
        bots::actions(name).with_context(|| format!("expected the name of a hostile bot, got {name:?}"))?;
    action::perform(&actions)
}
