//! The arguments of the commands that play a single game against a bot.

use std::ffi::OsString;

use anyhow::bail;
use clap::{Arg, Args, Command};

use super::complete;
use super::match_options::MatchOptions;
use crate::settings::Settings;
use common::units::number_in;
use referee::config::MatchConfig;
use referee::setup::{GameHeader, GameSetup, OpponentKind};

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

    /// Refuses options of `judge NAME` after the bot's command, where they would become the bot's. A `--`
    /// says that they are meant for the bot.
    pub(crate) fn refuse_late_options(&self, name: &'static str) -> anyhow::Result<()> {
        if std::env::args_os().any(|word| word == "--") {
            return Ok(());
        }
        let command = Self::augment_args(Command::new(name));
        let late = self.bot.iter().skip(1).filter_map(|word| word.to_str()).find(|word| {
            let (typed, _) = word.split_once('=').unwrap_or((word, ""));
            let is_long = |option: &Arg| option.get_long().is_some_and(|long| typed == format!("--{long}"));
            let is_short =
                |option: &Arg| option.get_short().is_some_and(|short| typed == format!("-{short}"));
            command.get_arguments().any(|option| is_long(option) || is_short(option))
        });
        let Some(late) = late else { return Ok(()) };
        bail!(
            "{late} stands behind the bot's command: type it before the command, or \"--\" before the command if \
             {late} is for the bot"
        )
    }

    /// The set-up of the game with this header.
    pub(crate) fn setup(&self, header: GameHeader) -> GameSetup {
        GameSetup::new(header, self.opponent, self.seed)
    }
}
