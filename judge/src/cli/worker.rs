//! `judge worker`, the hidden role of a judge that plays what another sends.

use std::ffi::OsString;

use clap::Args;

use super::conditions::ConditionArgs;

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,

    #[arg(last = true)]
    pub(crate) bot: Vec<OsString>,
}
