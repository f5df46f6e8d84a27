//! `grundy atlas`: makes a page about the games of sweeps.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use itertools::Itertools;

use crate::atlas::Collection;
use common::file_kind::FileKind;
use common::file_kind::ForceOption;
use common::output::{Output, ensure_different_files};
use common::program::print_error;
use common::record_file::read_records;

/// Make a page about the games of sweeps: periods proven here, open games, and published periods
#[derive(Debug, Args)]
#[command(after_help = "\
The files are outputs of grundy sweep, in any order. If two files have the same game, the line that solves it is used, \
or else the line that reaches farther.

Example:
  grundy atlas windows.jsonl codes.jsonl --output atlas.md

Exit codes:
  0  the page was written
  2  wrong usage, a file that grundy sweep did not write, or two lines that
     contradict each other")]
pub(crate) struct AtlasArgs {
    /// Output files of grundy sweep
    #[arg(required = true, value_name = "SWEEP")]
    sweeps: Vec<PathBuf>,

    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also write the line of each game to this file, without the fields of its sweep and the cousins of codes. Keep
    /// this file: grundy atlas makes the same page from it, and grundy table --verify verifies its periods
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,
}

/// The kind of an atlas file.
const ATLAS: FileKind = FileKind::new("an atlas", &["# Atlas\n\nMade by `grundy atlas "]);

/// The kind of the file that `--lines` writes.
const LINES: FileKind = FileKind {
    later_text: "\",\"status\":\"",
    ..FileKind::new("the lines of an atlas", &["{\"schema\":1,\"game\":\""])
};

pub(crate) fn atlas(args: &AtlasArgs) -> anyhow::Result<ExitCode> {
    let sweeps = args.sweeps.iter().map(|path| ("SWEEP", Some(path.as_path())));
    let [output, lines] = [args.output.as_deref(), args.lines.as_deref()];
    ensure_different_files(sweeps.chain([("--output", output), ("--lines", lines)]))?;
    let out = Output::open(output, ATLAS, args.force.force)?;
    let lines = lines.map(|path| Output::open(Some(path), LINES, args.force.force)).transpose()?;
    let mut games = Collection::default();
    for path in &args.sweeps {
        read_records(path, |record| games.add(record))?;
    }
    ensure!(!games.is_empty(), "the files contain no line of grundy sweep");
    for (cousin, game) in games.remove_cousins() {
        print_error(format_args!(
            "{cousin} is left out: {game} has the same values; to search farther, sweep {game}"
        ));
    }
    if let Some(lines) = lines {
        lines.write(|out| games.write_lines(out))?;
    }
    let command = format!("grundy atlas {}", args.sweeps.iter().map(|path| path.display()).format(" "));
    out.write(|out| games.write(&command, out))?;
    Ok(ExitCode::SUCCESS)
}
