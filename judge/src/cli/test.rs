//! `judge test`: the game of an input file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::single_game::SingleGameArgs;
use crate::interop::input::header_of_file;
use crate::matches::match_report::MatchReport;
use crate::matches::match_runner::MatchRunner;
use crate::matches::session::BotSession;
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
  2  wrong usage, the bot could not be started, or the judge could not continue"
)]
pub(crate) struct TestArgs {
    /// The input file: one line with a header
    #[arg(short = 'f', long = "input", value_name = "INPUT")]
    pub(crate) input: PathBuf,

    #[command(flatten)]
    pub(crate) game: SingleGameArgs,
}

pub(crate) fn test(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let header = header_of_file(&args.input)?;
    interrupt::watch()?;
    let session = BotSession::new(args.game.options.config(&args.game.bot), 1, ())?;
    let mut games = MatchRunner::new(session, MatchReport::new(Console::new(anstream::stdout())));
    games.play(args.game.setup(header), &mut ())?;
    games.end()
}
