//! What the commands for a single game against a bot take alike.

use std::ffi::OsString;

use clap::Args;

use super::match_options::ConditionArgs;
use crate::matches::opponent::{Kind, Line};
use crate::matches::series::Fixture;

#[derive(Debug, Args)]
pub(crate) struct DuelArgs {
    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = Kind::Perfect, value_name = "NAME")]
    opponent: Kind,

    /// The opponent's seed
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,

    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,

    /// The bot's command and its arguments, behind all options
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

impl DuelArgs {
    /// The game of this header.
    pub(crate) fn fixture(&self, game: String) -> Fixture {
        Fixture { game, opponent: self.opponent, seed: self.seed, line: Line::new() }
    }
}
