//! What may be typed.

use std::ffi::OsString;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use zeroxor::games::MAX_SIZE;

use crate::player::opponent::Kind;
use crate::verdict::Profile;

mod table;

pub(crate) use table::{
    BanArgs, DivisorArgs, EuclidArgs, Family, Format as TableFormat, ListingArgs, SegmentArgs, SquareArgs,
    SubtractArgs, TableArgs,
};

/// How long the contest gives a bot, and so the judge.
pub(crate) const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(2);

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
    Play(PlayArgs),
    Solve(SolveArgs),
    Count(CountArgs),
    Table(TableArgs),
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

    /// What is made of a bot's conduct after the end of a game
    #[arg(long, value_enum, default_value_t = Profile::Contest, value_name = "NAME")]
    pub(crate) profile: Profile,

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

/// Play a game yourself, against the bot or another person
#[derive(Debug, Args)]
#[command(
    override_usage = "judge play [HEADER WORDS] [OPTIONS]",
    after_help = "\
Examples:
  judge play                            subtract-a-square from 20, against the bot
  judge play square 100 ban 1 --first   without taking 1, and you begin
  judge play 20 3 5 --players 2         two people and a row of cards
  judge play nim 3 5 7 + euclid 14 6    a sum: move in one of the games

In play:
  hint, moves, undo, resign, help, quit

Exit codes:
  0  the game ended, or the input did
  2  wrong usage"
)]
pub(crate) struct PlayArgs {
    /// The game, in the protocol's words; who cannot move loses. Without it the classic game is played,
    /// "square 20"
    #[arg(value_name = "HEADER WORDS")]
    pub(crate) header: Vec<String>,

    /// How many people play; one plays against the bot
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) players: u8,

    /// Move first against the bot; without --first and --second you are asked
    #[arg(long, conflicts_with = "second")]
    pub(crate) first: bool,

    /// Move second against the bot
    #[arg(long)]
    pub(crate) second: bool,
}

/// Say who wins a position, its nimber, and the winning moves
#[derive(Debug, Args)]
#[command(
    override_usage = "judge solve HEADER WORDS [OPTIONS]\n       judge solve --format NAME < FILE",
    after_help = "\
Examples:
  judge solve 2000 3 3
  judge solve segment 20 3 5 + square 20 ban 1 + euclid 14 5 --moves 100 --json
  printf '7 1 1' | judge solve --format gmt003

Formats, read from stdin:
  gmt003        n, k, then k banned squares, blanks or newlines between: prints First or Second
  gmt003-piles  p, then p piles, k, then k banned squares: prints First or Second
  codejam       T, then T lines A1 A2 B1 B2: prints \"Case #i: COUNT\" for each"
)]
pub(crate) struct SolveArgs {
    /// The game, in the protocol's words, for instance: square 7 8 ban 1
    #[arg(value_name = "HEADER WORDS", required_unless_present = "format")]
    pub(crate) header: Vec<String>,

    /// Read a classic problem's own input from stdin, and print its answer
    #[arg(long, value_enum, value_name = "NAME", conflicts_with_all = ["header", "json", "moves"])]
    pub(crate) format: Option<Format>,

    /// Print the Grundy number alone
    #[arg(long, conflicts_with_all = ["json", "moves"])]
    pub(crate) nimber: bool,

    /// How many winning moves to list at most
    #[arg(long, default_value_t = 10, value_name = "K")]
    pub(crate) moves: usize,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The input of a classic problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Subtract-a-square with banned squares, one pile
    Gmt003,
    /// The same with several piles
    Gmt003Piles,
    /// The Number Game: counts of won pairs
    Codejam,
}

/// Count the pairs of the Number Game that the player to move wins
#[derive(Debug, Args)]
#[command(after_help = "\
The count is of all A from A1 to A2 and B from B1 to B2, exact, for bounds up to 10^18.

Example:
  judge count 1 6 1 6      prints 20")]
pub(crate) struct CountArgs {
    /// The least A
    #[arg(value_parser = bound())]
    pub(crate) a1: u64,
    /// The largest A
    #[arg(value_parser = bound())]
    pub(crate) a2: u64,
    /// The least B
    #[arg(value_parser = bound())]
    pub(crate) b1: u64,
    /// The largest B
    #[arg(value_parser = bound())]
    pub(crate) b2: u64,
}

fn bound() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=MAX_SIZE)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let limit = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit
        .filter(|limit| (Duration::from_millis(1)..=Duration::from_secs(86400)).contains(limit))
        .ok_or_else(|| "expected a number of seconds from 0.001 to 86400".to_owned())
}
