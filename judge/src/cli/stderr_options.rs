//! The options for what a bot writes to stderr.

use std::path::PathBuf;

use clap::Args;

/// What is done with a bot's stderr.
#[derive(Debug, Args)]
pub(crate) struct StderrOptions {
    /// Show what the bot writes to stderr also for games that are won
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_stderr: bool,

    /// Write what the bot writes to stderr in each game to a file seed-S.txt in this folder; the next ones with that seed
    /// are seed-S-2.txt and so on
    #[arg(long, value_name = "DIR")]
    pub(crate) stderr: Option<PathBuf>,
}
