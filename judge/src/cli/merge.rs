//! `judge merge`: merges the results of one run that several judges have recorded.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::subcommand::{Program, Subcommand};
use crate::matches::arena::record::{GameRecord, PairedRecord};
use crate::matches::stress::search_state::SearchLine;
use common::escape::shell_word;
use common::file_kind::{FileKind, ForceOption};
use common::merge::{Checks, Merge, MergeReport, ResultKind};
use common::output::Output;
use common::program::print_error;
use common::record_file::read_record;
use common::shards::with_option;
use common::text::counted;
use theory::sweep::SweepRecord;

/// Merge the results of one run that several judges have recorded
#[derive(Debug, Args)]
#[command(after_help = "\
The files are those of --checkpoint and --record, the output of --json, and files that were merged before. Each result is written \
once, in the order of the result numbers. Results that are recorded twice must be equal, apart from times \
and other measurements. A last line that was cut off is ignored. If results are missing, their numbers and \
the command that computes them are printed.

Memory: 60 MB, 24 bytes for each result (240 MB for ten million), and 4 KiB for each file beyond 8,000.

Examples:
  judge merge shards/*.jsonl --output games.jsonl
  judge arena --rate games.jsonl
  judge merge games.jsonl more.jsonl > all.jsonl

Exit codes:
  0  no result is missing
  1  results are missing; the others were written
  2  the files are of several runs, contradict each other or are damaged, or
     the output cannot be written; no file was changed")]
pub(crate) struct MergeArgs {
    /// Files of results
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Where to write the results [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,
}

/// The file kind of results. The lines of `judge stress` begin differently from the others, so `starts` has two
/// entries.
const RESULTS: FileKind = FileKind {
    name: "results of games or sweeps",
    starts: &["{\"schema\":", "{\"judge\":"],
    later_text: "\"run\":\"",
};

impl Subcommand for MergeArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        let output = Output::open(self.output.as_deref(), RESULTS, self.force.force)?;
        let file = self.output.as_deref().filter(|_| !output.is_stream());
        let checks = Checks { record: check_record, pair: check_pair };
        let mut merge = Merge::read(&self.files, checks)?;
        let report = merge.check()?;
        output.write(|out| merge.write(out).map_err(io_error))?;
        let missing = report.missing.count();
        if file.is_some() {
            writeln!(io::stdout(), "{}", summary(&report, self.files.len()))?;
        }
        if missing > 0 {
            print_error(missing_results(&report, file));
        }
        Ok(if missing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Checks a line in the same way as the command that reads the merged file.
fn check_record(kind: ResultKind, line: &[u8]) -> anyhow::Result<()> {
    match kind {
        ResultKind::Arena => read_record::<GameRecord>(line).map(drop),
        ResultKind::Stress => read_record::<SearchLine>(line).map(drop),
        ResultKind::Sweep => read_record::<SweepRecord>(line).map(drop),
    }
}

fn check_pair(one: &[u8], other: &[u8]) -> anyhow::Result<()> {
    let read = |line: &[u8]| -> anyhow::Result<PairedRecord> { Ok(serde_json::from_slice(line)?) };
    read(one)?.check_pair(&read(other)?)
}

/// Converts an error to an `io::Error`. If the cause is an I/O error, returns the cause, so that a full disk is
/// recognised.
fn io_error(error: anyhow::Error) -> io::Error {
    error.downcast::<io::Error>().unwrap_or_else(io::Error::other)
}

fn summary(report: &MergeReport, files: usize) -> String {
    let MergeReport { facts, results, duplicates, .. } = report;
    let of = facts.total.map_or_else(String::new, |_| format!("{results} of "));
    let known = counted(facts.total.unwrap_or(*results), "result");
    let files = counted(files as u64, "file");
    let unknown = if facts.total.is_none() { "; the total number of results is unknown" } else { "" };
    let duplicates = counted(*duplicates, "duplicate");
    format!("{of}{known} of the run {}, from {files}, {duplicates}{unknown}", facts.run)
}

fn missing_results(report: &MergeReport, file: Option<&Path>) -> String {
    let missing = format!("{} missing: {}", counted(report.missing.count(), "result"), report.missing);
    let Some(command) = &report.facts.command else { return missing };
    match file.and_then(|file| shell_word(file.to_str()?).ok()) {
        Some(file) => {
            format!("{missing}; to continue: {}", with_option(command, &format!("--checkpoint {file}")))
        }
        None => format!(
            "{missing}; to continue, merge with --output FILE, and then: {}",
            with_option(command, "--checkpoint FILE")
        ),
    }
}
