//! The arguments of `judge stress`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use zeroxor::MAX_SIZE;

use crate::cli::complete;
use crate::cli::interactor_options::{GeneratorOptions, IDLE_HELP};
use crate::cli::match_options::MatchOptions;
use crate::cli::shared_options::FamilyOptions;
use crate::cli::shared_options::StderrOptions;
use crate::search::SearchBounds;
use crate::units::{number_in, parse_time_limit};

/// Search for a game that a bot does not win, and shrink it
#[derive(Debug, Args)]
#[command(
    mut_arg("idle_limit", |option| option.help(IDLE_HELP)),
    override_usage = "judge stress [OPTIONS] [-- BOT ARGS...]\n       judge stress [OPTIONS] SOURCE [ARGS...]\n       \
                      judge stress --interactor COMMAND --generator COMMAND [OPTIONS] -- BOT ARGS...",
    after_help = "\
The extreme starts are played first: the largest of each kind, the smallest, and large starts that Second wins. Then \
come small starts, the smallest first; after every two of them, one larger start is played. If there are enough games, every extreme and \
every small start is played against every opponent. The first game that was not won is played again, to see whether it fails each time. \
Then it is shrunk: first to a smaller start that fails in the same way, then to the fewest moves of the opponent. The same seed gives \
the same games with any number of jobs.

With --interactor and --generator, the bot is run on generated inputs of another problem until it fails. The first \
input with which it fails is shrunk and kept.

--keep FILE appends the smallest game that was not won to a file, which \"judge test FILE\" plays again. Each line of --json has \
the bot's command and options.

Examples:
  judge stress -- ./bot
  judge stress bot.cpp --time 1m
  judge stress --family square --games 10000 --jobs 4 -- python3 my_bot.py
  judge stress --time 600 --json -- ./bot > games.jsonl
  judge stress --keep failed.txt -- ./bot
  judge stress --interactor interactor.cpp --generator gen.py -- bot.cpp
                                            another problem, with its interactor

Exit codes:
  0  the bot won every game, or passed with every input
  1  the bot did not win every game, or failed with an input
  2  wrong usage, a program could not be started, the interactor or the
     generator failed, or the judge could not continue, or was interrupted"
)]
pub(crate) struct StressArgs {
    #[command(flatten)]
    pub(crate) families: FamilyOptions,

    /// Maximum size of a row, a pile or a number
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = number_in(1..=MAX_SIZE))]
    pub(crate) max_n: u64,

    /// How many games to play, or how many inputs of the generator to try [default: 2000, or no limit if --time is
    /// given]
    #[arg(short = 'n', long, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: Option<u64>,

    /// How long to play and to shrink, in seconds if there is no unit; a game that has begun is played to its end. With
    /// --keep-going the last quarter of the time is reserved for shrinking the first game that was not won
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    pub(crate) time: Option<Duration>,

    /// How many games to play or inputs to run at the same time; if J is more than the number of processors, bots may
    /// wait for a processor and use up their wall time [default: one for each processor]
    #[arg(short, long, value_name = "J", value_parser = number_in(1..=1024_u16))]
    pub(crate) jobs: Option<u16>,

    /// The seed of game 0, or of the first input; game or input k has the seed S+k
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Continue after a game that was not won; show the first three games with the same verdict and a similar reason,
    /// and count the others
    #[arg(long)]
    pub(crate) keep_going: bool,

    /// Append the smallest game that was not won to this file, which "judge test FILE" plays. With --interactor, the
    /// directory for the smallest input [default: the current directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    #[command(flatten)]
    pub(crate) stderr: StderrOptions,

    /// Print one JSON object for each game or run, and then one for the shrunk game or input
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the command that compiles a source, and with --keep-going each game that was not won
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) interactor: GeneratorOptions,

    /// The bot's source, such as bot.cpp, which is compiled, and its arguments
    #[arg(add = complete::bot(), value_name = "SOURCE", conflicts_with = "bot")]
    pub(crate) source: Vec<OsString>,

    /// The bot's command and its arguments; without it the bundled bot plays the games
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

/// The options that cannot be used with an interactor, because they are only for games of the judge.
pub(crate) const OPTIONS_OF_GAMES: [&str; 5] = ["family", "max-n", "keep-going", "stderr", "session"];

/// The number of games if neither `--games` nor `--time` is given.
const DEFAULT_GAMES: u64 = 2000;

impl StressArgs {
    /// Returns the bounds of a search that began at `started`.
    pub(crate) fn bounds(&self, started: Instant) -> SearchBounds {
        SearchBounds {
            candidates: self.games.or(Some(DEFAULT_GAMES).filter(|_| self.time.is_none())),
            deadline: self.time.map(|time| started + time),
            keep_going: self.keep_going,
            shrink_from: self.time.map(|time| started + time * 3 / 4),
        }
    }
}
