//! `judge test`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::conditions::ConditionArgs;
use crate::player::opponent::Kind;

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
  2  wrong usage, the bot could not be started, or the judge could not do its part"
)]
pub(crate) struct TestArgs {
    /// The input: one line with a header
    #[arg(short = 'f', long = "input", value_name = "INPUT")]
    pub(crate) input: PathBuf,

    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = Kind::Perfect, value_name = "NAME")]
    pub(crate) opponent: Kind,

    /// The opponent's seed
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,

    /// The bot's command and its arguments, behind all options
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}
