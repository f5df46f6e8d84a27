//! `judge export`.

use std::path::PathBuf;

use clap::Args;

use crate::interop::package::Format;

/// Write the game of cards as a problem package, with this judge as its output validator
#[derive(Debug, Args)]
#[command(after_help = "\
The package has a statement in English, samples, secret data, an input validator, submissions that are accepted \
and that are not, and an output validator that runs the judge it carries: this very executable.

Examples:
  judge export --format icpc cards      for bt and other tools that know 2025-09
  judge export --format legacy cards    for verifyproblem and Kattis

Exit codes:
  0  the package is written
  2  wrong usage, there is something of that name already, or it could not be
     written")]
pub(crate) struct ExportArgs {
    /// Which format
    #[arg(long, value_enum, default_value_t = Format::Icpc, value_name = "NAME")]
    pub(crate) format: Format,

    /// The directory to be made; its name, of a-z and 0-9, is the problem's short name
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}
