//! The arguments of the commands that play a single game against a bot.

use std::ffi::OsString;

use clap::Args;

use super::complete;
use super::match_options::MatchOptions;
use crate::referee::config::MatchConfig;
use crate::referee::setup::{GameHeader, GameSetup, OpponentKind};
use crate::settings::Settings;
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
    options: MatchOptions,

    /// Print the command that compiles a source
    #[arg(short, long)]
    verbose: bool,

    /// The bot's command and its arguments, or a source such as bot.cpp, which is compiled; after all options
    #[arg(add = complete::bot(), required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "BOT")]
    bot: Vec<OsString>,
}

impl SingleGameArgs {
    /// The configuration of a game against the bot.
    ///
    /// # Errors
    ///
    /// If its source cannot be compiled.
    pub(crate) fn config(&self, settings: &Settings) -> anyhow::Result<MatchConfig> {
        self.options.config(&self.bot, self.verbose, settings)
    }

    /// The set-up of the game with this header.
    pub(crate) fn setup(&self, header: GameHeader) -> GameSetup {
        GameSetup::new(header, self.opponent, self.seed)
    }
}
