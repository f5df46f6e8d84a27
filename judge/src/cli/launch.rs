//! `judge launch`, the hidden role in which the judge's program becomes the bot.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::limits::DEFAULT_LIMITS;

/// Become the bot, inside its control group and the sandbox; without a command, only try whether that can be
#[derive(Debug, Args)]
pub(crate) struct LaunchArgs {
    /// The judge's process, with which the bot ends
    #[arg(long, value_name = "PID")]
    pub(crate) judge: Option<i32>,

    /// Only join the control group
    #[arg(long)]
    pub(crate) without_sandbox: bool,

    /// A folder of the bot's control group, of which there is one for each resource
    #[arg(long, value_name = "FOLDER")]
    pub(crate) group: Vec<PathBuf>,

    /// How many processes and threads the bot may have
    #[arg(long, default_value_t = DEFAULT_LIMITS.processes, value_name = "N")]
    pub(crate) processes: u64,

    /// The bot's command and its arguments
    #[arg(last = true, value_name = "BOT")]
    pub(crate) command: Vec<OsString>,
}
