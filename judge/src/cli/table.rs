//! What may be typed behind `judge table`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::bound;

/// Write the nimbers of all sizes of a game from 0 on
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge table segment 1 2 --to 1000000                  a summary
  judge table segment 3 5 --to 2000 --format csv
  judge table segment 1 3 --to 100000 --check 2000 --format bin --output nimbers.bin

Exit codes:
  0  the table was written
  1  it is not what the definition says
  2  wrong usage, or the judge could not do its part")]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    pub(crate) family: Family,
}

#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "GAME", subcommand_help_heading = "Games")]
pub(crate) enum Family {
    Segment(SegmentArgs),
}

/// A row of cards, of which a move takes L to R in a row
#[derive(Debug, Args)]
pub(crate) struct SegmentArgs {
    /// The least number of cards a move takes
    #[arg(value_parser = bound())]
    pub(crate) l: u64,

    /// The largest number of cards a move takes
    #[arg(value_parser = bound())]
    pub(crate) r: u64,

    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// How much of a table is wanted, and how it is written.
#[derive(Debug, Args)]
pub(crate) struct ListingArgs {
    /// The largest size
    #[arg(long, value_name = "N")]
    pub(crate) to: u64,

    /// How the table is written
    #[arg(long, value_enum, default_value_t = Format::Summary, value_name = "NAME")]
    pub(crate) format: Format,

    /// Where to, instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// First compare with the definition, the mex over every move, up to this size; without a number up to 1000
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000")]
    pub(crate) check: Option<u64>,
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
    /// The bytes "NIMBERS" and 2 or 4, the bytes of a value; then N+1 in eight bytes, then the values. All numbers
    /// are little-endian
    Bin,
}
