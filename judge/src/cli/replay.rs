//! `judge replay`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

/// Referee recorded games again
#[derive(Debug, Args)]
#[command(
    override_usage = "judge replay FILE [--json]\n       judge replay FILE --against -- BOT ARGS...",
    after_help = "\
Every game of the transcript is refereed from its events alone, and must come to the verdict, the side, the moves and \
the times that were recorded.

Examples:
  judge run 20 3 5 --transcript game.jsonl -- ./bot
  judge replay game.jsonl                        the same report and verdict
  judge replay game.jsonl --against -- ./other   does another bot say the same?

Exit codes:
  0  everything is as recorded; with --against: every line of the bot is
  1  something is not
  2  the transcript cannot be read or is damaged, the bot could not be started,
     or the judge was interrupted"
)]
pub(crate) struct ReplayArgs {
    /// The transcript, "-" for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Send the judge's recorded lines to a bot instead, and show the first line in which it differs
    #[arg(long, requires = "bot", conflicts_with = "json")]
    pub(crate) against: bool,

    /// Print one JSON object a game
    #[arg(long)]
    pub(crate) json: bool,

    /// The bot's command and its arguments
    #[arg(last = true, value_name = "BOT", requires = "against")]
    pub(crate) bot: Vec<OsString>,
}
