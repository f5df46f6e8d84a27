//! `judge bundle`: the bot as one file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::interop::bundle;
use crate::interop::bundle::{Games, Target};
use common::file_kind::{FileKind, ForceOption};
use common::output::Output;

/// Write the bot as one file of Rust that a contest compiles
#[derive(Debug, Args)]
#[command(after_help = "\
The first lines of the file say what it plays, what it needs and how to compile it. The same version of the judge \
always writes the same file.

The contest has only rows of cards, so by default the file plays nothing else. It has at most 100 KiB and can be read \
from top to bottom. It refuses other games, and rows of more than 4096 cards if L = R, and it does not search for the \
best move from a lost position. --games all writes the whole bot.

Examples:
  judge bundle > main.rs                            for AtCoder
  judge bundle --games all > main.rs                for AtCoder, all games
  judge bundle --target plain --output zeroxor.rs   for a site without crates

Exit codes:
  0  the file is written
  2  wrong usage, or it could not be written")]
pub(crate) struct BundleArgs {
    /// What the file plays
    #[arg(long, value_enum, default_value_t = Games::Segment, value_name = "NAME")]
    pub(crate) games: Games,

    /// Where the file is to be compiled
    #[arg(long, value_enum, default_value_t = Target::Atcoder, value_name = "NAME")]
    pub(crate) target: Target,

    /// Write to this file instead of stdout: all of it, or if that fails nothing; "-" for stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,
}

/// The kind of the file.
const BUNDLE: FileKind = FileKind::new("a bundle", &["// zeroxor "]);

pub(crate) fn bundle(args: &BundleArgs) -> anyhow::Result<ExitCode> {
    let out = Output::open(args.output.as_deref(), BUNDLE, args.force.force)?;
    let text = bundle::text(args.target, args.games)?;
    out.write(|out| out.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}
