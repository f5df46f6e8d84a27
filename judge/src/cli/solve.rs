//! `judge solve`.

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

/// Say who wins a position, its nimber, and the winning moves
#[derive(Debug, Args)]
#[command(
    override_usage = "judge solve HEADER WORDS [OPTIONS]\n       judge solve --format NAME < FILE",
    after_help = "\
Examples:
  judge solve 2000 3 3
  judge solve segment 20 3 5 + square 20 ban 1 + euclid 14 5 --moves 100 --json
  printf '7 1 1' | judge solve --format gmt003

Who wins is printed first. What takes more than some seconds is \"out of reach\":
the nimber, the number of winning moves, and moves to list beyond those found.

Formats, read from stdin:
  gmt003        n, k, then k banned squares, blanks or newlines between: prints
                First or Second
  gmt003-piles  p, then p piles, k, then k banned squares: prints First or
                Second
  codejam       T, then T lines A1 A2 B1 B2: prints \"Case #i: COUNT\" for each

Exit codes:
  0  the answer was printed
  2  wrong usage, a malformed input, or a game too large"
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

    /// How many winning moves to list at most, up to 1000000
    #[arg(long, default_value_t = 10, value_name = "K", value_parser = moves())]
    pub(crate) moves: u64,

    /// Print one JSON object; null is what is out of reach
    #[arg(long)]
    pub(crate) json: bool,
}

/// More moves are not listed: each is kept until it is printed.
fn moves() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(0..=1_000_000)
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
