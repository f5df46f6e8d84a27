//! `judge solve`.

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
