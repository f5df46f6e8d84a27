//! `judge count`: the won pairs of a rectangle.

use std::io::Write;
use std::process::ExitCode;

use anyhow::ensure;
use zeroxor::grundy::winning_pairs;

use crate::cli::count::CountArgs;

pub(crate) fn count(args: &CountArgs) -> anyhow::Result<ExitCode> {
    let &CountArgs { a1, a2, b1, b2 } = args;
    ensure!(a1 <= a2, "expected A1 <= A2, got {a1} and {a2}");
    ensure!(b1 <= b2, "expected B1 <= B2, got {b1} and {b2}");
    writeln!(std::io::stdout(), "{}", winning_pairs((a1, a2), (b1, b2)))?;
    Ok(ExitCode::SUCCESS)
}
