//! The arguments of the commands that play a single game against a bot.

use std::ffi::OsString;

use clap::Args;

use super::match_options::MatchOptions;
use crate::referee::setup::{GameHeader, GameSetup, OpponentKind};
use crate::units::number_in;

/// The arguments of a single game.
#[derive(Debug, Args)]
pub(crate) struct SingleGameArgs {
    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect, value_name = "NAME")]
    opponent: OpponentKind,

    /// The opponent's seed
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    /// The bot's command and its arguments, after all options
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

impl SingleGameArgs {
    /// The set-up of the game with this header.
    pub(crate) fn setup(&self, header: GameHeader) -> GameSetup {
        GameSetup::new(header, self.opponent, self.seed)
    }
}
