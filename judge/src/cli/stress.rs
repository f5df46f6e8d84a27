//! `judge stress`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use zeroxor::MAX_SIZE;

use super::conditions::{ConditionArgs, seconds};
use crate::stress::family::Family;

/// Look for a game that a bot does not win, and shrink it
#[derive(Debug, Args)]
#[command(
    override_usage = "judge stress [OPTIONS] [-- BOT ARGS...]",
    after_help = "\
Every small start is played against every opponent, from the smallest up; then random larger ones. \
The first game that was not won is played again, to see whether it fails each time, and shrunk: to \
a smaller start that fails in the same way, then to the shortest line of the opponent's. The same \
seed gives the same games at any number of jobs.

Each line of --json names the bot and its terms, which --resume holds against its own. Its output \
may be appended to the file that it goes on from; a line that was cut off is no harm.

Examples:
  judge stress -- ./bot
  judge stress --family square --games 10000 --jobs 4 -- python3 my_bot.py
  judge stress --time 600 --json -- ./bot > games.jsonl
  judge stress --games 50000 --json --resume games.jsonl -- ./bot >> games.jsonl

Exit codes:
  0  the bot won every game
  1  it did not
  2  wrong usage, the bot could not be started, or the judge could not do its
     part or was interrupted"
)]
pub(crate) struct StressArgs {
    /// What is played
    #[arg(long, value_enum, default_value_t = Family::Segment, value_name = "NAME")]
    pub(crate) family: Family,

    /// The largest row, pile or number
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SIZE))]
    pub(crate) max_n: u64,

    /// How many games to play [default: 2000, without end if --time is given]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: Option<u64>,

    /// For how many seconds to begin games
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,

    /// How many games to play at the same time; with more than there are processors bots wait for one, and
    /// run out of wall time [default: one for each processor]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// The seed of game 0; game k has the seed S+k
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// Go on when a game was not won, and count
    #[arg(long)]
    pub(crate) keep_going: bool,

    /// Go on with the search whose --json output is in this file; what was played is not played again
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,

    /// Print one JSON object a game, as it ends, and last the one that the first failure was shrunk to
    #[arg(long)]
    pub(crate) json: bool,

    /// The bot's command and its arguments; without it the bundled bot plays
    #[arg(last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}
