//! `judge test`: the game of an input file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::duel::DuelArgs;
use crate::interop::input::game_of_file;
use crate::matches::series::{Arena, Series};
use crate::process::interrupt;
use crate::report::console::Console;

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

pub(crate) fn test(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let game = game_of_file(&args.input)?;
    interrupt::watch()?;
    let arena = Arena::new(args.duel.conditions.conditions(&args.duel.bot), 1, ())?;
    let mut series = Series::new(arena, Console::new(anstream::stdout()));
    series.play(args.duel.fixture(game), &mut ())?;
    series.end()
}
