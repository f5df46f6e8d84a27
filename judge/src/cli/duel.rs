//! What the commands for a single game against a bot take alike.

use std::ffi::OsString;

use clap::Args;

use super::match_options::MatchOptions;
use crate::referee::setup::{GameHeader, GameSetup, OpponentKind};

#[derive(Debug, Args)]
pub(crate) struct DuelArgs {
    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect, value_name = "NAME")]
    opponent: OpponentKind,

    /// The opponent's seed
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    /// The bot's command and its arguments, behind all options
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

impl DuelArgs {
    /// The game with this header.
    pub(crate) fn setup(&self, header: GameHeader) -> GameSetup {
        GameSetup::new(header, self.opponent, self.seed)
    }
}
