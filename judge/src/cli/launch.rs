//! `judge launch`, the hidden role in which the judge's program becomes the bot.

use std::ffi::OsString;

use clap::Args;

/// Become the bot, inside the sandbox; without a command, only try whether the sandbox can be set up
#[derive(Debug, Args)]
pub(crate) struct LaunchArgs {
    /// The judge's process, with which the bot ends
    #[arg(long, value_name = "PID")]
    pub(crate) judge: Option<i32>,

    /// The bot's command and its arguments
    #[arg(last = true, value_name = "BOT")]
    pub(crate) command: Vec<OsString>,
}
