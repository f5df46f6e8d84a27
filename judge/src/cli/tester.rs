//! `judge tester`.

use clap::Args;

use super::duel::DuelArgs;

/// Play the game of the input against a bot, as the testers of AtCoder's heuristic contests do
#[derive(Debug, Args)]
#[command(
    override_usage = "judge tester [OPTIONS] BOT ARGS... < in.txt > out.txt",
    after_help = "\
The input is one line with a header, the output what the bot prints. stderr tells what became of the game, and \
\"Score = 1\" for a win, \"Score = 0\" for anything else.

Example:
  judge tester python3 my_bot.py < in.txt > out.txt

Exit codes:
  0  the bot won
  1  it did not
  2  wrong usage, the bot could not be started, or the judge could not do its
     part"
)]
pub(crate) struct TesterArgs {
    #[command(flatten)]
    pub(crate) duel: DuelArgs,
}
