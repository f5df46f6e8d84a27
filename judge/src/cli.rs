//! What may be typed.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::player::opponent::Kind;

/// A local judge for impartial subtraction games: it referees any bot that speaks the protocol of AtCoder
/// ABC278 G over its stdin and stdout, in any language, and says what went wrong and why.
///
/// Without a command it plays a short demonstration.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    /// The bundled bot: plays the contestant's side of one conversation on stdin and stdout
    #[command(hide = true)]
    Bot,
}

/// Play games against a bot and referee them
#[derive(Debug, Args)]
#[command(
    override_usage = "judge run [HEADER WORDS] [OPTIONS] [-- BOT ARGS...]",
    after_help = "\
Examples:
  judge run 2000 3 3 --opponent perfect -- python3 my_bot.py
  judge run 6 1 2 -v                        the bundled bot, drawn move by move
  judge run --games 100 --seed 7 -- ./bot   a hundred random rows of up to 2000 cards
  judge run segment 20 3 5 seat second --json -- ./bot

Exit codes:
  0  the bot won every game
  1  it did not
  2  wrong usage, the bot could not be started, or the judge could not do its part"
)]
pub(crate) struct RunArgs {
    /// The game, in the protocol's words: "N L R" for a row of N cards of which a move takes L to R in a row.
    /// Without it each game gets a random row of at most 2000 cards, drawn from its seed
    #[arg(value_name = "HEADER WORDS")]
    pub(crate) header: Vec<String>,

    /// Who plays against the bot
    #[arg(long, value_enum, default_value_t = Kind::Perfect, value_name = "NAME")]
    pub(crate) opponent: Kind,

    /// How many games to play, with the seeds S, S+1, ...
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,

    /// The seed of the first game
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// How many seconds the judge waits for the bot, all its moves of a game together
    #[arg(long, default_value = "2", value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Duration,

    /// Print one JSON object a game and nothing else
    #[arg(long, conflicts_with = "verbose")]
    pub(crate) json: bool,

    /// Draw each game, a line a move
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// The bot's command and its arguments; without it the bundled bot plays
    #[arg(last = true, value_name = "BOT")]
    pub(crate) bot: Vec<OsString>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let limit = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit
        .filter(|limit| (Duration::from_millis(1)..=Duration::from_secs(86400)).contains(limit))
        .ok_or_else(|| "expected a number of seconds from 0.001 to 86400".to_owned())
}
