//! `judge test`.

use std::path::PathBuf;

use clap::Args;

use super::duel::DuelArgs;

/// Play the game of an input file against a bot: the testing tool of a problem package
#[derive(Debug, Args)]
#[command(
    override_usage = "judge test -f INPUT [OPTIONS] BOT ARGS...",
    after_help = "\
Example:
  judge test -f sample/1.in python3 my_bot.py

Exit codes:
  0  the bot won
  1  it did not
  2  wrong usage, the bot could not be started, or the judge could not do its
     part"
)]
pub(crate) struct TestArgs {
    /// The input: one line with a header
    #[arg(short = 'f', long = "input", value_name = "INPUT")]
    pub(crate) input: PathBuf,

    #[command(flatten)]
    pub(crate) duel: DuelArgs,
}
