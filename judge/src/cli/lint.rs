//! `judge lint`.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use super::conditions::seconds;

/// Go through a check list: does a bot hold to the protocol, and if not, how to mend it
#[derive(Debug, Args)]
#[command(
    override_usage = "judge lint [OPTIONS] -- BOT ARGS...",
    after_help = "\
A check passes, FAILs, or leaves a note: a bot for the contest alone need not know assigned seats, several games in \
one conversation or the other games, nor exit with a certain code when its input ends.

Examples:
  judge lint -- python3 my_bot.py
  judge lint --json -- ./bot

Exit codes:
  0  no check failed
  1  one did
  2  wrong usage, or the bot could not be started"
)]
pub(crate) struct LintArgs {
    /// How many seconds of CPU the bot may use in a game, and how many the judge waits for its lines, all
    /// together
    #[arg(long, default_value = "2", value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Duration,

    /// Print one JSON object a check
    #[arg(long)]
    pub(crate) json: bool,

    /// The bot's command and its arguments
    #[arg(last = true, value_name = "BOT", required = true)]
    pub(crate) bot: Vec<OsString>,
}
