//! What may be typed behind `judge table`.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand, ValueEnum};

use super::count::bound;

/// No table goes further: its values are gone through one by one, whatever theory knows of them.
const MAX_TO: u64 = 1 << 30;

/// Write the nimbers of all sizes of a game from 0 on
#[derive(Debug, Args)]
#[command(
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  judge table segment 1 2 --to 1000000                  a summary
  judge table segment 3 5 --to 2000 --format csv
  judge table segment 1 3 --to 100000 --check 2000 --format bin --output nimbers.bin
  judge table square ban 4 9 --to 1000000               who wins, and with --nimber by which nimber
  judge table subtract take 2 5 9 --to 100 --period
  judge table segment 1 4 --to 1000 --period --certificate period.json
  judge table --verify period.json
  judge table segment --all --to 2000                   all windows at once

Exit codes:
  0  the table was written, the certificate holds
  1  the table is not what the definition says, no period was found to certify, or a certificate is wrong
  2  wrong usage, or the judge could not do its part"
)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    pub(crate) family: Option<Family>,

    /// Prove once more what a certificate of a period says
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) verify: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "GAME", subcommand_help_heading = "Games")]
pub(crate) enum Family {
    Segment(SegmentArgs),
    Square(SquareArgs),
    Divisor(DivisorArgs),
    Subtract(SubtractArgs),
    Euclid(EuclidArgs),
}

/// A row of cards, of which a move takes L to R in a row
#[derive(Debug, Args)]
pub(crate) struct SegmentArgs {
    /// The least number of cards a move takes
    #[arg(value_parser = bound(), required_unless_present = "all")]
    pub(crate) l: Option<u64>,

    /// The largest number of cards a move takes
    #[arg(value_parser = bound(), required_unless_present = "all")]
    pub(crate) r: Option<u64>,

    /// All windows L <= R <= N on rows of up to N cards: how many starts are won by Second
    #[arg(long, conflicts_with_all = ["l", "r", "period", "certificate", "check"])]
    pub(crate) all: bool,

    /// Find the least period and pre-period, and prove them
    #[arg(long)]
    pub(crate) period: bool,

    /// Write what proves the period to this file
    #[arg(long, value_name = "FILE", requires = "period")]
    pub(crate) certificate: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// A pile, from which a move takes a perfect square that is not banned
///
/// Without --nimber only who wins is told. Then CSV has a header "n,outcome" and P or N for each n; a b-file
/// and JSON list the P-positions, as the OEIS does; the binary form is the bytes "OUTCOMES", N+1 in eight
/// bytes, then a bit for each n, the lowest of each byte first, which is 1 for a P-position.
#[derive(Debug, Args)]
pub(crate) struct SquareArgs {
    #[command(flatten)]
    pub(crate) bans: BanArgs,

    /// The nimbers too
    #[arg(long)]
    pub(crate) nimber: bool,

    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// A pile, from which a move takes a divisor of its present size that is not banned
#[derive(Debug, Args)]
pub(crate) struct DivisorArgs {
    #[command(flatten)]
    pub(crate) bans: BanArgs,

    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// What a move may not take.
#[derive(Debug, Args)]
pub(crate) struct BanArgs {
    /// "ban" and the numbers that a move may not take
    #[arg(value_name = "ban S...", value_parser = ["ban"], requires = "numbers")]
    pub(crate) keyword: Option<String>,

    #[arg(value_name = "S", value_parser = bound(), hide = true)]
    pub(crate) numbers: Vec<u64>,
}

/// A pile, from which a move takes one of the numbers listed
#[derive(Debug, Args)]
pub(crate) struct SubtractArgs {
    /// "take" and the numbers that a move may take
    #[arg(value_name = "take", value_parser = ["take"])]
    pub(crate) keyword: String,

    #[arg(value_name = "S", value_parser = bound(), required = true)]
    pub(crate) numbers: Vec<u64>,

    /// Tell the least period and pre-period, which the values themselves prove
    #[arg(long)]
    pub(crate) period: bool,

    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// The Number Game: who wins all pairs of numbers from 1 to N
///
/// CSV has a header "a,b,outcome" and P or N for each pair; a b-file is the square array read by
/// antidiagonals, as the OEIS does, 1 for a P-position; JSON has a word of P and N for each a; the binary
/// form is the bytes "OUTCOMES", the number of pairs in eight bytes, then a bit for each pair, row by row,
/// the lowest of each byte first, 1 for a P-position.
#[derive(Debug, Args)]
pub(crate) struct EuclidArgs {
    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// How much of a table is wanted, and how it is written.
#[derive(Debug, Args)]
pub(crate) struct ListingArgs {
    /// The largest size, 2^30 at most
    #[arg(long, value_name = "N", value_parser = size())]
    pub(crate) to: u64,

    /// How the table is written
    #[arg(long, value_enum, default_value_t = Format::Summary, value_name = "NAME")]
    pub(crate) format: Format,

    /// Where to, "-" for stdout; a file that is there stays as it is until the table is complete
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// First compare with the definition, the mex over every move, up to this size; without a number up to
    /// 1000
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000", value_parser = size())]
    pub(crate) check: Option<u64>,
}

fn size() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(0..=MAX_TO)
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The largest nimber, the P-positions, the time
    Summary,
    /// A header "n,nimber", then a row for each n from 0
    Csv,
    /// A line "n nimber" for each n from 0, as the OEIS takes them
    Bfile,
    /// One object: schema, game, to, nimbers
    Json,
    /// The bytes "NIMBERS" and 2 or 4, the bytes of a value; then N+1 in eight bytes, then the values. All
    /// numbers are little-endian
    Bin,
}
